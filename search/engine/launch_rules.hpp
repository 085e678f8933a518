// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <optional>
#include <string>

namespace coulomb::search {

/// Why the driver would refuse this launch whatever the kernel's code is, or nothing. What depends
/// on the code (registers, static shared memory, launch bounds) is checked by the simulation
/// worker. Source: CUDA C++ programming guide, "Technical Specifications per Compute
/// Capability", 8.0 and 8.6.
[[nodiscard]] std::optional<std::string> launch_violation(const kernel::Launch& launch,
                                                          const config::GpuConfig& gpu);

} // namespace coulomb::search
