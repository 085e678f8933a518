// SPDX-License-Identifier: Apache-2.0
#include "calibration/validation.hpp"

#include "synthetic.hpp"

#include <cmath>
#include <gmock/gmock.h>

namespace coulomb::calibration {
namespace {

using eval::EvalStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using testing::refused;
using testing::simulator;
using testing::subject;
using testing::synthetic_table;
using testing::timed;

ValidationReport validate(const results::SiliconTable& table,
                          const SimulateAll& simulate,
                          std::size_t count = 1000) {
  return run_validation(table, draw_sample(table, {.count = count}), subject(), simulate, {});
}

TEST(Validation, OfAPerfectSimulatorHasNoError) {
  const auto r = validate(synthetic_table(100, 0, 0), simulator([](double x) { return timed(x); }));
  EXPECT_EQ(r.n, 100u);
  EXPECT_EQ(r.errors.mape, 0.0);
  EXPECT_EQ(r.errors.bias, 0.0);
  EXPECT_EQ(r.scale.factor, 1.0);
  EXPECT_DOUBLE_EQ(*r.spearman, 1.0);
  EXPECT_DOUBLE_EQ(*r.kendall, 1.0);
  EXPECT_DOUBLE_EQ(*r.spearman_best5pct, 1.0);
  EXPECT_EQ(r.top1_regret, 0.0);
  EXPECT_EQ(r.top5_regret, 0.0);
}

TEST(Validation, SeesAPureScaleInTheTimesAndNotInTheScaleFreeError) {
  const auto r =
      validate(synthetic_table(100, 0, 0), simulator([](double x) { return timed(1.25 * x); }));
  EXPECT_DOUBLE_EQ(*r.errors.mape, 0.25);
  EXPECT_DOUBLE_EQ(*r.errors.median_ape, 0.25);
  EXPECT_DOUBLE_EQ(*r.errors.p90_ape, 0.25);
  EXPECT_DOUBLE_EQ(*r.errors.bias, 0.25);
  EXPECT_DOUBLE_EQ(*r.scale.factor, 0.8);
  EXPECT_NEAR(*r.scale.mape, 0.0, 1e-15);
  EXPECT_DOUBLE_EQ(*r.spearman, 1.0);
}

TEST(Validation, MeasuresAKnownDistortion) {
  // Even times are 10 % too long, odd ones 20 % too short.
  const auto r = validate(synthetic_table(100, 0, 0), simulator([](double x) {
                            return timed(x * (static_cast<int>(x) % 2 == 0 ? 1.1 : 0.8));
                          }));
  EXPECT_NEAR(*r.errors.mape, 0.15, 1e-12);
  EXPECT_NEAR(*r.errors.bias, -0.05, 1e-12);
  EXPECT_NEAR(*r.errors.p90_ape, 0.2, 1e-12);
}

TEST(Validation, SeesARankingThatIsUpsideDown) {
  const auto r =
      validate(synthetic_table(100, 0, 0), simulator([](double x) { return timed(101 - x); }));
  EXPECT_DOUBLE_EQ(*r.spearman, -1.0);
  EXPECT_DOUBLE_EQ(*r.kendall, -1.0);
  EXPECT_DOUBLE_EQ(*r.top1_regret, 99.0); // it picks 100 ms, the best has 1 ms
  EXPECT_DOUBLE_EQ(*r.top5_regret, 95.0);
}

TEST(Validation, CountsARowThatItCannotTimeAsAMissAndListsIt) {
  const auto r =
      validate(synthetic_table(100, 0, 0), simulator([](double x) {
                 return x == 1 ? refused(EvalStatus::unsupported, "R2UR at 0x40") : timed(x);
               }));
  EXPECT_EQ(r.n, 99u);
  EXPECT_EQ(r.invalid.sim_only, 1u);
  EXPECT_EQ(r.rows.size(), 100u);
  const auto miss = std::find_if(r.rows.begin(), r.rows.end(),
                                 [](const auto& row) { return row.silicon_ms == 1.0; });
  EXPECT_EQ(miss->status, EvalStatus::unsupported);
  EXPECT_EQ(miss->sim_ms, std::nullopt);
  EXPECT_EQ(miss->error(), std::nullopt);
  EXPECT_EQ(miss->message, "R2UR at 0x40");
  // The best row is the one that it missed: picking 2 ms costs a factor of 2.
  EXPECT_DOUBLE_EQ(*r.top1_regret, 1.0);
}

TEST(Validation, ComparesVerdictsOnFailingRows) {
  int failing = 0;
  const auto table = synthetic_table(40, 0, 4);
  const auto r = validate(table, simulator([&](double x) {
                            if (x > 0) {
                              return timed(x);
                            }
                            switch (failing++) {
                            case 0:
                              return refused(EvalStatus::launch_invalid, "registers");
                            case 1:
                              return refused(EvalStatus::compile_failed, "shared memory");
                            case 2:
                              return refused(EvalStatus::crashed, "signal 11");
                            default:
                              return timed(3.0);
                            }
                          }));
  EXPECT_EQ(r.n, 40u);
  EXPECT_EQ(r.sample.drawn_failing, 4u);
  EXPECT_EQ(r.invalid.both, 2u);
  EXPECT_EQ(r.invalid.undecided, 1u);
  EXPECT_EQ(r.invalid.silicon_only, 1u);
  EXPECT_EQ(r.invalid.sim_only, 0u);
}

TEST(Validation, IsDefinedWhenNothingCouldBeTimed) {
  const auto r = validate(synthetic_table(30, 0, 0),
                          simulator([](double) { return refused(EvalStatus::timeout, ""); }));
  EXPECT_EQ(r.n, 0u);
  EXPECT_EQ(r.invalid.sim_only, 30u);
  EXPECT_EQ(r.errors.mape, std::nullopt);
  EXPECT_EQ(r.spearman, std::nullopt);
  EXPECT_EQ(r.top1_regret, std::nullopt);
  EXPECT_EQ(r.cost.warp_insts_per_s(), std::nullopt);
}

TEST(Validation, AddsUpWhatItCost) {
  const auto r = validate(synthetic_table(8, 0, 0), simulator([](double x) { return timed(x); }));
  EXPECT_DOUBLE_EQ(r.cost.compile_s, 4.0);
  EXPECT_DOUBLE_EQ(r.cost.simulation_s, 2.0);
  EXPECT_EQ(r.cost.warp_insts, 8000u);
  EXPECT_EQ(r.cost.warp_insts_per_s(), 4000.0);
  EXPECT_GE(r.cost.wall_s, 0.0);
}

TEST(Validation, ReportsProgressAfterEachResult) {
  const auto table = synthetic_table(3, 0, 0);
  std::vector<std::pair<std::size_t, std::size_t>> seen;
  (void)run_validation(table, draw_sample(table, {}), subject(),
                       simulator([](double x) { return timed(x); }),
                       [&](std::size_t done, std::size_t all) { seen.emplace_back(done, all); });
  EXPECT_THAT(seen, ElementsAre(std::pair{1, 3}, std::pair{2, 3}, std::pair{3, 3}));
}

TEST(Validation, RefusesASimulatorThatAnswersTwiceOrNotAtAll) {
  const auto table = synthetic_table(3, 0, 0);
  EXPECT_THAT(message_of([&] {
                (void)validate(table, [](const auto&, const auto& done) {
                  done(0, timed(1.0));
                  done(0, timed(1.0));
                });
              }),
              HasSubstr("result 0 of 3 came twice or is unknown"));
  EXPECT_THAT(message_of([&] {
                (void)validate(table, [](const auto&, const auto& done) { done(0, timed(1.0)); });
              }),
              HasSubstr("1 of 3 configurations were answered"));
}

TEST(Validation, RefusesAnOkResultWithoutATime) {
  const auto table = synthetic_table(3, 0, 0);
  EXPECT_THAT(message_of([&] {
                (void)validate(table, simulator([](double) { return timed(std::nan("")); }));
              }),
              HasSubstr("is ok with a simulated time of nan ms"));
}

TEST(Validation, PutsTheGpuAtTheTablesClocks) {
  results::SiliconMetadata m;
  m.sm_clock_mhz = 765.0;
  m.memory_clock_mhz = 1215.5;
  EXPECT_THAT(clock_overrides(m), ElementsAre("sm_clock_mhz=765", "memory_clock_mhz=1215.5"));
}

} // namespace
} // namespace coulomb::calibration
