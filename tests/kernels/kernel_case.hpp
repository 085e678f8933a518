// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/dim3.hpp"
#include "tests/kernels/problem.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coulomb::kernels_test {

/// One kernel of tests/kernels/*.cu with the launch that proves it.
struct KernelCase {
  const char* file;
  const char* entry;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  /// Fills the arguments and says what the outputs have to be; computed on the CPU, in double
  /// precision where the kernel uses floats.
  void (*oracle)(Problem&) = nullptr;
  /// Where the tolerance of float results comes from; "exact" if there is none.
  const char* tolerance = "exact";
  /// The instruction that the executor refuses, as its message names it; null if it executes all.
  const char* refused = nullptr;
};

/// A kernel that has no oracle, and why.
struct UncoveredKernel {
  const char* file;
  const char* entry;
  const char* reason;
};

/// Rounding of sums: |error| <= n 2^-24 sum |terms| for n terms in any order (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2002, ch. 4); the cases use a multiple of it.
inline constexpr const char* kSumRounding = "n u sum|terms| (Higham 2002, ch. 4)";
/// Largest errors of functions as documented for the device.
inline constexpr const char* kMathTable =
    "CUDA C++ Programming Guide, mathematical functions: maximum ulp error";

[[nodiscard]] std::span<const KernelCase> vector_cases();
[[nodiscard]] std::span<const KernelCase> matrix_cases();
[[nodiscard]] std::span<const KernelCase> tensor_cases();
[[nodiscard]] std::span<const KernelCase> attention_cases();
[[nodiscard]] std::span<const KernelCase> image_cases();
[[nodiscard]] std::span<const KernelCase> data_cases();
[[nodiscard]] std::span<const KernelCase> physics_cases();
[[nodiscard]] std::span<const KernelCase> hash_cases();
[[nodiscard]] std::span<const KernelCase> integer_cases();
[[nodiscard]] std::span<const KernelCase> control_cases();
[[nodiscard]] std::span<const KernelCase> warp_cases();
[[nodiscard]] std::span<const KernelCase> float_cases();
[[nodiscard]] std::span<const KernelCase> half_cases();
[[nodiscard]] std::span<const KernelCase> form_cases();
[[nodiscard]] std::span<const KernelCase> ptx_cases();
/// All of them, but for the unseen ones.
[[nodiscard]] std::vector<KernelCase> all_cases();
[[nodiscard]] std::span<const KernelCase> unseen_data_cases();
[[nodiscard]] std::span<const KernelCase> unseen_math_cases();
[[nodiscard]] std::span<const KernelCase> unseen_ray_cases();
/// Kernels that were written without the simulator and fixed before it ran any of them: how many
/// pass at first says what a kernel of somebody else may expect.
[[nodiscard]] std::vector<KernelCase> unseen_cases();
[[nodiscard]] std::span<const UncoveredKernel> uncovered_kernels();

} // namespace coulomb::kernels_test
