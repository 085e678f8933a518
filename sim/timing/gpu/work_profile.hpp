// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::timing::gpu {

/// Which CTAs of a grid work, where others leave at once: grids that are larger than the problem
/// (rounded up, or made for another tile) would spoil a sample that takes all CTAs for alike.
struct WorkProfile {
  std::uint64_t ctas = 0; ///< that work
  std::uint64_t idle = 0; ///< that leave at once
  /// Linear ids of those that work, ascending; empty if all do.
  std::vector<std::uint64_t> working;
  /// Warp instructions of a CTA that works, mean of some spread over them. 0: not measured, because
  /// none is idle. CTAs at the edge of the problem have a part of the work of others.
  double instructions = 0.0;

  [[nodiscard]] std::uint64_t id(std::uint64_t index) const {
    return working.empty() ? index : working[index];
  }
};

/// Executes CTAs spread over the grid, each warp up to a few thousand instructions; where some end
/// after less than an eighth of what others execute, all CTAs as far as it takes to tell.
/// `memory` is as before afterwards. Grids of more than kMostCtas CTAs are taken for uniform.
[[nodiscard]] WorkProfile profile_work(const functional::ExecutableKernel& kernel,
                                       functional::GlobalMemory& memory,
                                       std::uint64_t ctas);
inline constexpr std::uint64_t kMostCtas = std::uint64_t{1} << 21;

} // namespace coulomb::timing::gpu
