// SPDX-License-Identifier: Apache-2.0
// The areas of [area] for GA10x come from a regression over four dies; here it is judged by leaving
// one out.
#include "base/config/gpu_catalogue.hpp"
#include "calibration/fit/least_squares.hpp"
#include "sim/power/area.hpp"

#include <array>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

/// Published dies: full SMs, 32-bit channels with 512 KB of L2 each, mm2.
struct Die {
  const char* name;
  double sms;
  double channels;
  double mm2;
};
constexpr std::array<Die, 4> kDies = {{{"GA102", 84, 12, 628.4},
                                       {"GA104", 48, 8, 392.5},
                                       {"GA106", 30, 6, 276.0},
                                       {"GA107", 20, 4, 200.0}}};

/// {an SM, a channel, fixed}, from the dies but the one left out.
std::vector<double> regression(std::size_t left_out) {
  std::vector<std::vector<double>> columns(3);
  std::vector<double> target;
  for (std::size_t i = 0; i < kDies.size(); ++i) {
    if (i != left_out) {
      columns[0].push_back(kDies[i].sms);
      columns[1].push_back(kDies[i].channels);
      columns[2].push_back(1.0);
      target.push_back(kDies[i].mm2);
    }
  }
  return least_squares(columns, target);
}

double left_out_error(std::size_t i) {
  const auto fit = regression(i);
  const double predicted = fit[0] * kDies[i].sms + fit[1] * kDies[i].channels + fit[2];
  return predicted / kDies[i].mm2 - 1.0;
}

TEST(AreaRegression, PredictsADieThatItHasNotSeenWithinFivePercent) {
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(left_out_error(i), 0.0, 0.05) << kDies[i].name;
  }
}

TEST(AreaRegression, IsWorseForTheSmallestDieWhichTakesGoingOnBeyondTheOthers) {
  EXPECT_NEAR(left_out_error(3), -0.081, 0.005);
}

TEST(AreaRegression, OverAllDiesIsWhatTheGpuFilesSay) {
  const auto fit = regression(kDies.size());
  const auto gpu = config::load_gpu("rtx-3090").config;
  EXPECT_NEAR(gpu.area.fixed, fit[2], 0.1);
  EXPECT_NEAR(coulomb::power::estimate_area(gpu).sm_mm2 + gpu.area.crossbar_sm, fit[0], 0.05);
  const double channel = 2 * gpu.area.dram_channel + 0.5 * gpu.area.l2_mib; // of 32 bits
  EXPECT_NEAR(channel, fit[1], 0.05);
}

} // namespace
} // namespace coulomb::calibration
