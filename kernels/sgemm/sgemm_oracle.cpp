// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/matrix_product.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::kernels {
namespace {

/// C[n][m] = alpha * sum over k of A[k][m] * B[k][n] + beta * C[n][m].
class SgemmOracle final : public Oracle {
public:
  explicit SgemmOracle(const OracleInputs& inputs)
      : size_m_(inputs.problem_size(0)), size_n_(inputs.problem_size(1)),
        size_k_(inputs.problem_size(2)), alpha_(inputs.floats("alpha", 1)[0]),
        beta_(inputs.floats("beta", 1)[0]), a_(inputs.floats("a", size_k_ * size_m_)),
        b_(inputs.floats("b", size_k_ * size_n_)), c_(inputs.floats("c", size_n_ * size_m_)) {}

  void expected(const std::string& argument,
                std::span<const std::uint64_t> elements,
                std::span<double> value,
                std::span<double> magnitude) const override {
    COULOMB_CHECK(argument == "c", "sgemm does not write \"{}\"", argument);
    COULOMB_CHECK(elements.empty() || elements.back() < size_m_ * size_n_,
                  "c[{}] is outside {} x {}", elements.back(), size_n_, size_m_);
    multiply_matrices(
        elements, size_m_, size_k_,
        [&](std::uint64_t n, std::uint64_t k) { return double{b_[k * size_n_ + n]}; },
        [&](std::uint64_t k, std::uint64_t m, std::span<double> out) {
          std::copy_n(a_.data() + k * size_m_ + m, out.size(), out.begin());
        },
        value, magnitude);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const double kept = double{beta_} * double{c_[elements[i]]};
      value[i] = double{alpha_} * value[i] + kept;
      magnitude[i] = std::fabs(double{alpha_}) * magnitude[i] + std::fabs(kept);
    }
  }

  /// k products, then the scaled sum and the scaled old value.
  [[nodiscard]] double tolerance() const override { return fp32_sum_tolerance(size_k_ + 2); }

private:
  std::uint64_t size_m_;
  std::uint64_t size_n_;
  std::uint64_t size_k_;
  float alpha_;
  float beta_;
  std::span<const float> a_;
  std::span<const float> b_;
  std::span<const float> c_;
};

} // namespace

std::unique_ptr<Oracle> make_sgemm_oracle(const OracleInputs& inputs) {
  return std::make_unique<SgemmOracle>(inputs);
}

} // namespace coulomb::kernels
