// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/toml_file.hpp"

#include <string>
#include <vector>

namespace coulomb::calibration {

/// Values of a TOML file as what they must be; throws UserError that says what is allowed.
/// A text that is not empty.
[[nodiscard]] std::string toml_text(const config::TomlSetting& setting);
/// A number from `min` to `max`.
[[nodiscard]] double toml_number(const config::TomlSetting& setting, double min, double max);
/// A list of texts, not empty.
[[nodiscard]] std::vector<std::string> toml_texts(const config::TomlSetting& setting);
/// A list of numbers, not empty.
[[nodiscard]] std::vector<double> toml_numbers(const config::TomlSetting& setting);
/// `schema = 1`
void check_toml_schema(const config::TomlSetting& setting);
/// Refuses a key or word with the nearest known one.
[[noreturn]] void refuse_toml_key(const std::string& key, const std::vector<std::string>& known);

} // namespace coulomb::calibration
