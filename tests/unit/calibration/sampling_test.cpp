// SPDX-License-Identifier: Apache-2.0
#include "calibration/sampling.hpp"

#include "synthetic.hpp"

#include <gmock/gmock.h>
#include <set>

namespace coulomb::calibration {
namespace {

using ::testing::ElementsAre;
using testing::message_of;
using ::testing::Pair;
using testing::synthetic_table;

TEST(Sampling, DrawsEvenlyFromTheTimeDeciles) {
  const auto table = synthetic_table(1000, 0, 0);
  const Sample s = draw_sample(table, {.count = 50});
  EXPECT_EQ(s.eligible, 1000u);
  EXPECT_EQ(s.drawn_eligible, 50u);
  EXPECT_EQ(s.rows.size(), 50u);
  EXPECT_TRUE(std::is_sorted(s.rows.begin(), s.rows.end()));
  std::array<int, 10> seen{};
  for (const std::size_t i : s.rows) {
    ++seen[static_cast<std::size_t>((*table.rows[i].time_ms - 1) / 100)];
  }
  for (std::size_t d = 0; d < 10; ++d) {
    EXPECT_EQ(seen[d], 5);
    EXPECT_EQ(s.deciles[d].drawn, 5u);
    EXPECT_EQ(s.deciles[d].available, 100u);
    EXPECT_EQ(s.deciles[d].from_ms, 100.0 * static_cast<double>(d) + 1);
    EXPECT_EQ(s.deciles[d].to_ms, 100.0 * static_cast<double>(d) + 100);
  }
}

TEST(Sampling, DependsOnTheSeedAlone) {
  const auto table = synthetic_table(1000, 20, 300);
  EXPECT_EQ(draw_sample(table, {.count = 50, .seed = 3}).rows,
            draw_sample(table, {.count = 50, .seed = 3}).rows);
  EXPECT_NE(draw_sample(table, {.count = 50, .seed = 3}).rows,
            draw_sample(table, {.count = 50, .seed = 4}).rows);
}

TEST(Sampling, AddsATenthOfFailingRowsOfEachKind) {
  const auto table = synthetic_table(1000, 6, 155);
  const Sample s = draw_sample(table, {.count = 200});
  EXPECT_EQ(s.failing, 161u);
  EXPECT_EQ(s.drawn_failing, 20u);
  EXPECT_THAT(s.drawn_failing_by_status,
              ElementsAre(Pair("compile_failed", 1), Pair("launch_invalid", 19)));
  EXPECT_EQ(s.rows.size(), 220u);
  EXPECT_EQ(std::set<std::size_t>(s.rows.begin(), s.rows.end()).size(), 220u);
}

TEST(Sampling, RoundsTheFailingShareUp) {
  const auto table = synthetic_table(1000, 6, 155);
  EXPECT_EQ(draw_sample(table, {.count = 1}).drawn_failing, 1u);
  EXPECT_EQ(draw_sample(table, {.count = 11}).drawn_failing, 2u);
  EXPECT_EQ(draw_sample(table, {.count = 10}).drawn_failing, 1u);
}

TEST(Sampling, TakesWhatThereIs) {
  const auto table = synthetic_table(15, 1, 0);
  const Sample all = draw_sample(table, {.count = 500});
  EXPECT_EQ(all.drawn_eligible, 15u);
  EXPECT_EQ(all.drawn_failing, 1u);
  EXPECT_EQ(all.rows.size(), 16u);
  // Deciles of one and two rows cannot give 14/10 each.
  const Sample most = draw_sample(table, {.count = 14});
  EXPECT_EQ(most.drawn_eligible, 14u);
  std::size_t drawn = 0;
  for (const auto& d : most.deciles) {
    EXPECT_LE(d.drawn, d.available);
    drawn += d.drawn;
  }
  EXPECT_EQ(drawn, 14u);
}

TEST(Sampling, WorksWithFewerRowsThanDeciles) {
  const Sample s = draw_sample(synthetic_table(3, 0, 0), {.count = 2});
  EXPECT_EQ(s.rows.size(), 2u);
}

TEST(Sampling, NeverDrawsExcludedRows) {
  auto table = synthetic_table(100, 4, 0);
  for (std::size_t i = 0; i < 100; i += 2) {
    table.rows[i].exclusion = "clock";
  }
  table.rows[100].exclusion = "outside";
  const Sample s = draw_sample(table, {.count = 1000, .failing_share = 1.0});
  EXPECT_EQ(s.eligible, 50u);
  EXPECT_EQ(s.failing, 3u);
  for (const std::size_t i : s.rows) {
    EXPECT_EQ(table.rows[i].exclusion, "");
  }
}

TEST(Sampling, RefusesToCompareNothing) {
  EXPECT_EQ(message_of([] { (void)draw_sample(synthetic_table(5, 0, 0), {.count = 0}); }),
            "a sample of 0 rows compares nothing");
  EXPECT_EQ(message_of([] { (void)draw_sample(synthetic_table(0, 5, 0), {}); }),
            "dir/synthetic.csv.gz: none of its 5 rows may be compared");
}

} // namespace
} // namespace coulomb::calibration
