// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/parameter_table.hpp"

#include <array>
#include <string>

namespace coulomb::kernel {

/// The settings of one parameter of a tuning .toml; null where a key is absent.
struct ParameterKeys {
  const config::TomlSetting* values = nullptr;
  const config::TomlSetting* min = nullptr;
  const config::TomlSetting* max = nullptr;
  const config::TomlSetting* step = nullptr;
  const config::TomlSetting* levels = nullptr;
  const config::TomlSetting* log = nullptr;
  const config::TomlSetting* items = nullptr;
  const config::TomlSetting* separator = nullptr;
  const config::TomlSetting* type = nullptr;
  const config::TomlSetting* given = nullptr; ///< default
  const config::TomlSetting* when = nullptr;
  const config::TomlSetting* order = nullptr;
};
struct ParameterKeyName {
  const char* name;
  const config::TomlSetting* ParameterKeys::*member;
};
inline constexpr std::array<ParameterKeyName, 12> kParameterKeys = {
    {{"values", &ParameterKeys::values},
     {"min", &ParameterKeys::min},
     {"max", &ParameterKeys::max},
     {"step", &ParameterKeys::step},
     {"levels", &ParameterKeys::levels},
     {"log", &ParameterKeys::log},
     {"items", &ParameterKeys::items},
     {"separator", &ParameterKeys::separator},
     {"type", &ParameterKeys::type},
     {"default", &ParameterKeys::given},
     {"when", &ParameterKeys::when},
     {"order", &ParameterKeys::order}}};

/// What is wrong at one setting.
struct ParameterProblem {
  const config::TomlSetting* where;
  std::string text;
};

/// The parameter that the keys describe; at least one of them is there. Throws ParameterProblem.
[[nodiscard]] TomlParameter read_parameter(const std::string& name, const ParameterKeys& keys);

} // namespace coulomb::kernel
