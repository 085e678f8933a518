// SPDX-License-Identifier: Apache-2.0
#include "calibration/robust/robust_metrics.hpp"

#include "search/objective/objective.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using testing::ElementsAre;
using Times = std::vector<double>;

TEST(RobustMetrics, AreTheScoresOfTheTimes) {
  const auto metrics = robust_metrics(Times{2.0, 4.0, 3.0, 7.0});
  EXPECT_DOUBLE_EQ(metrics.at("robust__time_ms.mean"), 4.0);
  EXPECT_DOUBLE_EQ(metrics.at("robust__time_ms.cvar"), 7.0) << "a quarter of 4";
  EXPECT_DOUBLE_EQ(metrics.at("robust__time_ms.worst"), 7.0);
  EXPECT_DOUBLE_EQ(metrics.at("robust__time_ms.relative_deviation"), std::sqrt(14.0 / 3.0) / 4.0);
}

TEST(RobustMetrics, TakeTheMeanOfTheSlowestQuarterForTheCvar) {
  const auto cvar = [](const Times& times) {
    return robust_metrics(times).at("robust__time_ms.cvar");
  };
  EXPECT_DOUBLE_EQ(cvar({1, 2, 3, 4, 5, 6, 7, 8}), 7.5);
  EXPECT_DOUBLE_EQ(cvar({5, 4, 3, 2, 1}), (5.0 + 0.25 * 4.0) / 1.25);
  EXPECT_DOUBLE_EQ(cvar({5, 4}), 5.0);
}

TEST(RobustMetrics, OfOneDrawAreItsTime) {
  const auto metrics = robust_metrics(Times{3.0});
  EXPECT_EQ(metrics.at("robust__time_ms.mean"), 3.0);
  EXPECT_EQ(metrics.at("robust__time_ms.cvar"), 3.0);
  EXPECT_EQ(metrics.at("robust__time_ms.worst"), 3.0);
  EXPECT_EQ(metrics.at("robust__time_ms.relative_deviation"), 0.0);
}

TEST(RobustMetrics, AreAllNamedAndCanBeObjectives) {
  std::vector<std::string> names;
  for (const auto& [name, value] : robust_metrics(Times{1.0, 2.0})) {
    names.push_back(name);
    EXPECT_THAT(search::Objective::parse(name).metrics(), ElementsAre(name));
  }
  EXPECT_THAT(robust_metric_names(), testing::UnorderedElementsAreArray(names));
  EXPECT_EQ(robust_metric(RobustScore::cvar), "robust__time_ms.cvar");
}

} // namespace
} // namespace coulomb::calibration
