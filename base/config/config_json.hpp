// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <string>

namespace coulomb::config {

/// `config` as one JSON object, nested like the structs, bare numbers in the units of the keys.
/// gpu_config_from_json() reads it back exactly.
[[nodiscard]] std::string to_json_text(const GpuConfig& config);

/// Throws UserError naming every key that is missing, unknown, of the wrong type or out of range.
[[nodiscard]] GpuConfig gpu_config_from_json(const std::string& text);

} // namespace coulomb::config
