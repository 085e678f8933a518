// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/argument_text.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/kernel/expression.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace coulomb::kernel {
namespace {

/// The seed of T1 files' fills, so that the same name has the same numbers everywhere.
constexpr std::uint64_t kFillSeed = 0xc0a1;
constexpr std::uint64_t kMaxCount = std::uint64_t{1} << 40;
/// Integers up to here are exact as a double.
constexpr std::uint64_t kExact = std::uint64_t{1} << 53;
constexpr const char* kGrammar =
    "NAME:TYPE[COUNT]=FILL for a buffer, NAME:TYPE=VALUE for a scalar; e.g. x:float[1024]=normal, "
    "n:int=5";

bool is_identifier(std::string_view text) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  return !text.empty() && (letter(text.front()) || text.front() == '_') &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return letter(c) || c == '_' || std::isdigit(static_cast<unsigned char>(c)) != 0;
         });
}

/// The parts of `text` between colons, at most `most`; the last keeps its colons.
std::vector<std::string> split(const std::string& text, std::size_t most) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  while (parts.size() + 1 < most) {
    const std::size_t colon = text.find(':', begin);
    if (colon == std::string::npos) {
      break;
    }
    parts.push_back(text.substr(begin, colon - begin));
    begin = colon + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

template <class T>
std::optional<T> whole_number(std::string_view text) {
  int base = 10;
  const bool minus = text.starts_with('-');
  if (text.substr(minus ? 1 : 0).starts_with("0x")) {
    base = 16;
    text.remove_prefix(minus ? 3 : 2);
  } else if (minus) {
    text.remove_prefix(1);
  }
  std::uint64_t magnitude = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<T>::max()) +
                             (minus && std::is_signed_v<T> ? 1U : 0U);
  if (read.ec != std::errc{} || read.ptr != text.data() + text.size() || magnitude > most ||
      (minus && !std::is_signed_v<T>)) {
    return std::nullopt;
  }
  return static_cast<T>(minus ? ~magnitude + 1 : magnitude);
}

std::optional<double> number(std::string_view text) {
  double value = 0.0;
  const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ec == std::errc{} && read.ptr == digits.data() + digits.size() && !digits.empty()) {
    return value;
  }
  if (const auto whole = whole_number<std::int64_t>(text)) {
    return static_cast<double>(*whole);
  }
  return std::nullopt;
}

std::uint64_t seed_of(const std::vector<std::string>& parts, const Argument& argument) {
  if (parts.size() < 2 || parts[1].empty()) {
    return hash64(argument.name, kFillSeed);
  }
  const auto seed = whole_number<std::uint64_t>(parts[1]);
  if (!seed) {
    throw UserError(
        fmt::format("seed \"{}\" of {} is not a whole number from 0", parts[1], argument.name));
  }
  return *seed;
}

double scale_of(const std::vector<std::string>& parts, const Argument& argument, double otherwise) {
  if (parts.size() < 3) {
    return otherwise;
  }
  const auto scale = number(parts[2]);
  if (!scale) {
    throw UserError(fmt::format("\"{}\", the last number of {}'s fill, is not a number", parts[2],
                                argument.name));
  }
  return *scale;
}

Fill normal_fill(const std::vector<std::string>& parts, const Argument& a) {
  return {FillKind::normal, scale_of(parts, a, 1.0), seed_of(parts, a), {}, {}};
}

Fill random_fill(const std::vector<std::string>& parts, const Argument& a) {
  if (is_floating_point(a.type)) {
    throw UserError(
        fmt::format("{}: random sets every bit, which only integers and bool can have", a.name),
        "write normal or uniform for a floating-point type");
  }
  return {FillKind::random, 0.0, seed_of(parts, a), {}, {}};
}

Fill uniform_fill(const std::vector<std::string>& parts, const Argument& a) {
  if (a.type == ElementType::boolean) {
    return random_fill(parts, a);
  }
  const bool has_sign = !std::string_view(element_type_name(a.type)).starts_with("u");
  const double below =
      is_floating_point(a.type)
          ? 1.0
          : std::ldexp(1.0, static_cast<int>(8 * element_bytes(a.type)) - (has_sign ? 1 : 0));
  return {FillKind::uniform, scale_of(parts, a, below), seed_of(parts, a), {}, {}};
}

Fill sequence_fill(const std::vector<std::string>&, const Argument&) {
  return {FillKind::sequence, 0.0, 0, {}, {}};
}

