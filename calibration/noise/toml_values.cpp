// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/toml_values.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/ranges.h>
#include <optional>

namespace coulomb::calibration {
namespace {

using config::TomlKind;
using config::TomlScalar;
using config::TomlSetting;

std::optional<double> number_in(const std::string& text) {
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto [stop, ec] = std::from_chars(text.data(), end, value);
  return ec == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

bool is_list_of(const TomlSetting& s, std::initializer_list<TomlScalar> kinds) {
  return s.kind == TomlKind::list && !s.items.empty() &&
         std::all_of(s.scalars.begin(), s.scalars.end(), [&](TomlScalar scalar) {
           return std::find(kinds.begin(), kinds.end(), scalar) != kinds.end();
         });
}

} // namespace

std::string toml_text(const TomlSetting& s) {
  if (s.kind != TomlKind::text || s.text.empty()) {
    throw UserError("must be a text that is not empty");
  }
  return s.text;
}

double toml_number(const TomlSetting& s, double min, double max) {
  const std::optional<double> value = s.kind == TomlKind::number ? number_in(s.text) : std::nullopt;
  if (!value || !(*value >= min && *value <= max)) {
    throw UserError(fmt::format("must be a number from {} to {}; found {}", min, max, s.text));
  }
  return *value;
}

std::vector<std::string> toml_texts(const TomlSetting& s) {
  if (!is_list_of(s, {TomlScalar::text})) {
    throw UserError("must be a list of texts that is not empty");
  }
  return s.items;
}

std::vector<double> toml_numbers(const TomlSetting& s) {
  std::vector<double> values;
  if (is_list_of(s, {TomlScalar::integer, TomlScalar::real})) {
    for (const std::string& item : s.items) {
      values.push_back(number_in(item).value());
    }
    return values;
  }
  throw UserError("must be a list of numbers that is not empty");
}

void check_toml_schema(const TomlSetting& s) {
  if (s.text != "1" || s.kind != TomlKind::number) {
    throw UserError("must be 1, the only version that this release reads");
  }
}

void refuse_toml_key(const std::string& key, const std::vector<std::string>& known) {
  throw UserError(
      fmt::format("unknown key{}; known: {}", did_you_mean(key, known), fmt::join(known, ", ")));
}

} // namespace coulomb::calibration
