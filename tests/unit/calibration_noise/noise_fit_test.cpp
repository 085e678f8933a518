// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/noise_fit.hpp"

#include "base/error.hpp"
#include "calibration/noise/noise_file.hpp"
#include "calibration/noise/simplex_search.hpp"

#include <cmath>
#include <fstream>
#include <gmock/gmock.h>
#include <numeric>
#include <set>

namespace coulomb::calibration {
namespace {

using ::testing::AllOf;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A table of `n` configurations whose launches come from known noise.
struct Made {
  results::SiliconTable table;
  results::SiliconSamples samples;
};

NoiseParameters known() {
  NoiseParameters p;
  p.first_excess_ms = 0.12;
  p.first_spread_ms = 0.01;
  p.excess_carry = 0.1;
  p.core_ms = 0.004;
  p.core_relative = 0.001;
  p.core_spread = 0.6;
  p.skew = 0.3;
  p.autocorrelation = 0.3;
  p.quantum_ms = 0.001;
  return p;
}

Made made(std::size_t n, const NoiseParameters& p) {
  Made m;
  m.table.path = "made.csv";
  m.table.metadata.statistic = "median of 32";
  const MeasurementNoise noise(p);
  for (std::size_t i = 0; i < n; ++i) {
    results::SiliconRow row;
    row.row = i;
    row.time_ms = 1.0 + 9.0 * double(i) / double(n);
    RandomStream random(99, "made", i);
    m.samples[i] = noise.samples(*row.time_ms, 32, random);
    m.table.rows.push_back(row);
  }
  return m;
}

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

TEST(SimplexSearch, FindsTheBottomOfRosenbrocksValley) {
  const SimplexSearch search{{-1.2, 1.0}, {0.5, 0.5}, 1000, 1e-14};
  const auto best = search.minimise([](const std::vector<double>& x) {
    return std::pow(1.0 - x[0], 2) + 100.0 * std::pow(x[1] - x[0] * x[0], 2);
  });
  EXPECT_THAT(best, ElementsAre(DoubleNear(1.0, 1e-4), DoubleNear(1.0, 1e-4)));
}

TEST(SimplexSearch, EndsAboutWhereItsBudgetDoes) {
  int calls = 0;
  const SimplexSearch search{{0.0, 0.0, 0.0}, {1, 1, 1}, 50, 0.0};
  static_cast<void>(search.minimise([&](const auto& x) {
    ++calls;
    return x[0] + x[1] + x[2];
  }));
  EXPECT_LE(calls, 55);
}

TEST(NoiseData, SplitsRowsInHalvesThatDoNotMeetAndFollowTheSeed) {
  const Made m = made(400, known());
  const NoiseData a = noise_data(m.table, m.samples, 1);
  EXPECT_EQ(a.fitted.recorded.rows.size() + a.held_out.recorded.rows.size(), 400u);
  EXPECT_NEAR(double(a.fitted.recorded.rows.size()), 200.0, 40.0);
  std::set<std::size_t> rows(a.fitted.recorded.rows.begin(), a.fitted.recorded.rows.end());
  rows.insert(a.held_out.recorded.rows.begin(), a.held_out.recorded.rows.end());
  EXPECT_EQ(rows.size(), 400u);
  EXPECT_EQ(noise_data(m.table, m.samples, 1).fitted.recorded.rows, a.fitted.recorded.rows);
  EXPECT_NE(noise_data(m.table, m.samples, 2).fitted.recorded.rows, a.fitted.recorded.rows);
}

TEST(NoiseData, CountsClockStatesOfTheRowsThatTheTableRefuses) {
  Made m = made(100, NoiseParameters{});
  m.table.metadata.filters.push_back({"clock_state", {"base"}, "clock not at base"});
  for (std::size_t i = 0; i < 10; ++i) {
    m.table.rows[i].exclusion = "clock not at base";
  }
  for (std::size_t i = 0; i < 4; ++i) { // stepped to half the time, of the ten
    std::fill(m.samples[i].begin() + 16, m.samples[i].end(), m.samples[i][0] / 2.0);
  }
  m.table.rows[50].exclusion = "something else";
  const NoiseData data = noise_data(m.table, m.samples, 1);
  const ClockEvidence& a = data.fitted.clock;
  const ClockEvidence& b = data.held_out.clock;
  EXPECT_EQ(a.ran + b.ran, 100u);
  EXPECT_EQ(a.stepped + b.stepped, 4u);
  EXPECT_EQ(a.off_clock + b.off_clock, 6u);
  EXPECT_EQ(data.clock, ClockState::stated);
  EXPECT_EQ(data.fitted.recorded.rows.size() + data.held_out.recorded.rows.size(), 89u);
}

TEST(NoiseData, RefusesATableWithoutSingleLaunchesOrWithTooFew) {
  Made m = made(100, known());
  EXPECT_THAT(message_of([&] { static_cast<void>(noise_data(m.table, {}, 1)); }),
              HasSubstr("made.csv has no single launches, only their median of 32"));
  const Made few = made(12, known());
  EXPECT_THAT(message_of([&] { static_cast<void>(noise_data(few.table, few.samples, 1)); }),
              HasSubstr("12 eligible configurations with 4 launches or more; at least 40"));
}

TEST(FitNoise, RecoversTheNoiseThatMadeTheLaunches) {
  const Made m = made(600, known());
  const NoiseFit fit = fit_noise(noise_data(m.table, m.samples, 1), 1);
  const NoiseParameters& p = fit.parameters;
  EXPECT_NEAR(p.quantum_ms, 0.001, 1e-12);
  EXPECT_NEAR(p.first_excess_ms, 0.12, 0.003);
  EXPECT_NEAR(p.first_spread_ms, 0.01, 0.003);
  EXPECT_NEAR(p.excess_carry, 0.1, 0.03);
  EXPECT_NEAR(std::hypot(p.core_ms, 5.5 * p.core_relative), std::hypot(0.004, 0.0055), 0.0012);
  EXPECT_NEAR(p.core_spread, 0.6, 0.15);
  EXPECT_NEAR(p.skew, 0.3, 0.1);
  EXPECT_NEAR(p.autocorrelation, 0.3, 0.1);
  EXPECT_EQ(p.step_probability, 0.0);
  EXPECT_EQ(p.clock_probability, 0.0);
  EXPECT_LT(fit.fitted.ks, 0.03);
  EXPECT_LT(fit.held_out.ks, 0.03);
}

TEST(FitNoise, GivesTheSameForTheSameSeed) {
  const Made m = made(80, known());
  const auto once = [&] { return fit_noise(noise_data(m.table, m.samples, 3), 3); };
  const NoiseFit a = once();
  const NoiseFit b = once();
  EXPECT_EQ(a.parameters, b.parameters);
  EXPECT_EQ(a.held_out.ks, b.held_out.ks);
}

TEST(JudgeNoise, TellsWrongNoiseFromRight) {
  const Made m = made(300, known());
  const NoiseData data = noise_data(m.table, m.samples, 1);
  NoiseParameters wrong = known();
  wrong.core_ms *= 4.0;
  wrong.core_relative *= 4.0;
  EXPECT_LT(judge_noise(data, known(), 1).held_out.ks, 0.03);
  EXPECT_GT(judge_noise(data, wrong, 1).held_out.ks, 0.2);
}

class NoiseFileTest : public ::testing::Test {
protected:
  std::string path_ = ::testing::TempDir() + "/noise.toml";
  NoiseFile file_{"a100-pcie-40gb",
                  known(),
                  "t.csv",
                  "convolution",
                  "2023-12-22",
                  "2026-01-02",
                  5,
                  10,
                  11,
                  0.125,
                  0.25};