Fill zero_fill(const std::vector<std::string>&, const Argument&) {
  return {};
}

struct FillWord {
  std::string_view word;
  std::size_t most_parts; ///< the word and what may follow it, between colons
  Fill (*make)(const std::vector<std::string>& parts, const Argument& argument);
};
constexpr std::array<FillWord, 5> kFillWords = {{
    {"normal", 3, normal_fill},
    {"uniform", 3, uniform_fill},
    {"random", 2, random_fill},
    {"sequence", 1, sequence_fill},
    {"zero", 1, zero_fill},
}};

Fill expression_fill(const std::string& text) {
  const Expression expression = Expression::parse(text);
  for (const std::string& name : expression.names()) {
    if (name != "i") {
      throw UserError(fmt::format(
          "\"{}\" uses the unknown name \"{}\"; known: i (the element's index)", text, name));
    }
  }
  return {FillKind::expression, 0.0, 0, {}, text};
}

Fill file_fill(const std::string& text, const std::string& folder) {
  if (text.empty()) {
    throw UserError("no file is named behind the @", "e.g. @data.npy");
  }
  const std::filesystem::path path = std::filesystem::path(folder) / text;
  const FillKind kind = text.ends_with(".npy") ? FillKind::npy : FillKind::file;
  return {kind, 0.0, 0, std::filesystem::absolute(path).lexically_normal().string(), {}};
}

struct Range {
  ElementType type;
  std::int64_t least;
  std::uint64_t most;
};
template <class T>
constexpr Range range(ElementType type) {
  return {type, static_cast<std::int64_t>(std::numeric_limits<T>::min()),
          static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
}
constexpr std::array<Range, 9> kRanges = {{
    range<std::int8_t>(ElementType::i8),
    range<std::uint8_t>(ElementType::u8),
    range<std::int16_t>(ElementType::i16),
    range<std::uint16_t>(ElementType::u16),
    range<std::int32_t>(ElementType::i32),
    range<std::uint32_t>(ElementType::u32),
    range<std::int64_t>(ElementType::i64),
    range<std::uint64_t>(ElementType::u64),
    {ElementType::boolean, 0, 1},
}};

/// A constant of an integer type: exact, and refused where it does not fit.
Fill integer_fill(const std::string& text, const Argument& a) {
  const auto& r = *std::find_if(kRanges.begin(), kRanges.end(),
                                [&](const Range& candidate) { return candidate.type == a.type; });
  const auto negative = whole_number<std::int64_t>(text);
  const auto positive = whole_number<std::uint64_t>(text);
  const bool fits = positive ? *positive <= r.most : negative && *negative >= r.least;
  if (!fits) {
    throw UserError(
        fmt::format("{}: \"{}\" is not a value of {}; allowed: whole numbers from {} to "
                    "{}",
                    a.name, text, element_type_name(a.type), r.least, r.most));
  }
  const std::uint64_t bits = positive ? *positive : static_cast<std::uint64_t>(*negative);
  const std::uint64_t magnitude = positive ? bits : ~bits + 1;
  if (magnitude > kExact) {
    return {FillKind::bits, 0.0, bits, {}, {}};
  }
  const auto value = static_cast<double>(magnitude);
  return {FillKind::constant, positive ? value : -value, 0, {}, {}};
}

Fill constant_fill(const std::string& text, const Argument& a) {
  if (a.type == ElementType::boolean && (text == "true" || text == "false")) {
    return {FillKind::constant, text == "true" ? 1.0 : 0.0, 0, {}, {}};
  }
  if (const auto value = number(text)) {
    return is_floating_point(a.type) ? Fill{FillKind::constant, *value, 0, {}, {}}
                                     : integer_fill(text, a);
  }
  if (whole_number<std::uint64_t>(text) && !is_floating_point(a.type)) {
    return integer_fill(text, a);
  }
  throw UserError(
      fmt::format("\"{}\" is no fill; allowed: a number, zero, sequence, normal[:SEED[:SCALE]], "
                  "uniform[:SEED[:BELOW]], random[:SEED], expr:EXPRESSION, @FILE.npy, @FILE.bin",
                  text));
}

/// What stands before the '=', taken apart.
struct Head {
  std::string name;
  bool by_value = false;
  bool output = false;
  std::string type;
  std::optional<std::string> count;
};

Head parse_head(const std::string& text) {
  Head head;
  std::string type = text;
  const std::size_t bracket = text.find('[');
  if (bracket != std::string::npos) {
    if (!text.ends_with(']')) {
      throw UserError("\"]\" is missing behind the count", kGrammar);
    }
    head.count = text.substr(bracket + 1, text.size() - bracket - 2);
    type = text.substr(0, bracket);
  }
  std::vector<std::string> words = split(type, std::numeric_limits<std::size_t>::max());
  head.type = words.back();
  words.pop_back();
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "value") {
      head.by_value = true;
    } else if (words[i] == "output") {
      head.output = true;
    } else if (i == 0 && is_identifier(words[i])) {
      head.name = words[i];
    } else {
      throw UserError(
          fmt::format("\"{}\" is neither a name nor a mark; marks are value and output", words[i]),
          kGrammar);
    }
  }
  if (head.name.empty() && head.output) {
    head.name = "output"; // who writes output:float[8] may mean the mark or a name: it is both
  }
  return head;
}

