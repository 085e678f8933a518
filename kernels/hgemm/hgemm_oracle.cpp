// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/kernel/float16.hpp"
#include "kernels/matrix_product.hpp"

namespace coulomb::kernels {
namespace {

/// C[m][n] = sum over k of A[m][k] * B[k][n], halves whose products are summed in FP32.
class HgemmOracle final : public Oracle {
public:
  explicit HgemmOracle(const OracleInputs& inputs)
      : size_m_(inputs.problem_size(0)), size_n_(inputs.problem_size(1)),
        size_k_(inputs.problem_size(2)), a_(inputs.halves("a", size_m_ * size_k_)),
        b_(inputs.halves("b", size_k_ * size_n_)), values_(kHalves) {
    for (std::size_t bits = 0; bits < kHalves; ++bits) {
      values_[bits] =
          static_cast<float>(kernel::float16_to_double(static_cast<std::uint16_t>(bits)));
    }
  }

  void expected(const std::string& argument,
                std::span<const std::uint64_t> elements,
                std::span<double> value,
                std::span<double> magnitude) const override {
    COULOMB_CHECK(argument == "c", "hgemm does not write \"{}\"", argument);
    COULOMB_CHECK(elements.empty() || elements.back() < size_m_ * size_n_,
                  "c[{}] is outside {} x {}", elements.back(), size_m_, size_n_);
    multiply_matrices(
        elements, size_n_, size_k_,
        [&](std::uint64_t m, std::uint64_t k) { return double{values_[a_[m * size_k_ + k]]}; },
        [&](std::uint64_t k, std::uint64_t n, std::span<double> out) {
          const std::uint16_t* from = b_.data() + k * size_n_ + n;
          for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = double{values_[from[i]]};
          }
        },
        value, magnitude);
  }

  /// Products of halves are exact in FP32; the tensor core truncates where it adds, which loses up
  /// to twice what rounding to nearest does.
  [[nodiscard]] double tolerance() const override { return 2.0 * fp32_sum_tolerance(size_k_); }

private:
  static constexpr std::size_t kHalves = 65'536;

  std::uint64_t size_m_;
  std::uint64_t size_n_;
  std::uint64_t size_k_;
  std::span<const std::uint16_t> a_;
  std::span<const std::uint16_t> b_;
  std::vector<float> values_; ///< exact value of each half, by its bits
};

} // namespace

std::unique_ptr<Oracle> make_hgemm_oracle(const OracleInputs& inputs) {
  return std::make_unique<HgemmOracle>(inputs);
}

} // namespace coulomb::kernels
