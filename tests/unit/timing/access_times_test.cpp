// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/sm/access_times.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing::sm {
namespace {

// Huerta et al., MICRO 2025, RTX A6000: cycles from issue for 4, 8 and 16 bytes per lane.
TEST(AccessTimes, AreThoseMeasuredOnAnRtxA6000) {
  struct Row {
    AccessKind kind;
    bool uniform;
    std::uint32_t release[3];
    std::uint32_t latency[3];
  };
  constexpr Row kRows[] = {
      {AccessKind::load, false, {11, 11, 11}, {32, 34, 38}},
      {AccessKind::load, true, {9, 9, 9}, {29, 31, 35}},
      {AccessKind::shared_load, false, {9, 9, 9}, {24, 24, 26}},
      {AccessKind::shared_load, true, {9, 9, 9}, {23, 23, 25}},
      {AccessKind::store, false, {14, 16, 20}, {0, 0, 0}},
      {AccessKind::store, true, {10, 12, 16}, {0, 0, 0}},
      {AccessKind::shared_store, false, {12, 14, 18}, {0, 0, 0}},
      {AccessKind::shared_store, true, {10, 12, 16}, {0, 0, 0}},
      {AccessKind::async_copy, false, {13, 13, 13}, {39, 39, 39}},
      {AccessKind::async_copy, true, {13, 13, 13}, {39, 39, 39}},
  };
  const AccessTimes times(config::load_gpu("rtx-a6000").config.sm);
  for (const Row& row : kRows) {
    for (int width = 0; width < 3; ++width) {
      const AccessTime& t = times.of(row.kind, row.uniform, static_cast<std::uint8_t>(4 << width));
      EXPECT_EQ(t.release, row.release[width]) << static_cast<int>(row.kind) << ' ' << row.uniform;
      EXPECT_EQ(t.latency, row.latency[width]) << static_cast<int>(row.kind) << ' ' << row.uniform;
    }
  }
}

TEST(AccessTimes, BytesAndHalvesCountAsWords) {
  const AccessTimes times{config::SmConfig{}};
  EXPECT_EQ(times.of(AccessKind::store, false, 1).release, 14U);
  EXPECT_EQ(times.of(AccessKind::store, false, 2).release, 14U);
}

} // namespace
} // namespace coulomb::timing::sm
