// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/dim3.hpp"
#include "tests/support/fake_gpu/cuda/context.hpp"

#include <cstdint>

namespace coulomb::fake::cuda {

/// CTAs of that function that an SM holds at once; 0: none fits. Rules: "CUDA C++ Programming
/// Guide", compute capabilities; registers are given in units of 256 a warp, each warp of a CTA
/// from one of four equal parts, shared memory in units of 128 bytes after 1 KiB that the system
/// keeps.
[[nodiscard]] int ctas_per_sm(const hw::abi::FunctionT& function,
                              std::uint64_t threads,
                              std::uint64_t dynamic_shared);

/// Threads of a CTA that the function's registers and launch bounds allow.
[[nodiscard]] int max_threads(const hw::abi::FunctionT& function);

/// What cuLaunchKernel answers to a launch of that shape: 0, 1 (a dimension or shared memory out of
/// range) or 701 (too many resources).
[[nodiscard]] hw::abi::Result check_shape(const hw::abi::FunctionT& function,
                                          const Dim3& grid,
                                          const Dim3& block,
                                          std::uint64_t dynamic_shared);

} // namespace coulomb::fake::cuda
