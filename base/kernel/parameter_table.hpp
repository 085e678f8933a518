// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/toml_file.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <string>
#include <vector>

namespace coulomb::kernel {

/// One parameter of a tuning .toml.
struct TomlParameter {
  TunableParameter parameter;
  std::string when; ///< expression; empty: always varied
  config::SourcePlace when_place;
};

/// The keys of a file that begin with this are its parameters.
inline constexpr const char* kParameterPrefix = "parameters.";

/// Reads `[parameters.NAME]` tables and `NAME = [values]` lines of `[parameters]`
/// (docs/spaces.md), in the order of the file. What is wrong is added to `problems`, and the
/// parameter left out.
[[nodiscard]] std::vector<TomlParameter>
read_parameters(const config::TomlFile& file, std::vector<config::TomlProblem>& problems);

} // namespace coulomb::kernel
