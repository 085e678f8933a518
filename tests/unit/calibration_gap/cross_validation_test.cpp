// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/cross_validation.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace coulomb::calibration {
namespace {

constexpr GapSettings kQuick{.iterations = 10, .fitted_points = 80, .model_hash = {}};

std::vector<Observation> two_kernels() {
  auto all = synthetic::observations(40, "a", "one", synthetic::law);
  const auto two = synthetic::observations(40, "a", "two", synthetic::law);
  all.insert(all.end(), two.begin(), two.end());
  return all;
}

TEST(GapCrossValidation, ReportsHeldOutConfigurationsAndKernelsByGroup) {
  const auto observations = two_kernels();
  const CrossValidation result = cross_validate(observations, {}, {.folds = 4, .seed = 3}, kQuick);
  ASSERT_EQ(result.rows.size(), 4U);
  EXPECT_EQ(result.rows[0].held_out, HeldOut::configuration);
  EXPECT_EQ(result.rows[0].spec, "one");
  EXPECT_EQ(result.rows[2].held_out, HeldOut::kernel);
  EXPECT_EQ(result.rows[3].spec, "two");
  for (const CrossValidationRow& row : result.rows) {
    EXPECT_EQ(row.board, "a");
    EXPECT_EQ(row.after.n, 40U);
    // A single kernel cannot tell how much of what it teaches holds for others.
    const double left = row.held_out == HeldOut::configuration ? 0.5 : 0.9;
    EXPECT_LT(*row.after.mape.value, left * *row.before.mape.value);
    EXPECT_GT(*row.after.spearman.value, *row.before.spearman.value);
    EXPECT_GT(row.covered, 0.7);
  }
  ASSERT_EQ(result.impossible.size(), 1U); // there is only one board
  EXPECT_EQ(to_string(result.impossible[0]), "board");
}

TEST(GapCrossValidation, BeforeIsTheSimulatorsOwnError) {
  auto observations = two_kernels();
  for (Observation& o : observations) {
    o.silicon_ms = 2.0 * o.sim_ms;
  }
  const CrossValidation result = cross_validate(observations, {}, {.folds = 4, .seed = 3}, kQuick);
  EXPECT_NEAR(*result.rows[0].before.mape.value, 0.5, 1e-12);
  EXPECT_LT(*result.rows[0].after.mape.value, 0.02);
}

TEST(GapCrossValidation, SameSeedSameFigures) {
  const auto all = two_kernels();
  const auto a = cross_validate(all, {}, {.folds = 3, .seed = 5}, kQuick);
  const auto b = cross_validate(all, {}, {.folds = 3, .seed = 5}, kQuick);
  EXPECT_EQ(a.rows[0].after.mape.value, b.rows[0].after.mape.value);
}

} // namespace
} // namespace coulomb::calibration
