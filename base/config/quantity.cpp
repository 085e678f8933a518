// SPDX-License-Identifier: Apache-2.0
#include "base/config/quantity.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace coulomb::config {
namespace {

/// Units of one kind differ by `scale`; a value in suffix s means value * scale(s) / scale(unit).
enum class Kind : std::uint8_t {
  none,
  cycles,
  bytes,
  bandwidth,
  time,
  frequency,
  rate,
  voltage,
  power,
  clock_power,
  energy,
  heat_capacity,
  heat_resistance,
  heat_conductance,
  heat_coefficient,
  temperature,
  area
};

struct Suffix {
  std::string_view text;
  Kind kind;
  double scale;
};

constexpr std::array kSuffixes{
    Suffix{"cycles", Kind::cycles, 1},
    Suffix{"cycle", Kind::cycles, 1},
    Suffix{"B", Kind::bytes, 1},
    Suffix{"bytes", Kind::bytes, 1},
    Suffix{"KiB", Kind::bytes, 1024},
    Suffix{"MiB", Kind::bytes, 1048576},
    Suffix{"B/cycle", Kind::bandwidth, 1},
    Suffix{"bytes/cycle", Kind::bandwidth, 1},
    Suffix{"ns", Kind::time, 1},
    Suffix{"us", Kind::time, 1000},
    Suffix{"ms", Kind::time, 1e6},
    Suffix{"MHz", Kind::frequency, 1},
    Suffix{"GHz", Kind::frequency, 1000},
    Suffix{"kHz", Kind::frequency, 1e-3},
    Suffix{"GB/s", Kind::rate, 1},
    Suffix{"MB/s", Kind::rate, 1e-3},
    Suffix{"TB/s", Kind::rate, 1000},
    Suffix{"s", Kind::time, 1e9},
    Suffix{"V", Kind::voltage, 1},
    Suffix{"mV", Kind::voltage, 1e-3},
    Suffix{"W", Kind::power, 1},
    Suffix{"mW", Kind::power, 1e-3},
    Suffix{"W/GHz", Kind::clock_power, 1},
    Suffix{"pJ", Kind::energy, 1},
    Suffix{"nJ", Kind::energy, 1000},
    Suffix{"J/K", Kind::heat_capacity, 1},
    Suffix{"K/W", Kind::heat_resistance, 1},
    Suffix{"W/K", Kind::heat_conductance, 1},
    Suffix{"1/K", Kind::heat_coefficient, 1},
    Suffix{"C", Kind::temperature, 1},
    Suffix{"mm2", Kind::area, 1},
};

struct UnitInfo {
  std::string_view name;   ///< for tables
  std::string_view suffix; ///< after a value
  std::string_view noun;   ///< in "expected ..."
  Kind kind;
  double scale;
};

const UnitInfo& info(Unit unit) {
  static constexpr std::array<UnitInfo, 21> kUnits{{
      {"count", "", "a number", Kind::none, 1},
      {"cycles", "cycles", "SM cycles", Kind::cycles, 1},
      {"bytes", "B", "bytes", Kind::bytes, 1},
      {"B/cycle", "B/cycle", "bytes per SM cycle", Kind::bandwidth, 1},
      {"ns", "ns", "nanoseconds", Kind::time, 1},
      {"us", "us", "microseconds", Kind::time, 1000},
      {"MHz", "MHz", "megahertz", Kind::frequency, 1},
      {"GB/s", "GB/s", "gigabytes per second", Kind::rate, 1},
      {"s", "s", "seconds", Kind::time, 1e9},
      {"V", "V", "volts", Kind::voltage, 1},
      {"W", "W", "watts", Kind::power, 1},
      {"W/GHz", "W/GHz", "watts per gigahertz", Kind::clock_power, 1},
      {"pJ", "pJ", "picojoules", Kind::energy, 1},
      {"J/K", "J/K", "joules per kelvin", Kind::heat_capacity, 1},
      {"K/W", "K/W", "kelvin per watt", Kind::heat_resistance, 1},
      {"W/K", "W/K", "watts per kelvin", Kind::heat_conductance, 1},
      {"1/K", "1/K", "a part per kelvin", Kind::heat_coefficient, 1},
      {"C", "C", "degrees Celsius", Kind::temperature, 1},
      {"mm2", "mm2", "square millimetres", Kind::area, 1},
      {"flag", "", "true or false", Kind::none, 1},
      {"text", "", "a text", Kind::none, 1},
  }};
  return kUnits[static_cast<std::size_t>(unit)];
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// Factor from a suffix to the field's unit; nothing when the suffix is not of its kind.
std::optional<double> factor(std::string_view suffix, Unit unit) {
  if (suffix.empty()) {
    return 1.0;
  }
  for (const Suffix& s : kSuffixes) {
    if (s.text == suffix && s.kind == info(unit).kind) {
      return s.scale / info(unit).scale;
    }
  }
  return std::nullopt;
}

struct ParsedNumber {
  std::optional<double> value; ///< in the field's unit
  std::string_view bad_unit;   ///< what stands after a number and is no unit of the field's kind
};

/// "256 KiB" -> 262144. `default_suffix` holds where the text carries none.
ParsedNumber parse_number(std::string_view text, Unit unit, std::string_view default_suffix) {
  text = trim(text);
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number)) {
    return {};
  }
  std::string_view suffix = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  suffix = suffix.empty() ? default_suffix : suffix;
  if (const auto scale = factor(suffix, unit)) {
    return {number * *scale, {}};
  }
  const bool word = suffix.empty() || suffix.front() < '0' || suffix.front() > '9';
  const bool letters = std::all_of(suffix.begin(), suffix.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/' || c == '%' || c == '2';
  });
  return {std::nullopt, word && letters ? suffix : std::string_view{}};
}

