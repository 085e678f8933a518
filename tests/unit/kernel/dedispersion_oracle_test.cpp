// SPDX-License-Identifier: Apache-2.0
#include "kernels/oracles.hpp"

#include "tests/unit/kernel/support.hpp"

#include <cstring>
#include <numeric>

namespace coulomb::kernels {
namespace {

using test::user_error;

/// 5 samples at 101 DMs from 3 channels of 12 samples each. DM 100 is 2 pc/cm^3, so that the
/// channels are delayed by 7, 3 and 0 samples there, and by nothing at DM 0.
struct Survey {
  static constexpr std::uint64_t kSamples = 5;
  std::vector<std::uint8_t> input = std::vector<std::uint8_t>(36);
  std::vector<float> shifts{3.5F, 1.5F, 0.0F};
  std::vector<std::uint8_t> shift_bytes;
  std::unique_ptr<Oracle> oracle;

  Survey() {
    std::iota(input.begin(), input.end(), std::uint8_t{100});
    shift_bytes.resize(12);
    make();
  }
  void make() {
    std::memcpy(shift_bytes.data(), shifts.data(), shift_bytes.size());
    oracle = make_oracle("dedispersion", R"({"problem_size": [5, 101, 3]})",
                         {{"input", input}, {"shifts", shift_bytes}});
  }
  /// Input values are 100 + their index.
  static double at(std::uint64_t channel, std::uint64_t sample) {
    return static_cast<double>(100 + channel * 12 + sample);
  }
};

TEST(DedispersionOracle, AddsTheChannelsAtTheirDelays) {
  const Survey survey;
  const std::vector<std::uint64_t> elements{0, 4, 500, 501, 504};
  std::vector<double> value(5);
  std::vector<double> magnitude(5);
  survey.oracle->expected("output", elements, value, magnitude);
  EXPECT_EQ(value[0], Survey::at(0, 0) + Survey::at(1, 0) + Survey::at(2, 0));
  EXPECT_EQ(value[1], Survey::at(0, 4) + Survey::at(1, 4) + Survey::at(2, 4));
  EXPECT_EQ(value[2], Survey::at(0, 7) + Survey::at(1, 3) + Survey::at(2, 0));
  EXPECT_EQ(value[3], Survey::at(0, 8) + Survey::at(1, 4) + Survey::at(2, 1));
  EXPECT_EQ(value[4], Survey::at(0, 11) + Survey::at(1, 7) + Survey::at(2, 4));
  EXPECT_EQ(magnitude, value);
}

TEST(DedispersionOracle, TruncatesDelaysAndComputesThemInSinglePrecision) {
  // DM 50 is 50 * 0.02F = 1 in FP32: the delay is 3.5, cut to 3.
  const Survey survey;
  const std::vector<std::uint64_t> elements{250};
  std::vector<double> value(1);
  std::vector<double> magnitude(1);
  survey.oracle->expected("output", elements, value, magnitude);
  EXPECT_EQ(value[0], Survey::at(0, 3) + Survey::at(1, 1) + Survey::at(2, 0));
}

TEST(DedispersionOracle, SumsOfBytesAreExactSoNoErrorIsTolerated) {
  const Survey survey;
  EXPECT_EQ(survey.oracle->tolerance(), 0.0);
  const std::vector<std::uint64_t> elements{0, 500};
  std::vector<float> found(505, 0.0F);
  found[0] = 336.0F;
  found[500] = 346.0F;
  const auto check = [&] {
    return check_output(
        *survey.oracle, "output", kernel::ElementType::f32, elements,
        {reinterpret_cast<const std::uint8_t*>(found.data()), found.size() * sizeof(float)});
  };
  EXPECT_TRUE(check().passed) << check().first_difference;
  EXPECT_EQ(check().compared, 2U);
  found[500] = 347.0F;
  EXPECT_FALSE(check().passed);
  EXPECT_EQ(check().first_difference, "output[500]: expected 346, found 347");
}

TEST(DedispersionOracle, RefusesDelaysThatLeaveTheInput) {
  Survey survey;
  survey.shifts[1] = 4.0F;
  EXPECT_EQ(user_error([&] { survey.make(); }),
            "oracle dedispersion: channel 1 is delayed by 8 samples at DM 100; allowed: 0 to 7");
  survey.shifts[1] = -1.0F;
  EXPECT_EQ(user_error([&] { survey.make(); }),
            "oracle dedispersion: channel 1 is delayed by -2 samples at DM 100; allowed: 0 to 7");
}

TEST(DedispersionOracle, RefusesAnInputThatIsTooSmallAndAnotherOutput) {
  Survey survey;
  survey.input.resize(14);
  EXPECT_EQ(user_error([&] { survey.make(); }),
            "oracle dedispersion: argument \"input\" has 14 bytes, needed: 15");
  const Survey right;
  const std::vector<std::uint64_t> elements{0};
  std::vector<double> one(1);
  EXPECT_THROW(right.oracle->expected("input", elements, one, one), InternalError);
}

} // namespace
} // namespace coulomb::kernels
