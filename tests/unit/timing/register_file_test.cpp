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
    while (!file.can_read(now, 0, t)) {
      ++now;
    }
    file.read(now, 0, t);
    if (i == 100) {
      first = now;
    }
    ++now;
  }
  return static_cast<double>(now - 1 - first) / 99.0;
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
  EXPECT_EQ(file.read(10, 0, t), 0U);
  EXPECT_EQ(file.read(20, 0, t), 2U); // the pair R2, R3 of slot 0
  EXPECT_EQ(file.read(30, 1, t), 0U); // another warp
}

TEST(RegisterFile, ReuseEntryBelongsToOneWarp) {
  RegisterFile file{config::RegisterFileConfig{}};
  const auto t = reads({{2, 0, true}, {4, 1}, {6, 2}});
  file.read(10, 0, t);
  EXPECT_TRUE(file.can_read(12, 0, t));  // 2 reads left after 13: 13 + 2 <= 12 + 3
  EXPECT_FALSE(file.can_read(12, 1, t)); // another warp needs all three ports
}

TEST(RegisterFile, ReadWithoutTheFlagDropsTheEntry) {
  RegisterFile file{config::RegisterFileConfig{}};
  file.read(0, 0, reads({{2, 0, true}}));
  file.read(10, 0, reads({{4, 0}})); // same bank and slot
  file.read(20, 0, reads({{2, 0}, {4, 1}, {6, 2}}));
  EXPECT_FALSE(file.can_read(21, 0, reads({{2, 0}, {4, 1}, {6, 2}})));
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
    (void)file.read(0, 0, t);
    (void)file.read(10, 1, t);
    EXPECT_EQ(file.read(20, 0, t), slots - 1) << slots;
    EXPECT_EQ(file.read(30, 0, t), 1U) << slots;
    EXPECT_EQ(file.read(40, 1, t), slots - 1) << slots;
  }
}

TEST(RegisterFile, UnmarkedReadTakesAFreeReuseSlotFirst) {
  config::RegisterFileConfig config;
  config.reuse_slots = 2;
  RegisterFile file{config};
  (void)file.read(0, 0, reads({{2, 0, true}}));
  (void)file.read(10, 1, reads({{4, 0}})); // passes through the second slot
  EXPECT_EQ(file.read(20, 0, reads({{2, 0}})), 1U);
  EXPECT_EQ(file.read(30, 0, reads({{2, 0}})), 0U);
}

} // namespace
} // namespace coulomb::timing::sm