/// Everything but the fill.
Argument make_argument(const Head& head, const std::string& default_name) {
  Argument a;
  a.name = head.name.empty() ? default_name : head.name;
  a.type = element_type_from_name(head.type);
  a.vector = head.count.has_value() && !head.by_value;
  a.writable = a.vector;
  a.output = head.output;
  a.count = head.count ? parse_count(*head.count, fmt::format("the count of {}", a.name)) : 1;
  return a;
}

/// Position of the '=' that begins the fill, outside the brackets of the count.
std::size_t fill_position(const std::string& text) {
  const std::size_t bracket = text.find('[');
  const std::size_t equals = text.find('=');
  return bracket < equals ? text.find('=', text.find(']', bracket)) : equals;
}

[[noreturn]] void rethrow_with(const std::string& text, const UserError& error) {
  throw UserError(fmt::format("argument \"{}\": {}", text, error.what()), error.hint());
}

} // namespace

std::uint64_t parse_count(const std::string& text, const std::string& what) {
  std::int64_t count = 0;
  try {
    count = Expression::parse(text).evaluate_int({[](const std::string&) { return nullptr; }});
  } catch (const UserError& e) {
    throw UserError(fmt::format("{}: {}", what, e.what()));
  }
  if (count < 1 || static_cast<std::uint64_t>(count) > kMaxCount) {
    throw UserError(fmt::format("{} is {}; allowed: 1 to {}", what, count, kMaxCount));
  }
  return static_cast<std::uint64_t>(count);
}

Fill parse_fill(const std::string& text, const Argument& argument, const std::string& folder) {
  if (text.starts_with("@")) {
    return file_fill(text.substr(1), folder);
  }
  if (text.starts_with("expr:")) {
    return expression_fill(text.substr(5));
  }
  const std::vector<std::string> parts = split(text, std::numeric_limits<std::size_t>::max());
  for (const FillWord& word : kFillWords) {
    if (parts.front() != word.word) {
      continue;
    }
    if (parts.size() > word.most_parts) {
      throw UserError(fmt::format("\"{}\" has {} numbers; {} takes at most {}", text,
                                  parts.size() - 1, word.word, word.most_parts - 1));
    }
    return word.make(parts, argument);
  }
  return constant_fill(text, argument);
}

Argument
parse_argument_text(const std::string& text, std::size_t position, const std::string& folder) {
  try {
    const std::size_t equals = fill_position(text);
    Argument a = make_argument(parse_head(text.substr(0, equals)), fmt::format("arg{}", position));
    if (equals != std::string::npos) {
      a.fill = parse_fill(text.substr(equals + 1), a, folder);
    } else if (!a.vector) {
      throw UserError("has no value", kGrammar);
    }
    return a;
  } catch (const UserError& e) {
    rethrow_with(text, e);
  }
}

Argument parse_symbol_text(const std::string& text, const std::string& folder) {
  try {
    const std::size_t equals = fill_position(text);
    const Head head = parse_head(text.substr(0, equals));
    if (head.name.empty() || head.by_value) {
      throw UserError("a symbol is written NAME:TYPE[COUNT]=FILL", "e.g. weights:float[16]=normal");
    }
    Argument a = make_argument(head, {});
    a.vector = false;
    a.writable = false;
    a.passed = false;
    a.constant_symbol = a.name;
    a.fill.kind = FillKind::keep;
    if (equals != std::string::npos) {
      a.fill = parse_fill(text.substr(equals + 1), a, folder);
    }
    return a;
  } catch (const UserError& e) {
    rethrow_with(text, e);
  }
}

} // namespace coulomb::kernel
