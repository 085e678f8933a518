// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace coulomb::cli {

/// A number that several runs differ in.
struct Axis {
  std::string key;
  bool of_kernel = false; ///< a tunable parameter; else a key of the GPU
  std::vector<std::string> values;
};

/// Most runs that one command may ask for.
inline constexpr std::size_t kMostRuns = 4096;

/// Reads the texts of --axis: KEY=V1,V2,... (commas in [...] belong to a value) or
/// KEY=FROM:TO:STEP, numbers that may carry one unit ("64 KiB:192 KiB:32 KiB", "64:192:32 KiB"); TO
/// is included if a step meets it. A key is one of the spec's parameters, else one of the GPU's.
/// Throws UserError naming every mistake at once.
[[nodiscard]] std::vector<Axis> parse_axes(const std::vector<std::string>& texts,
                                           const kernel::TunableSpec& spec,
                                           const config::GpuConfig& gpu);

/// Every combination of their values, as indices into them: the last axis runs fastest.
[[nodiscard]] std::vector<std::vector<std::size_t>> product(const std::vector<Axis>& axes);

} // namespace coulomb::cli
