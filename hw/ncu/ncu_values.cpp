// SPDX-License-Identifier: Apache-2.0
#include "hw/ncu/ncu_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace coulomb::hw {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) {
    text.remove_suffix(1);
  }
  return text;
}

/// True if `digits` is 1 to 3 digits followed by groups of `separator` and 3 digits.
bool grouped(std::string_view digits, char separator) {
  std::size_t run = 0;
  bool first = true;
  for (std::size_t i = 0; i <= digits.size(); ++i) {
    if (i < digits.size() && is_digit(digits[i])) {
      ++run;
      continue;
    }
    if (i < digits.size() && digits[i] != separator) {
      return false;
    }
    if (first ? run < 1 || run > 3 : run != 3) {
      return false;
    }
    first = false;
    run = 0;
  }
  return true;
}

/// Which of ',' and '.' is the decimal point of a number that may have both.
char decimal_point(std::string_view mantissa) {
  const std::size_t comma = mantissa.rfind(',');
  const std::size_t dot = mantissa.rfind('.');
  if (comma == std::string_view::npos) {
    // "1.234.567" has two: they separate thousands.
    return mantissa.find('.') == dot ? '.' : ',';
  }
  if (dot == std::string_view::npos) {
    return grouped(mantissa, ',') ? '.' : ',';
  }
  return dot > comma ? '.' : ',';
}

struct UnitWord {
  std::string_view word;
  double scale;
  std::string_view base;
};

// Times, as a quantity: ns. Newer releases of ncu print short words.
constexpr UnitWord kTimes[] = {
    {"nsecond", 1.0, "ns"}, {"usecond", 1e3, "ns"}, {"msecond", 1e6, "ns"}, {"second", 1e9, "ns"},
    {"ns", 1.0, "ns"},      {"us", 1e3, "ns"},      {"ms", 1e6, "ns"},      {"s", 1e9, "ns"},
};
// Times, as what a rate is of: "second".
constexpr UnitWord kPer[] = {
    {"nsecond", 1e9, "second"}, {"usecond", 1e6, "second"}, {"msecond", 1e3, "second"},
    {"second", 1.0, "second"},  {"ns", 1e9, "second"},      {"us", 1e6, "second"},
    {"ms", 1e3, "second"},      {"s", 1.0, "second"},
};
constexpr UnitWord kPrefixes[] = {
    {"Ki", 1024.0, ""}, {"Mi", 1048576.0, ""}, {"Gi", 1073741824.0, ""}, {"K", 1e3, ""},
    {"k", 1e3, ""},     {"M", 1e6, ""},        {"G", 1e9, ""},           {"T", 1e12, ""},
};
// Words that ncu puts a prefix before.
constexpr std::string_view kScaled[] = {"byte", "bit",    "hz",     "Hz",      "cycle",
                                        "inst", "warp",   "sector", "request", "op",
                                        "B",    "thread", "tag",    "register"};

template <std::size_t N>
const UnitWord* find_word(const UnitWord (&table)[N], std::string_view word) {
  const auto* it = std::find_if(std::begin(table), std::end(table),
                                [&](const UnitWord& row) { return row.word == word; });
  return it == std::end(table) ? nullptr : it;
}

std::string base_word(std::string_view word) {
  return word == "Hz" ? "hz" : word == "B" ? "byte" : std::string(word);
}

NcuUnit quantity(std::string_view word) {
  if (const UnitWord* time = find_word(kTimes, word)) {
    return {time->scale, std::string(time->base)};
  }
  for (const UnitWord& prefix : kPrefixes) {
    if (word.substr(0, prefix.word.size()) != prefix.word) {
      continue;
    }
    const std::string_view rest = word.substr(prefix.word.size());
    if (std::find(std::begin(kScaled), std::end(kScaled), rest) != std::end(kScaled)) {
      return {prefix.scale, base_word(rest)};
    }
  }
  return {1.0, base_word(word)};
}

} // namespace

std::optional<double> parse_ncu_number(std::string_view text) {
  text = trimmed(text);
  std::string plain;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    plain = text.front() == '-' ? "-" : "";
    text.remove_prefix(1);
  }
  const std::size_t exponent = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, exponent);
  const char point = decimal_point(mantissa);
  const std::size_t split = std::min(mantissa.find(point), mantissa.size());
  std::string_view whole = mantissa.substr(0, split);
  for (const char separator : {',', '.', '\''}) {
    if (separator != point && whole.find(separator) != std::string_view::npos &&
        !grouped(whole, separator)) {
      return std::nullopt;
    }
  }
  std::copy_if(whole.begin(), whole.end(), std::back_inserter(plain),
               [](char c) { return c != ',' && c != '.' && c != '\''; });
  if (split < mantissa.size()) {
    plain += '.';
    plain += mantissa.substr(split + 1);
  }
  std::string_view tail = text.substr(exponent);
  plain += tail;
  double value = 0.0;
  const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error != std::errc{} || end != plain.data() + plain.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

NcuUnit parse_ncu_unit(std::string_view text) {
  text = trimmed(text);
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return quantity(text);
  }
  const NcuUnit above = quantity(text.substr(0, slash));
  const std::string_view below = text.substr(slash + 1);
  if (const UnitWord* time = find_word(kPer, below)) {
    return {above.scale * time->scale, above.base + "/" + std::string(time->base)};
  }
  return {above.scale, above.base + "/" + std::string(below)};
}

std::optional<std::array<std::uint32_t, 3>> parse_ncu_size(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
    return std::nullopt;
  }
  text = text.substr(1, text.size() - 2);
  std::array<std::uint32_t, 3> size{};
  for (std::size_t axis = 0; axis < size.size(); ++axis) {
    const std::size_t comma = text.find(',');
    if ((comma == std::string_view::npos) != (axis == 2)) {
      return std::nullopt;
    }
    const std::string_view word = trimmed(text.substr(0, comma));
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), size[axis]);
    if (error != std::errc{} || end != word.data() + word.size()) {
      return std::nullopt;
    }
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
  }
  return size;
}

} // namespace coulomb::hw
