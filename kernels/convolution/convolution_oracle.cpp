// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/oracle_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace coulomb::kernels {
namespace {

/// Columns summed together; two arrays of doubles of this length stay in the L1 cache.
constexpr std::size_t kRun = 256;

/// out[y][x] = sum over i, j of in[y + i][x + j] * w[i][j].
class ConvolutionOracle final : public Oracle {
public:
  explicit ConvolutionOracle(const OracleInputs& inputs)
      : width_(inputs.problem_size(0)), height_(inputs.problem_size(1)),
        filter_width_(static_cast<std::uint64_t>(inputs.integer("filter_width"))),
        filter_height_(static_cast<std::uint64_t>(inputs.integer("filter_height"))),
        input_width_(width_ + filter_width_ - 1),
        input_(inputs.floats("input_image", input_width_ * (height_ + filter_height_ - 1))),
        filter_(inputs.floats("d_filter", filter_width_ * filter_height_)) {}

  void expected(const std::string& argument,
                std::span<const std::uint64_t> elements,
                std::span<double> value,
                std::span<double> magnitude) const override {
    COULOMB_CHECK(argument == "output_image", "convolution does not write \"{}\"", argument);
    COULOMB_CHECK(elements.empty() || elements.back() < width_ * height_,
                  "{}[{}] is outside {} x {}", argument, elements.back(), height_, width_);
    for (const ElementRun& run : runs_of(elements, width_, kRun)) {
      sum(run, value.data() + run.first, magnitude.data() + run.first);
    }
  }

  [[nodiscard]] double tolerance() const override {
    return fp32_sum_tolerance(filter_width_ * filter_height_);
  }

private:
  void sum(const ElementRun& run, double* value, double* magnitude) const {
    std::array<double, kRun> total{};
    std::array<double, kRun> absolute{};
    for (std::uint64_t i = 0; i < filter_height_; ++i) {
      for (std::uint64_t j = 0; j < filter_width_; ++j) {
        const auto weight = static_cast<double>(filter_[i * filter_width_ + j]);
        const float* in = input_.data() + (run.row + i) * input_width_ + run.column + j;
        for (std::size_t x = 0; x < run.length; ++x) {
          const double product = static_cast<double>(in[x]) * weight;
          total[x] += product;
          absolute[x] += std::fabs(product);
        }
      }
    }
    std::copy_n(total.begin(), run.length, value);
    std::copy_n(absolute.begin(), run.length, magnitude);
  }

  std::uint64_t width_;
  std::uint64_t height_;
  std::uint64_t filter_width_;
  std::uint64_t filter_height_;
  std::uint64_t input_width_;
  std::span<const float> input_;
  std::span<const float> filter_;
};

} // namespace

std::unique_ptr<Oracle> make_convolution_oracle(const OracleInputs& inputs) {
  return std::make_unique<ConvolutionOracle>(inputs);
}

} // namespace coulomb::kernels
