// SPDX-License-Identifier: Apache-2.0
#include "hw/replay/replay_device.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::hw {
namespace {

using eval::EvalStatus;
using ::testing::HasSubstr;

kernel::Configuration block(std::int64_t x, std::int64_t y) {
  return kernel::Configuration({{"block_size_x", x}, {"block_size_y", y}});
}

results::SiliconTable table() {
  results::SiliconTable t;
  t.path = "table.csv";
  t.metadata.path = "table.toml";
  t.metadata.spec = "toy";
  t.rows = {{0, block(32, 1), EvalStatus::ok, 1.5, ""},
            {1, block(64, 1), EvalStatus::compile_failed, std::nullopt, ""},
            {2, block(128, 1), EvalStatus::ok, 0.5, "its clock is uncertain"}};
  return t;
}

std::string error_of(const ReplayDevice& device, const kernel::Configuration& c) {
  try {
    (void)device.measure(c);
  } catch (const UserError& e) {
    return std::string(e.what()) + " | " + e.hint();
  }
  return "no error";
}

TEST(ReplayDevice, AnswersWhatWasRecordedFailuresIncluded) {
  const ReplayDevice device(table());
  EXPECT_EQ(device.measure(block(32, 1)).time_ms, 1.5);
  EXPECT_EQ(device.measure(block(64, 1)).status, EvalStatus::compile_failed);
}

TEST(ReplayDevice, IgnoresParametersThatTheTableDoesNotKnow) {
  const ReplayDevice device(table());
  const kernel::Configuration more({{"block_size_y", std::int64_t{1}},
                                    {"filter", std::int64_t{15}},
                                    {"block_size_x", std::int64_t{32}}});
  EXPECT_EQ(device.measure(more).row, 0U);
}

TEST(ReplayDevice, NamesTheNearestRowForOneThatWasNeverMeasured) {
  const ReplayDevice device(table());
  EXPECT_EQ(error_of(device, block(64, 2)),
            "table.csv: block_size_x=64 block_size_y=2 was never measured | nearest recorded: "
            "block_size_x=64 block_size_y=1");
}

TEST(ReplayDevice, SaysWhyARowDoesNotCount) {
  const ReplayDevice device(table());
  EXPECT_EQ(error_of(device, block(128, 1)),
            "table.csv: the measurement of block_size_x=128 block_size_y=1 does not count: its "
            "clock is uncertain | see table.toml");
}

TEST(ReplayDevice, RefusesAnotherKernelsConfigurationAndTwoRowsOfOne) {
  const ReplayDevice device(table());
  EXPECT_THAT(error_of(device, kernel::Configuration({{"n", std::int64_t{1}}})),
              HasSubstr("it records block_size_x, which the configuration n=1 does not have"));
  auto twice = table();
  twice.rows.push_back(twice.rows.front());
  EXPECT_THROW(ReplayDevice{twice}, UserError);
}

} // namespace
} // namespace coulomb::hw