/// Lower case without the "i" of binary prefixes: equal for "KB" and "KiB", "Mhz" and "MHz".
std::string folded(std::string_view unit) {
  std::string text;
  for (const char c : unit) {
    if (c != 'i') {
      text.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    }
  }
  return text;
}

/// Why `suffix` is no unit of the field, which units are, and which was probably meant.
std::string wrong_unit(std::string_view suffix, Unit unit) {
  if (info(unit).kind == Kind::none) {
    return fmt::format("takes no unit, so \"{}\" is wrong", suffix);
  }
  std::vector<std::string_view> allowed;
  std::string meant;
  for (const Suffix& s : kSuffixes) {
    if (s.kind != info(unit).kind) {
      continue;
    }
    allowed.push_back(s.text);
    if (meant.empty() && folded(s.text) == folded(suffix)) {
      meant = fmt::format(" (did you mean \"{}\"?)", s.text);
    }
  }
  return fmt::format("unit \"{}\" is not one of: {}{}", suffix, fmt::join(allowed, ", "), meant);
}

std::string format_number(double value, Unit unit) {
  const std::string_view suffix = info(unit).suffix;
  if (unit == Unit::bytes && value >= 1048576 && std::fmod(value, 1048576) == 0) {
    return fmt::format("{} MiB", value / 1048576);
  }
  if (unit == Unit::bytes && value >= 1024 && std::fmod(value, 1024) == 0) {
    return fmt::format("{} KiB", value / 1024);
  }
  return suffix.empty() ? fmt::format("{}", value) : fmt::format("{} {}", value, suffix);
}

std::string format_list(const std::vector<std::uint32_t>& values, Unit unit) {
  bool kibibytes = unit == Unit::bytes && !values.empty();
  for (const std::uint32_t v : values) {
    kibibytes = kibibytes && v % 1024 == 0;
  }
  if (kibibytes) {
    std::vector<std::uint32_t> scaled;
    for (const std::uint32_t v : values) {
      scaled.push_back(v / 1024);
    }
    return fmt::format("[{}] KiB", fmt::join(scaled, ", "));
  }
  const std::string_view suffix = values.empty() ? std::string_view{} : info(unit).suffix;
  return fmt::format("[{}]{}{}", fmt::join(values, ", "), suffix.empty() ? "" : " ", suffix);
}

std::string expected_number(const Field& field) {
  const std::string example = format_value(field);
  if (const auto* list = std::get_if<std::vector<std::uint32_t>*>(&field.member)) {
    return fmt::format("expected a list of {}, e.g. {}",
                       field.spec.unit == Unit::count ? "numbers" : info(field.spec.unit).noun,
                       (*list)->empty() ? "[1, 2]" : "\"" + example + "\"");
  }
  const bool whole = std::holds_alternative<std::uint32_t*>(field.member);
  const double value =
      whole ? **std::get_if<std::uint32_t*>(&field.member) : **std::get_if<double*>(&field.member);
  if (info(field.spec.unit).kind == Kind::none) {
    return fmt::format("expected a {}number, e.g. {}", whole ? "whole " : "", value);
  }
  return fmt::format("expected {}, e.g. {} or \"{}\"", info(field.spec.unit).noun, value, example);
}

