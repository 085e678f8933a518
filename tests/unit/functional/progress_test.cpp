// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/grid_runner.hpp"
#include "sim/functional/progress.hpp"
#include "tests/unit/functional/kernel_harness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::functional {
namespace {

using testing::HasSubstr;

TEST(WatchDue, IsTheFirstQuarterOfEachOctaveFromThePatienceOn) {
  const auto due = [](std::uint64_t quiet) { return watch_due(quiet, 1000); };
  EXPECT_FALSE(due(0));
  EXPECT_FALSE(due(999));
  EXPECT_TRUE(due(1000));
  EXPECT_TRUE(due(1249));
  EXPECT_FALSE(due(1250));
  EXPECT_FALSE(due(1999));
  EXPECT_TRUE(due(2000));
  EXPECT_FALSE(due(2500));
  EXPECT_TRUE(due(4999));
  EXPECT_FALSE(due(5000));
}

TEST(WatchDue, ChangesWhereItIsSaidTo) {
  std::uint64_t next = 0;
  bool due = false;
  for (std::uint64_t quiet = 0; quiet < 20'000; ++quiet) {
    if (quiet == next) {
      next = watch_changes_at(quiet, 1000);
    }
    const bool changes = watch_due(quiet, 1000) != due;
    due = watch_due(quiet, 1000);
    if (changes) {
      EXPECT_EQ(watch_changes_at(quiet - 1, 1000), quiet);
    }
  }
}

/// Steps the one warp of `never_ends` by hand, under a watch.
class ProgressOfASpin : public testing::Test {
protected:
  ProgressOfASpin()
      : harness_("control", 80, "never_ends"), flag_(harness_.buffer("flag", std::vector<int>(4))),
        kernel_(harness_.arguments(flag_).prepare({1, 1, 1}, {32, 1, 1})),
        executor_(kernel_, harness_.memory()), watch_(kernel_, harness_.memory()) {
    WarpState* warps[] = {&warp_};
    executor_.start_cta(cta_, 0, warps);
    watch_.restart(1);
  }
  void step(int instructions) {
    for (int i = 0; i < instructions; ++i) {
      const std::uint32_t pc = warp_.pc;
      executor_.step(warp_, cta_, {}, result_);
      watch_.stepped(0, pc, warp_, cta_, result_);
    }
  }
  test::KernelHarness harness_;
  std::uint64_t flag_;
  ExecutableKernel& kernel_;
  Executor executor_;
  ProgressWatch watch_;
  WarpState warp_;
  CtaState cta_;
  StepResult result_;
};

TEST_F(ProgressOfASpin, IsProvenByARepeatedState) {
  step(60); // too few to compare
  EXPECT_EQ(watch_.repeating(), 0U);
  step(400);
  EXPECT_EQ(watch_.repeating(), 1U);
  EXPECT_THAT(watch_.describe(0, warp_, cta_),
              HasSubstr("global address 0x700000000 (buffer flag + 0), which stays 0x0"));
}

TEST_F(ProgressOfASpin, IsOpenAgainAfterEveryChange) {
  step(400);
  ASSERT_EQ(watch_.repeating(), 1U);
  watch_.disturb();
  EXPECT_EQ(watch_.repeating(), 0U);
  step(60);
  EXPECT_EQ(watch_.repeating(), 0U) << "evidence from before the change does not count";
  step(400);
  EXPECT_EQ(watch_.repeating(), 1U);
}

TEST_F(ProgressOfASpin, IsNotProvenWhileARegisterCounts) {
  for (int i = 0; i < 100'000; ++i) {
    warp_.registers[0][31] = 0; // the load's result, as the loop leaves it
    warp_.registers[5][17] += 1;
    step(1);
  }
  EXPECT_EQ(watch_.repeating(), 0U);
}

class GridProgress : public testing::TestWithParam<int> {};

TEST_P(GridProgress, SpinsEndAsADeadlock) {
  test::KernelHarness h("control", GetParam(), "never_ends");
  const auto flag = h.buffer("flag", std::vector<int>(1));
  const ExecutableKernel& kernel = h.arguments(flag).prepare({6, 1, 1}, {64, 1, 1});
  GridRunner runner(kernel, h.memory(), 4);
  std::string message;
  try {
    runner.run(0, 6);
  } catch (const KernelFault& fault) {
    message = fault.what();
  }
  EXPECT_THAT(message, HasSubstr("deadlock in kernel never_ends: no warp can make progress, 8 of 8 "
                                 "spin while nothing changes\nCTA (0, 0, 0) warp 0: "));
  EXPECT_EQ(runner.finished_ctas(), 0U);
  EXPECT_LT(runner.executed(), 3'000'000U);
}

INSTANTIATE_TEST_SUITE_P(Architectures, GridProgress, testing::Values(80, 86));

} // namespace
} // namespace coulomb::functional
