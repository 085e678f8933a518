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
double steady_interval(const InstructionTiming& t, const config::RegisterFileConfig& config = {}) {
  RegisterFile file{config};
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

/// Registers that the reuse cache held when `t` read them.
std::uint32_t held(RegisterFile& file, Cycle now, std::uint32_t warp, const InstructionTiming& t) {
  file.issue(now, warp, t);
  return file.reused();
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

TEST(RegisterFile, EightBanksServeThreeSourcesThatFourDoNot) {
  config::RegisterFileConfig config;
  config.banks = 4;
  EXPECT_DOUBLE_EQ(steady_interval(reads({{2, 0}, {6, 1}, {10, 2}}), config), 3.0);
  config.banks = 8;
  EXPECT_DOUBLE_EQ(steady_interval(reads({{2, 0}, {6, 1}, {10, 2}}), config), 2.0);
}

TEST(RegisterBanks, AsymmetricSharesAreStretchesOfNeighbours) {
  config::RegisterFileConfig config;
  config.bank_mapping = "asymmetric";
  config.bank_shares = {3, 1};
  const RegisterBanks banks(config);
  std::array<int, 2> owned{};
  for (unsigned r = 0; r < 256; ++r) {
    EXPECT_EQ(banks.of(static_cast<std::uint8_t>(r)), r % 4 == 3 ? 1U : 0U) << r;
    ++owned[banks.of(static_cast<std::uint8_t>(r))];
  }
  EXPECT_EQ(owned[0], 192);
  EXPECT_EQ(owned[1], 64);
}

TEST(RegisterFile, LargeBankNeedsTheSecondPort) {
  config::RegisterFileConfig config;
  config.bank_mapping = "asymmetric";
  config.bank_shares = {2, 1};
  const auto t = reads({{3, 0}, {4, 1}, {5, 2}}); // banks 0, 0, 1
  EXPECT_DOUBLE_EQ(steady_interval(t, config), 2.0);
  config.bank_ports = {2, 1};
  EXPECT_DOUBLE_EQ(steady_interval(t, config), 1.0);
  EXPECT_DOUBLE_EQ(steady_interval(reads({{2, 0}, {5, 1}}), config), 2.0) << "the small bank";
}

TEST(RegisterFile, WithoutReuseSlotsEveryOperandNeedsAPort) {
  config::RegisterFileConfig config;
  config.reuse_slots = 0;
  EXPECT_DOUBLE_EQ(steady_interval(reads({{2, 0, true}, {4, 1}}), config), 2.0);
}

TEST(RegisterFile, SecondReuseSlotKeepsTheOtherWarpsOperand) {
  config::RegisterFileConfig config;
  const auto t = reads({{2, 0, true}, {3, 1}});
  for (const std::uint32_t slots : {1U, 2U}) {
    config.reuse_slots = slots;
    RegisterFile file{config};
    (void)held(file, 0, 0, t);
    (void)held(file, 10, 1, t);
    EXPECT_EQ(held(file, 20, 0, t), slots - 1) << slots;
    EXPECT_EQ(held(file, 30, 0, t), 1U) << slots;
    EXPECT_EQ(held(file, 40, 1, t), slots - 1) << slots;
  }
}

TEST(RegisterFile, UnmarkedReadTakesAFreeReuseSlotFirst) {
  config::RegisterFileConfig config;
  config.reuse_slots = 2;
  RegisterFile file{config};
  (void)held(file, 0, 0, reads({{2, 0, true}}));
  (void)held(file, 10, 1, reads({{4, 0}})); // passes through the second slot
  EXPECT_EQ(held(file, 20, 0, reads({{2, 0}})), 1U);
  EXPECT_EQ(held(file, 30, 0, reads({{2, 0}})), 0U);
}

} // namespace
} // namespace coulomb::timing::sm
