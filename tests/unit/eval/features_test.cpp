// SPDX-License-Identifier: Apache-2.0
#include "base/eval/features.hpp"

#include "base/text.hpp"

#include <cmath>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::eval {
namespace {

double value_of(const std::vector<double>& values, std::string_view name) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (feature_table()[i].name == name) {
      return values[i];
    }
  }
  ADD_FAILURE() << "no feature " << name;
  return 0.0;
}

kernel::Launch some_launch() {
  kernel::Launch launch;
  launch.grid = {1000, 2, 1};
  launch.block = {48, 2, 1};
  return launch;
}

config::GpuConfig some_gpu() {
  config::GpuConfig gpu;
  gpu.sms = 108;
  gpu.sm.max_warps = 64;
  return gpu;
}

SimOutcome some_outcome() {
  SimOutcome o;
  o.registers = 40;
  o.static_shared_bytes = 1024;
  o.dynamic_shared_bytes = 512;
  o.occupancy = {16, 48, "shared memory"};
  o.time_ms = 2.0;
  o.counters = {{"smsp__inst_executed.sum", 1000.0},
                {"smsp__thread_inst_executed_pred_on.sum", 24000.0},
                {"sm__cycles_active.sum", 500.0},
                {"sm__warps_active.sum", 8000.0},
                {"smsp__warps_issue_stalled_wait.sum", 2000.0},
                {"l1tex__t_sectors_lookup_hit.sum", 30.0},
                {"l1tex__t_sectors_lookup_miss.sum", 10.0},
                {"dram__bytes_read.sum", 3e6},
                {"dram__bytes_write.sum", 1e6},
                {"lts__t_sectors_op_read.sum", 0.0},
                {"lts__t_sectors_op_read_lookup_hit.sum", 0.0}};
  o.stalls = {{"barrier", 0.125}};
  o.code_mix = {{"instructions", 64.0}, {"fp32", 16.0}, {"loads_16b", 3.0}};
  return o;
}

TEST(Features, AreAtLeast120WithNamesOfTheirOwn) {
  EXPECT_GE(feature_table().size(), 120U);
  std::set<std::string_view> names;
  for (const Feature& f : feature_table()) {
    EXPECT_TRUE(names.insert(f.name).second) << f.name << " twice";
    EXPECT_EQ(f.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
              std::string_view::npos)
        << f.name;
    EXPECT_FALSE(f.unit.empty() || f.group.empty() || f.definition.empty()) << f.name;
    EXPECT_FALSE(f.over[0].empty()) << f.name;
  }
}

TEST(Features, OfASimulationAreSumsAndRatiosOfItsNumbers) {
  const auto values = features_of(some_outcome(), some_launch(), some_gpu());
  ASSERT_EQ(values.size(), feature_table().size());
  EXPECT_EQ(value_of(values, "time_ms"), 2.0);
  EXPECT_EQ(value_of(values, "inst_per_cycle_active"), 2.0);
  EXPECT_EQ(value_of(values, "threads_per_inst"), 24.0);
  EXPECT_EQ(value_of(values, "lane_efficiency"), 0.75);
  EXPECT_EQ(value_of(values, "l1_hit_rate"), 0.75);
  EXPECT_EQ(value_of(values, "dram_gb_per_s"), 2.0) << "4 MB in 2 ms";
  EXPECT_EQ(value_of(values, "stall_barrier_share"), 0.125);
  EXPECT_EQ(value_of(values, "stall_wait_share"), 0.25) << "from the counters";
  EXPECT_EQ(value_of(values, "theoretical_occupancy"), 0.75);
  EXPECT_EQ(value_of(values, "threads"), 96.0 * 2000.0);
  EXPECT_EQ(value_of(values, "warps_per_cta"), 3.0);
  EXPECT_EQ(value_of(values, "shared_bytes_per_thread"), 16.0);
  EXPECT_EQ(value_of(values, "registers_per_cta"), 3840.0);
  EXPECT_DOUBLE_EQ(value_of(values, "waves"), 2000.0 / (16 * 108));
  EXPECT_DOUBLE_EQ(value_of(values, "tail_wave_share"), 2000.0 / (16 * 108) - 1.0);
  EXPECT_EQ(value_of(values, "code_fp32_share"), 0.25);
  EXPECT_EQ(value_of(values, "code_loads_16b"), 3.0);
}

TEST(Features, AreUnknownWhereAnInputIsMissingOrNothingWasCounted) {
  const auto values = features_of(some_outcome(), some_launch(), some_gpu());
  EXPECT_TRUE(std::isnan(value_of(values, "icc_requests"))) << "no such counter";
  EXPECT_TRUE(std::isnan(value_of(values, "l2_read_hit_rate"))) << "0 / 0";
  EXPECT_EQ(value_of(values, "l2_read_sectors"), 0.0) << "a count of 0 is known";
  EXPECT_TRUE(std::isnan(value_of(values, "stall_sleeping_share")));
  EXPECT_TRUE(std::isnan(value_of(values, "code_yields_share")));
  for (const double value : features({})) {
    EXPECT_TRUE(std::isnan(value));
  }
  SimOutcome infinite = some_outcome();
  infinite.counters["smsp__inst_executed.sum"] = INFINITY;
  EXPECT_TRUE(
      std::isnan(value_of(features_of(infinite, some_launch(), some_gpu()), "inst_executed")));
}

TEST(Features, OfAMeasurementHaveTheValuesOfTheSameSimulation) {
  const SimOutcome sim = some_outcome();
  MeasureOutcome measured;
  measured.registers = sim.registers;
  measured.static_shared_bytes = sim.static_shared_bytes;
  measured.dynamic_shared_bytes = sim.dynamic_shared_bytes;
  measured.ctas_per_sm = 16;
  measured.samples_ms = {1.0, 2.0, 7.0};
  SimOutcome without_stalls = sim;
  without_stalls.stalls.clear();
  const auto a = features_of(without_stalls, some_launch(), some_gpu());
  const auto b = features_of(measured, sim.counters, some_launch(), sim.code_mix, some_gpu());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
        << feature_table()[i].name << ": simulated " << a[i] << ", measured " << b[i];
  }
}

TEST(Features, TakeADriversOccupancyForTheGridThatThereIs) {
  MeasureOutcome measured;
  measured.registers = 40;
  measured.ctas_per_sm = 16;
  kernel::Launch launch = some_launch();
  launch.grid = {216, 1, 1};
  const auto values = features_of(measured, {}, launch, {}, some_gpu());
  EXPECT_EQ(value_of(values, "ctas_per_sm"), 2.0) << "216 CTAs on 108 SMs";
  EXPECT_EQ(value_of(values, "warps_per_sm"), 6.0);
  EXPECT_EQ(value_of(values, "waves"), 1.0);
  EXPECT_EQ(value_of(values, "tail_wave_share"), 1.0);
}

// COULOMB_UPDATE_DOCS=1 writes the page instead.
TEST(Features, AreThePageInTheDocumentation) {
  const std::string path = home_dir() + "/docs/features.md";
  if (std::getenv("COULOMB_UPDATE_DOCS") != nullptr) {
    write_file_atomically(path, features_document());
  }
  EXPECT_EQ(read_file(path), features_document())
      << "run this test once with COULOMB_UPDATE_DOCS=1";
}

} // namespace
} // namespace coulomb::eval
