// SPDX-License-Identifier: Apache-2.0
#include "hw/cupti/counter_collector.hpp"
#include "hw/cupti/metric_catalogue.hpp"
#include "tests/component/fake_gpu/fake_cuda.hpp"

#include <csignal>
#include <filesystem>
#include <sys/time.h>

namespace coulomb::fake {
namespace {

using hw::CounterCollector;
using hw::CounterObstacle;
using hw::CounterProblem;
using testing::ElementsAre;

/// The fake CUPTI, called through the product's own collector, on the fake driver.
class FakeCupti : public FakeCudaTest {
protected:
  void SetUp() override {
    paths_.cupti = COULOMB_BINARY_DIR "/fake_cupti/libcupti.so.13";
    if (!std::filesystem::exists(paths_.cupti)) {
      GTEST_SKIP() << "built without CUPTI's headers";
    }
    start();
    context_ = nullptr;
    ASSERT_EQ(cu_.context_retain(&context_, 0), 0);
    saxpy_ = load(cubin("saxpy-sm_80-0.cubin"), "saxpy_kernel");
    x_ = upload(std::vector<float>(Saxpy::kCount, 1.0F));
    y_ = upload(std::vector<float>(Saxpy::kCount));
  }
  hw::CounterReadings collect(const std::vector<std::string>& metrics) {
    CounterCollector collector(0, context_, paths_);
    return collector.collect(metrics, {[this] { ++restored_; },
                                       [this] {
                                         EXPECT_EQ(launch(saxpy_, Saxpy::kGrid, Saxpy::kBlock,
                                                          Saxpy::kCount, Saxpy::kAlpha, x_, y_),
                                                   0);
                                         EXPECT_EQ(cu_.context_synchronize(), 0);
                                       }});
  }
  /// What collecting runs into.
  CounterObstacle obstacle() {
    try {
      (void)collect({"sm__inst_executed.sum"});
    } catch (const CounterProblem& problem) {
      return problem.obstacle();
    }
    ADD_FAILURE() << "collected";
    return CounterObstacle::failed;
  }

  hw::CuptiPaths paths_;
  hw::abi::Context context_ = nullptr;
  hw::abi::Function saxpy_ = nullptr;
  hw::abi::DevicePointer x_ = 0;
  hw::abi::DevicePointer y_ = 0;
  int restored_ = 0;
};

using FakeCuptiDeathTest = FakeCupti;

TEST_F(FakeCupti, CountsWhatTheFakeDriverExecuted) {
  options_.set("FAKE_CUPTI_VALUES", "lts__t_sector_hit_rate.pct=12.5");
  const auto readings = collect({"smsp__inst_executed.sum", "lts__t_sector_hit_rate.pct",
                                 "dram__throughput.avg.pct_of_peak_sustained_elapsed"});
  EXPECT_EQ(readings.chip, "GA100");
  EXPECT_EQ(readings.passes, 3U);
  EXPECT_EQ(restored_, 3);
  // 40 warps, each with more than ten and less than a hundred instructions.
  EXPECT_GT(readings.values.at("smsp__inst_executed.sum"), 400.0);
  EXPECT_LT(readings.values.at("smsp__inst_executed.sum"), 4000.0);
  EXPECT_EQ(readings.values.at("lts__t_sector_hit_rate.pct"), 12.5);
  const double share = readings.values.at("dram__throughput.avg.pct_of_peak_sustained_elapsed");
  EXPECT_GE(share, 0.0);
  EXPECT_LE(share, 100.0);
  EXPECT_EQ(collect({"dram__throughput.avg.pct_of_peak_sustained_elapsed"}).values.begin()->second,
            share)
      << "the same in every run";
}

TEST_F(FakeCupti, NeedsAsManyPassesAsItIsTold) {
  options_.set("FAKE_CUPTI_PASSES", "7");
  EXPECT_EQ(collect({"sm__inst_executed.sum"}).passes, 7U);
}

TEST_F(FakeCupti, LacksTheMetricsThatItIsTold) {
  options_.set("FAKE_CUPTI_UNKNOWN", "lts__t_sectors");
  const auto readings = collect({"sm__inst_executed.sum", "lts__t_sectors.sum", "ipc"});
  EXPECT_THAT(readings.unknown, ElementsAre("lts__t_sectors.sum", "ipc"));
  EXPECT_EQ(readings.values.size(), 1U);
}

TEST_F(FakeCupti, ListsAFewMetrics) {
  const hw::MetricCatalogue catalogue(paths_);
  EXPECT_THAT(catalogue.chips(), ElementsAre("GA100", "GA102", "GH100"));
  EXPECT_EQ(catalogue.base_metrics("GA102").size(), 12U);
  const auto checked = catalogue.check("GA102", {"dram__bytes_read.sum", "dram__bytes_read"});
  EXPECT_TRUE(checked[0].known);
  EXPECT_EQ(checked[0].unit, "byte");
  EXPECT_FALSE(checked[1].known);
  EXPECT_EQ(catalogue.passes("GA102", {"dram__bytes_read.sum"}), 3U);
}

TEST_F(FakeCupti, FailsWhereItIsTold) {
  options_.set("FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable=privileges");
  EXPECT_EQ(obstacle(), CounterObstacle::privileges);
  options_.set("FAKE_CUPTI_FAIL", "cuptiRangeProfilerStart=busy@1");
  EXPECT_EQ(obstacle(), CounterObstacle::busy);
  options_.set("FAKE_CUPTI_FAIL", "cuptiProfilerInitialize=999");
  EXPECT_EQ(obstacle(), CounterObstacle::failed);
  options_.set("FAKE_CUPTI_FAIL", "");
  options_.set("FAKE_CUPTI_UNSUPPORTED", "vgpu");
  EXPECT_EQ(obstacle(), CounterObstacle::virtualised);
}

TEST_F(FakeCuptiDeathTest, CrashesAndHangsWhereItIsTold) {
  options_.set("FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable=segfault");
  EXPECT_EXIT((void)obstacle(), testing::KilledBySignal(SIGSEGV), "");
  options_.set("FAKE_CUPTI_FAIL", "cuptiRangeProfilerDecodeData=hang");
  EXPECT_EXIT(
      {
        itimerval timer{};
        timer.it_value.tv_usec = 200'000;
        ::setitimer(ITIMER_REAL, &timer, nullptr);
        (void)obstacle();
      },
      testing::KilledBySignal(SIGALRM), "");
}

} // namespace
} // namespace coulomb::fake
