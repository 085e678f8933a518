// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "kernels/oracle_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace coulomb::kernels {
namespace {

/// Samples summed together; an array of doubles of this length stays in the L1 cache.
constexpr std::size_t kRun = 1024;
/// The dispersion measures of the survey: first and step, in pc/cm^3.
constexpr float kFirstDm = 0.0F;
constexpr float kDmStep = 0.02F;

/// output[d][s] = sum over channels c of input[c][s + shift(d, c)].
///
/// Shifts are array indices, not results: they are computed in FP32 as the problem defines them,
/// because a delay that lands next to an integer would else pick another sample.
class DedispersionOracle final : public Oracle {
public:
  explicit DedispersionOracle(const OracleInputs& inputs)
      : samples_(inputs.problem_size(0)), dms_(inputs.problem_size(1)),
        channels_(inputs.problem_size(2)), input_(inputs.bytes("input", channels_ * samples_)),
        row_(input_.size() / channels_), shifts_(inputs.floats("shifts", channels_)) {
    for (std::uint64_t c = 0; c < channels_; ++c) {
      const double furthest = delay(dms_ - 1, c);
      if (!(furthest >= 0.0) || furthest > static_cast<double>(row_ - samples_)) {
        throw UserError(fmt::format("oracle dedispersion: channel {} is delayed by {:.0f} samples "
                                    "at DM {}; allowed: 0 to {}",
                                    c, furthest, dms_ - 1, row_ - samples_));
      }
    }
  }

  void expected(const std::string& argument,
                std::span<const std::uint64_t> elements,
                std::span<double> value,
                std::span<double> magnitude) const override {
    COULOMB_CHECK(argument == "output", "dedispersion does not write \"{}\"", argument);
    COULOMB_CHECK(elements.empty() || elements.back() < samples_ * dms_,
                  "{}[{}] is outside {} x {}", argument, elements.back(), dms_, samples_);
    std::vector<std::uint64_t> start(channels_); // of the DM's first sample, in each channel
    std::uint64_t dm = dms_;
    for (const ElementRun& run : runs_of(elements, samples_, kRun)) {
      if (run.row != dm) {
        dm = run.row;
        for (std::uint64_t c = 0; c < channels_; ++c) {
          start[c] = c * row_ + static_cast<std::uint64_t>(delay(dm, c));
        }
      }
      sum(run, start, value.data() + run.first);
      // No summand is negative.
      std::copy_n(value.data() + run.first, run.length, magnitude.data() + run.first);
    }
  }

  /// A sum of bytes below 2^24 is exact in FP32, whatever the order.
  [[nodiscard]] double tolerance() const override {
    return channels_ * 255 < (1U << 24U) ? 0.0 : fp32_sum_tolerance(channels_);
  }

private:
  [[nodiscard]] double delay(std::uint64_t dm, std::uint64_t channel) const {
    const float dispersion = kFirstDm + static_cast<float>(dm) * kDmStep;
    const float samples = dispersion * shifts_[channel];
    return std::trunc(static_cast<double>(samples));
  }

  void sum(const ElementRun& run, const std::vector<std::uint64_t>& start, double* value) const {
    std::array<double, kRun> total{};
    for (std::uint64_t c = 0; c < channels_; ++c) {
      const std::uint8_t* in = input_.data() + start[c] + run.column;
      for (std::size_t s = 0; s < run.length; ++s) {
        total[s] += static_cast<double>(in[s]);
      }
    }
    std::copy_n(total.begin(), run.length, value);
  }

  std::uint64_t samples_;
  std::uint64_t dms_;
  std::uint64_t channels_;
  std::span<const std::uint8_t> input_;
  std::uint64_t row_; ///< samples of a channel in the input
  std::span<const float> shifts_;
};

} // namespace

std::unique_ptr<Oracle> make_dedispersion_oracle(const OracleInputs& inputs) {
  return std::make_unique<DedispersionOracle>(inputs);
}

} // namespace coulomb::kernels
