// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/oracle_inputs.hpp"

#include <cmath>

namespace coulomb::kernels {
namespace {

/// y[i] = alpha * x[i] + y[i].
class SaxpyOracle final : public Oracle {
public:
  explicit SaxpyOracle(const OracleInputs& inputs)
      : count_(inputs.problem_size(0)), alpha_(inputs.floats("alpha", 1)[0]),
        x_(inputs.floats("x", count_)), y_(inputs.floats("y", count_)) {}

  void expected(const std::string& argument,
                std::span<const std::uint64_t> elements,
                std::span<double> value,
                std::span<double> magnitude) const override {
    COULOMB_CHECK(argument == "y", "saxpy does not write \"{}\"", argument);
    COULOMB_CHECK(elements.empty() || elements.back() < count_, "y[{}] is outside {} elements",
                  elements.back(), count_);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const double product = static_cast<double>(alpha_) * static_cast<double>(x_[elements[i]]);
      const auto old = static_cast<double>(y_[elements[i]]);
      value[i] = product + old;
      magnitude[i] = std::fabs(product) + std::fabs(old);
    }
  }

  [[nodiscard]] double tolerance() const override { return fp32_sum_tolerance(2); }

private:
  std::uint64_t count_;
  float alpha_;
  std::span<const float> x_;
  std::span<const float> y_;
};

} // namespace

std::unique_ptr<Oracle> make_saxpy_oracle(const OracleInputs& inputs) {
  return std::make_unique<SaxpyOracle>(inputs);
}

} // namespace coulomb::kernels
