// SPDX-License-Identifier: Apache-2.0
#include "hw/cupti/counter_collector.hpp"

#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>

namespace coulomb::hw {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kCycles = "sm__cycles_elapsed.max";

/// The collector on a CUPTI that is a test double (tests/support/fake_gpu), without a driver.
class CollectorOnAFake : public ::testing::Test {
protected:
  void SetUp() override {
    paths_.cupti = COULOMB_BINARY_DIR "/fake_cupti/libcupti.so.13";
#ifndef COULOMB_TEST_HAS_RANGE_PROFILER
    GTEST_SKIP() << "built without the range profiler: a collector only says so";
#endif
  }
  void TearDown() override {
    for (const char* option : {"FAKE_CUPTI_FAIL", "FAKE_CUPTI_UNSUPPORTED"}) {
      ::unsetenv(option);
    }
  }

  /// What stands between a user and counters, as one text; empty if nothing.
  std::string obstacle(const std::vector<std::string>& metrics = {kCycles}) {
    try {
      (void)CounterCollector(0, this, paths_).collect(metrics, replay_);
    } catch (const CounterProblem& problem) {
      return std::string(problem.what()) + " | " + problem.hint();
    }
    return {};
  }

  CuptiPaths paths_;
  std::vector<std::string> calls_;
  KernelReplay replay_{[this] { calls_.emplace_back("restore"); },
                       [this] { calls_.emplace_back("launch"); }};
};

TEST_F(CollectorOnAFake, RestoresTheBuffersBeforeEveryPass) {
  CounterCollector collector(0, this, paths_);
  EXPECT_EQ(collector.chip(), "GA100");
  const CounterReadings readings = collector.collect({kCycles}, replay_);
  EXPECT_EQ(readings.passes, 3U);
  EXPECT_THAT(calls_, ElementsAre("restore", "launch", "restore", "launch", "restore", "launch"));
  EXPECT_EQ(readings.values.count(kCycles), 1U);
  EXPECT_TRUE(readings.unknown.empty());
}

TEST_F(CollectorOnAFake, AKernelThatFailsReachesTheCallerAndTheNextOneIsCounted) {
  CounterCollector collector(0, this, paths_);
  const KernelReplay failing{[] {}, [] { throw std::runtime_error("illegal address"); }};
  try {
    (void)collector.collect({kCycles}, failing);
    FAIL() << "the kernel's failure was lost";
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "illegal address");
  }
  EXPECT_EQ(collector.collect({kCycles}, replay_).passes, 3U);
}

TEST_F(CollectorOnAFake, AMetricTwiceIsCollectedOnceAndAnUnknownOneIsNamed) {
  CounterCollector collector(0, this, paths_);
  const CounterReadings readings = collector.collect({kCycles, "ipc", kCycles}, replay_);
  EXPECT_EQ(readings.values.size(), 1U);
  EXPECT_THAT(readings.unknown, ElementsAre("ipc"));
  EXPECT_THAT(obstacle({"ipc"}), HasSubstr("GA100 has none of the metrics asked for: ipc | "));
}

TEST_F(CollectorOnAFake, SaysWhatStandsInTheWayAndTheFix) {
  ::setenv("FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable=privileges", 1);
  EXPECT_THAT(obstacle(), HasSubstr("(ERR_NVGPUCTRPERM)"));
  EXPECT_THAT(obstacle(), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
  ::setenv("FAKE_CUPTI_FAIL", "cuptiRangeProfilerStop=busy", 1);
  EXPECT_THAT(obstacle(), HasSubstr("another profiler holds the GPU's performance counters"));
  ::setenv("FAKE_CUPTI_FAIL", "cuptiRangeProfilerDecodeData=999", 1);
  EXPECT_THAT(obstacle(), HasSubstr("cuptiRangeProfilerDecodeData failed: 999"));
  ::unsetenv("FAKE_CUPTI_FAIL");
  ::setenv("FAKE_CUPTI_UNSUPPORTED", "wsl", 1);
  EXPECT_THAT(obstacle(), HasSubstr("device 0 cannot be profiled: this driver does not profile "
                                    "under WSL | times are measured without counters"));
  ::unsetenv("FAKE_CUPTI_UNSUPPORTED");
  EXPECT_EQ(obstacle(), "") << "and nothing is left behind";
}

} // namespace
} // namespace coulomb::hw
