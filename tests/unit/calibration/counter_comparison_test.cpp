// SPDX-License-Identifier: Apache-2.0
#include "calibration/counter_comparison.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using testing::HasSubstr;

const std::map<std::string, double> kSilicon = {
    {"smsp__inst_executed.sum", 1000.0},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 64.0},
    {"dram__bytes_read.sum", 4096.0}};

TEST(CounterComparison, IsInCausalOrder) {
  const auto comparison = compare_counters(hw::ChipFamily::ga100, kSilicon, kSilicon);
  ASSERT_EQ(comparison.counters.size(), 3U);
  EXPECT_EQ(comparison.counters[0].stage, CausalStage::work);
  EXPECT_EQ(comparison.counters[1].stage, CausalStage::l1);
  EXPECT_EQ(comparison.counters[2].stage, CausalStage::dram);
  EXPECT_FALSE(comparison.first_divergence());
}

TEST(CounterComparison, NamesTheFirstThatDivergesWhateverFollows) {
  auto simulated = kSilicon;
  simulated["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 80.0;
  simulated["dram__bytes_read.sum"] = 40960.0;
  const auto comparison = compare_counters(hw::ChipFamily::ga100, simulated, kSilicon);
  EXPECT_EQ(comparison.first_divergence(), 1U);
  EXPECT_THAT(to_text(comparison), HasSubstr("1.25   <- diverges here first"));
  EXPECT_THAT(to_text(comparison), HasSubstr("10.00   (after it)"));
}

TEST(CounterComparison, AFewPerCentAreTheReplaysOwn) {
  auto simulated = kSilicon;
  simulated["smsp__inst_executed.sum"] = 1049.0;
  EXPECT_FALSE(compare_counters(hw::ChipFamily::ga100, simulated, kSilicon).first_divergence());
  simulated["smsp__inst_executed.sum"] = 1051.0;
  EXPECT_TRUE(compare_counters(hw::ChipFamily::ga100, simulated, kSilicon).first_divergence());
}

TEST(CounterComparison, NothingAgainstSomethingDiverges) {
  const ComparedCounter counter{CausalStage::l2, "c", 5.0, 0.0, false};
  EXPECT_TRUE(std::isinf(counter.ratio()));
  EXPECT_EQ((ComparedCounter{CausalStage::l2, "c", 0.0, 0.0, false}).ratio(), 1.0);
}

} // namespace
} // namespace coulomb::calibration
