// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "calibration/ladder/extreme_sizes.hpp"
#include "calibration/ladder/ladder_run.hpp"
#include "calibration/ladder/robust_rung.hpp"
#include "calibration/ladder/silicon_journal.hpp"
#include "tests/unit/calibration_ladder/synthetic.hpp"
#include "tests/unit/search/scratch_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using eval::EvalStatus;
using synthetic::candidate;
using testing::ElementsAre;

TEST(LadderSchedule, TheFirstBatchComesAfterItsShareAndTheLastAfterAllSimulations) {
  const LadderSchedule schedule{.simulations = 200, .rounds = 5, .first_share = 0.6};
  std::vector<std::uint64_t> before;
  for (std::size_t round = 0; round < 7; ++round) {
    before.push_back(simulations_before(schedule, round));
  }
  EXPECT_THAT(before, ElementsAre(120, 140, 160, 180, 200, 200, 200));
  EXPECT_EQ(simulations_before({.simulations = 200, .rounds = 1}, 0), 200U);
}

TEST(RobustRung, SplitsWhatADrawDoesToAllFromWhatItDoesToOne) {
  RobustRung rung(
      [](const auto& configurations) {
        std::vector<RobustTimes> times;
        for (const auto& c : configurations) {
          const auto x = std::get<std::int64_t>(*c.find("x"));
          if (x == 3) {
            times.push_back({EvalStatus::deadlock, "draw 2: a barrier is never met", {}});
          } else { // the second draw makes all twice as slow, and x = 2 by e^0.2 more
            times.push_back({EvalStatus::ok, "", {1.0, 2.0 * (x == 2 ? std::exp(0.2) : 1.0)}});
          }
        }
        return std::optional(times);
      },
      RobustScore::worst, 1.0);
  const auto a = candidate(0, 1, 1.0);
  const auto b = candidate(1, 2, 1.0);
  const auto failing = candidate(2, 3, 1.0);
  const auto outcomes = rung.climb({&a, &b, &failing});
  ASSERT_TRUE(outcomes);
  EXPECT_DOUBLE_EQ((*outcomes)[0].log_factor, std::log(2.0));
  EXPECT_NEAR((*outcomes)[1].log_factor, std::log(2.0) + 0.2, 1e-12);
  EXPECT_NEAR((*outcomes)[0].deviation, 0.05, 1e-12) << "-0.1 about the mean in the second draw";
  EXPECT_NEAR((*outcomes)[1].deviation, 0.05, 1e-12);
  EXPECT_EQ((*outcomes)[2].problem, "deadlock: draw 2: a barrier is never met");
}

TEST(SiliconJournal, NoRunIsMadeTwiceAndAnotherDeviceIsRefused) {
  const search::ScratchDirectory scratch;
  const std::string path = scratch.path("silicon.journal");
  const auto ran = candidate(0, 1, 1.0).configuration();
  const auto failed = candidate(0, 2, 1.0).configuration();
  {
    SiliconJournal journal(path, "replay:a", "kernel");
    EXPECT_FALSE(journal.find(ran));
    SiliconRun run;
    run.ms = 0.125;
    run.noise = 0.001;
    journal.keep(ran, run);
    run.problem = "crashed: \xff";
    journal.keep(failed, run);
  }
  const SiliconJournal journal(path, "replay:a", "kernel");
  EXPECT_EQ(journal.size(), 2U);
  EXPECT_EQ(journal.find(ran)->ms, 0.125);
  EXPECT_EQ(journal.find(ran)->noise, 0.001);
  EXPECT_THAT(journal.find(failed)->problem, testing::StartsWith("crashed: "));
}

TEST(SiliconJournal, NamesTheDeviceThatItsRunsAreOf) {
  const search::ScratchDirectory scratch;
  const std::string path = scratch.path("silicon.journal");
  { const SiliconJournal journal(path, "replay:a", "kernel"); }
  try {
    const SiliconJournal journal(path, "device:0", "kernel");
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()),
              path + ": its runs have device \"replay:a\", not \"device:0\"");
  }
}

TEST(ExtremeSizes, AreAnEighthTwiceAndOneLessInEveryDimension) {
  const auto sizes = extreme_sizes({4096, 4, 1});
  ASSERT_EQ(sizes.size(), 3U);
  EXPECT_THAT(sizes[0].problem_size, ElementsAre(512, 1, 1));
  EXPECT_THAT(sizes[1].problem_size, ElementsAre(8192, 8, 1));
  EXPECT_THAT(sizes[2].problem_size, ElementsAre(4095, 3, 1));
}

TEST(ExtremeSizes, AWinThatTurnsIntoALossOrAFailureIsARegression) {
  kernel::TunableSpec spec;
  spec.problem_size = {4096};
  const auto winner = candidate(0, 1, 1.0).configuration();
  const auto reference = candidate(0, 2, 1.0).configuration();
  const auto results = try_extremes(spec, winner, reference, [](const auto& sized, const auto&) {
    const std::int64_t n = sized.problem_size.front();
    const SizedTime ok{EvalStatus::ok, "", 2.0};
    if (n == 512) {
      return std::optional(std::vector<SizedTime>{{EvalStatus::ok, "", 2.1}, ok});
    }
    return std::optional(n == 8192 ? std::vector<SizedTime>{{EvalStatus::ok, "", 1.0}, ok}
                                   : std::vector<SizedTime>{{EvalStatus::wrong_result, "", 0}, ok});
  });
  ASSERT_EQ(results->size(), 3U);
  EXPECT_TRUE((*results)[0].regression());
  EXPECT_NEAR(*(*results)[0].change(), 0.05, 1e-12);
  EXPECT_FALSE((*results)[1].regression());
  EXPECT_TRUE((*results)[2].regression()) << "it fails where the default runs";
  const ExtremeResult neither{{}, {EvalStatus::wrong_result, "", 0}, {EvalStatus::crashed, "", 0}};
  EXPECT_FALSE(neither.regression());
}

} // namespace
} // namespace coulomb::calibration
