// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/kernel_case.hpp"

namespace coulomb::kernels_test {
namespace {

constexpr UncoveredKernel kUncovered[] = {
    {"k07_mma.cu", "mma_sparse", "sparse_shapes_test.cpp proves its two shapes with real metadata"},
    {"k18_math.cu", "convs", "no oracle yet: threads of two warps store to the same bytes"},
};

} // namespace

std::vector<KernelCase> all_cases() {
  std::vector<KernelCase> cases;
  for (const auto group :
       {vector_cases(), matrix_cases(), tensor_cases(), attention_cases(), hash_cases(),
        image_cases(), data_cases(), physics_cases(), integer_cases(), control_cases(),
        warp_cases(), float_cases(), half_cases(), form_cases(), ptx_cases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

std::vector<KernelCase> unseen_cases() {
  std::vector<KernelCase> cases;
  for (const auto group : {unseen_data_cases(), unseen_math_cases(), unseen_ray_cases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

std::span<const UncoveredKernel> uncovered_kernels() {
  return kUncovered;
}

} // namespace coulomb::kernels_test