  std::string load_error(const std::string& from, const std::string& to) {
    std::string text = noise_toml(file_);
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(path_) << text;
    return message_of([&] { static_cast<void>(load_noise(path_)); });
  }
};

TEST_F(NoiseFileTest, ReadsBackWhatItWrote) {
  std::ofstream(path_) << noise_toml(file_);
  const NoiseFile back = load_noise(path_);
  EXPECT_EQ(back.parameters, file_.parameters);
  EXPECT_EQ(noise_toml(back), noise_toml(file_));
  EXPECT_EQ(back.fitted, "2026-01-02");
}

TEST_F(NoiseFileTest, SaysWhatIsMissingUnknownOrOutOfRange) {
  EXPECT_THAT(load_error("skew =", "skow ="),
              AllOf(HasSubstr("did you mean \"parameters.skew\""), HasSubstr("missing")));
  EXPECT_THAT(load_error("skew = 0.3", "skew = 3"),
              HasSubstr("must be a number from -2 to 2; found 3"));
  EXPECT_THAT(load_error("seed = 5", "seed = 1.5"), HasSubstr("must be a whole number; found 1.5"));
  EXPECT_THAT(load_error("schema = 1", "schema = 2"), HasSubstr("must be 1"));
}

TEST(ShippedNoise, OfEveryBoardCanBeReadAndHoldsItsReach) {
  const NoiseFile file = find_noise("a100-pcie-40gb");
  EXPECT_EQ(file.board, "a100-pcie-40gb");
  EXPECT_LE(file.ks_held_out, 0.1);
  EXPECT_THAT(message_of([] { static_cast<void>(find_noise("a100-pcie-40g")); }),
              AllOf(HasSubstr("no measurement noise of \"a100-pcie-40g\""),
                    HasSubstr("did you mean \"a100-pcie-40gb\"")));
}

} // namespace
} // namespace coulomb::calibration