/// Parses, then checks wholeness and range. On failure `why` says what is allowed.
std::optional<double> checked_number(const Field& field,
                                     std::string_view text,
                                     std::string_view default_suffix,
                                     std::string& why) {
  const auto [number, bad_unit] = parse_number(text, field.spec.unit, default_suffix);
  if (!number) {
    why = bad_unit.empty() ? expected_number(field)
                           : wrong_unit(bad_unit, field.spec.unit) + "; " + expected_number(field);
    return std::nullopt;
  }
  if (*number < field.spec.min || *number > field.spec.max) {
    why = fmt::format("out of range; allowed: {}", format_range(field.spec));
    return std::nullopt;
  }
  if (!std::holds_alternative<double*>(field.member) && *number != std::floor(*number)) {
    why = field.spec.unit == Unit::count
              ? "expected a whole number"
              : fmt::format("expected a whole number of {}", info(field.spec.unit).noun);
    return std::nullopt;
  }
  return number;
}

std::optional<std::string> assign_list(const Field& field, std::string_view text) {
  text = trim(text);
  std::string_view common_suffix;
  if (!text.empty() && text.front() == '[') {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) {
      return expected_number(field);
    }
    common_suffix = trim(text.substr(close + 1));
    text = trim(text.substr(1, close - 1));
  }
  std::vector<std::uint32_t> values;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string why;
    const auto number = checked_number(field, text.substr(0, comma), common_suffix, why);
    if (!number) {
      return why;
    }
    values.push_back(static_cast<std::uint32_t>(*number));
    text = comma == std::string_view::npos ? std::string_view{} : trim(text.substr(comma + 1));
  }
  **std::get_if<std::vector<std::uint32_t>*>(&field.member) = std::move(values);
  return std::nullopt;
}

std::optional<std::string>
assign_text(const Field& field, std::string& member, std::string_view text) {
  const std::vector<std::string> allowed(field.spec.choices.begin(), field.spec.choices.end());
  if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), text) == allowed.end()) {
    return format_range(field.spec) + did_you_mean(text, allowed);
  }
  if (text.empty()) {
    return "expected a text that is not empty";
  }
  member = text;
  return std::nullopt;
}

} // namespace

std::string_view unit_name(Unit unit) {
  return info(unit).name;
}

std::optional<std::string> assign(const Field& field, std::string_view text) {
  if (const auto* member = std::get_if<std::string*>(&field.member)) {
    return assign_text(field, **member, text);
  }
  if (const auto* member = std::get_if<bool*>(&field.member)) {
    const std::string_view word = trim(text);
    if (word != "true" && word != "false") {
      return "expected true or false";
    }
    **member = word == "true";
    return std::nullopt;
  }
  if (std::holds_alternative<std::vector<std::uint32_t>*>(field.member)) {
    return assign_list(field, text);
  }
  std::string why;
  const auto number = checked_number(field, text, {}, why);
  if (!number) {
    return why;
  }
  if (const auto* member = std::get_if<double*>(&field.member)) {
    **member = *number;
  } else {
    **std::get_if<std::uint32_t*>(&field.member) = static_cast<std::uint32_t>(*number);
  }
  return std::nullopt;
}

std::string format_value(const Field& field) {
  struct Formatter {
    Unit unit;
    std::string operator()(const std::uint32_t* v) const { return format_number(*v, unit); }
    std::string operator()(const double* v) const { return format_number(*v, unit); }
    std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
    std::string operator()(const std::string* v) const { return *v; }
    std::string operator()(const std::vector<std::uint32_t>* v) const {
      return format_list(*v, unit);
    }
  };
  return std::visit(Formatter{field.spec.unit}, field.member);
}

std::string format_range(const FieldSpec& spec) {
  if (spec.unit == Unit::flag) {
    return "true or false";
  }
  if (spec.unit == Unit::text) {
    return spec.choices.empty() ? "any text"
                                : fmt::format("one of: {}", fmt::join(spec.choices, ", "));
  }
  return fmt::format("{} to {}",
                     spec.unit == Unit::bytes ? format_number(spec.min, spec.unit)
                                              : fmt::format("{}", spec.min),
                     format_number(spec.max, spec.unit));
}

} // namespace coulomb::config
