// SPDX-License-Identifier: Apache-2.0
#include "base/results/html/text.hpp"

#include "base/text.hpp"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>

namespace coulomb::html {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";
/// From here on scripts whose characters are about as wide as two Latin ones.
constexpr std::uint32_t kFirstWide = 0x1100;

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// The character at the start of `text`, which is not empty (RFC 3629).
Character decode(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) {
    return {lead, 1, true};
  }
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) {
    return {};
  }
  std::uint32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xC0U) != 0x80U) {
      return {};
    }
    code = code << 6U | (next & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[bytes] || code > 0x10FFFF || surrogate) {
    return {};
  }
  return {code, bytes, true};
}

std::size_t columns_of(const Character& c) {
  return c.valid && c.code >= kFirstWide ? 2 : 1;
}

} // namespace

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character c = decode(text);
    const bool control =
        (c.code < 0x20 && c.code != '\t' && c.code != '\n') || (c.code >= 0x7F && c.code < 0xA0);
    if (!c.valid || control) {
      out += kReplacement;
    } else if (c.code == '&') {
      out += "&amp;";
    } else if (c.code == '<') {
      out += "&lt;";
    } else if (c.code == '>') {
      out += "&gt;";
    } else if (c.code == '"') {
      out += "&quot;";
    } else if (c.code == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::string shorten(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  std::size_t used = 0;
  std::size_t cut = 0; ///< where to cut if there is more
  while (at < text.size()) {
    const Character c = decode(text.substr(at));
    used += columns_of(c);
    if (used > columns) {
      return std::string(text.substr(0, cut)) + std::string(kEllipsis);
    }
    at += c.bytes;
    if (used < columns) {
      cut = at;
    }
  }
  return std::string(text);
}

std::string shorten_middle(std::string_view text, std::size_t columns) {
  std::string head = shorten(text, columns);
  if (head == text || columns < 3) {
    return head;
  }
  const std::size_t tail_columns = (columns - 1) / 2;
  head = shorten(text, columns - tail_columns);
  std::size_t at = text.size();
  std::size_t used = 0;
  while (at > 0) {
    std::size_t before = at - 1;
    while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xC0U) == 0x80U) {
      --before;
    }
    used += columns_of(decode(text.substr(before)));
    if (used > tail_columns) {
      break;
    }
    at = before;
  }
  return head + std::string(text.substr(at));
}

double text_width(std::string_view text, double font_px) {
  constexpr double kColumn = 0.6; ///< of the font's height: most Latin letters are narrower
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character c = decode(text);
    columns += columns_of(c);
    text.remove_prefix(c.bytes);
  }
  return static_cast<double>(columns) * kColumn * font_px;
}

std::string format_number(double value, int digits) {
  if (!std::isfinite(value)) {
    return fmt::format("{}", value);
  }
  const double magnitude = std::abs(value);
  if (magnitude >= std::pow(10.0, digits - 1) && magnitude < 1e15) {
    const auto whole = static_cast<std::uint64_t>(std::llround(magnitude));
    return fmt::format("{}{}", value < 0.0 && whole > 0 ? "-" : "", with_thousands(whole));
  }
  return fmt::format("{:.{}g}", value, digits);
}

} // namespace coulomb::html
