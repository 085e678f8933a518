// SPDX-License-Identifier: Apache-2.0
// Bubbles as measured on the RTX A6000 by Huerta et al., MICRO 2025.
#include "sim/timing/sm/register_file.hpp"

#include <gtest/gtest.h>

namespace coulomb::timing::sm {
namespace {

InstructionTiming reads(std::initializer_list<SourceRead> sources) {
  InstructionTiming t;
  for (const auto& s : sources) {
    t.sources[t.source_count++] = s;
  }
  return t;
}

/// Cycles per instruction when the same instruction issues as often as its ports allow.
double steady_interval(const InstructionTiming& t) {
  RegisterFile file{config::RegisterFileConfig{}};
  Cycle now = 0;
  Cycle first = 0;
  for (int i = 0; i < 200; ++i) {
    if (i == 100) {
      first = now;
    }
    now = file.issue(now, 0, t);
  }
  return static_cast<double>(now - first) / 100.0;
}

/// When the second clock of the paper's listing 1 issues: clock, NOP, FFMA, FFMA with the given
/// sources, and, if asked for, one NOP more.
Cycle second_clock(std::initializer_list<SourceRead> sources, bool nop) {
  RegisterFile file{config::RegisterFileConfig{}};
  Cycle now = file.issue(0, 0, reads({}));
  now = file.issue(now, 0, reads({}));
  now = file.issue(now, 0, reads({{10, 0}, {12, 1}, {14, 2}}));
  now = file.issue(now, 0, reads(sources));
  return nop ? file.issue(now, 0, reads({})) : now;
}

TEST(RegisterFile, ReadsTwoSourcesOfDifferentBanksEveryCycle) {
  EXPECT_DOUBLE_EQ(steady_interval(reads({{2, 0}, {3, 1}})), 1.0);
}

TEST(RegisterFile, AddsOneBubbleForTwoSourcesInOneBank) {
  EXPECT_DOUBLE_EQ(steady_interval(reads({{2, 0}, {4, 1}})), 2.0);
}

TEST(RegisterFile, AddsTwoBubblesForThreeSourcesInOneBank) {
  EXPECT_DOUBLE_EQ(steady_interval(reads({{2, 0}, {4, 1}, {6, 2}})), 3.0);
}

TEST(RegisterFile, ReusedOperandNeedsNoPort) {
  EXPECT_DOUBLE_EQ(steady_interval(reads({{2, 0, true}, {4, 1}})), 1.0);
}

TEST(RegisterFile, SaysHowManyRegistersItHeld) {
  RegisterFile file{config::RegisterFileConfig{}};
  const auto t = reads({{2, 0, true, 2}, {3, 1}});
  file.issue(10, 0, t);
  EXPECT_EQ(file.reused(), 0U);
  file.issue(20, 0, t);
  EXPECT_EQ(file.reused(), 2U); // the pair R2, R3 of slot 0
  file.issue(30, 1, t);
  EXPECT_EQ(file.reused(), 0U); // another warp
  file.issue(40, 1, reads({}));
  EXPECT_EQ(file.reused(), 0U);
}

TEST(RegisterFile, HoldsTheIssueBehindTheNextInstruction) {
  EXPECT_EQ(second_clock({{16, 0}, {19, 1}, {21, 2}}, true), 5u);
  EXPECT_EQ(second_clock({{16, 0}, {18, 1}, {21, 2}}, true), 6u);
  EXPECT_EQ(second_clock({{16, 0}, {18, 1}, {20, 2}}, true), 7u);
}

TEST(RegisterFile, DoesNotHoldTheIssueRightBehindTheConflict) {
  EXPECT_EQ(second_clock({{16, 0}, {19, 1}, {21, 2}}, false), 4u);
  EXPECT_EQ(second_clock({{16, 0}, {18, 1}, {20, 2}}, false), 4u);
}

TEST(RegisterFile, ReuseEntryBelongsToOneWarp) {
  const auto t = reads({{2, 0, true}, {4, 1}, {6, 2}});
  for (const std::uint32_t second : {0U, 1U}) {
    RegisterFile file{config::RegisterFileConfig{}};
    file.issue(10, 0, t);                      // Allocate 12, reads 13 to 15
    EXPECT_EQ(file.issue(11, second, t), 12u); // its own way is free
    // It left Allocate at 14 with two reads to do, at 15 as another warp, which has three.
    EXPECT_EQ(file.issue(12, 0, reads({})), second == 0 ? 14u : 15u);
  }
}

TEST(RegisterFile, ReadWithoutTheFlagDropsTheEntry) {
  RegisterFile file{config::RegisterFileConfig{}};
  file.issue(0, 0, reads({{2, 0, true}}));
  file.issue(10, 0, reads({{4, 0}})); // same bank and slot
  file.issue(20, 0, reads({{2, 0}, {4, 1}, {6, 2}}));
  file.issue(21, 0, reads({{2, 0}, {4, 1}, {6, 2}}));
  EXPECT_EQ(file.issue(22, 0, reads({})), 25u); // three reads behind three others
}

TEST(RegisterFile, LateInstructionWaitsForNobody) {
  RegisterFile file{config::RegisterFileConfig{}};
  file.issue(0, 0, reads({{2, 0}, {4, 1}, {6, 2}}));
  EXPECT_EQ(file.issue(50, 0, reads({{2, 0}, {4, 1}, {6, 2}})), 51u);
}

} // namespace
} // namespace coulomb::timing::sm
