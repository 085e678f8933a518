// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/register_compression.hpp"

#include "sim/timing/sm/register_file.hpp"

#include <gtest/gtest.h>
#include <memory>

namespace coulomb::timing::sm {
namespace {

using Lanes = std::array<std::uint32_t, functional::kLanes>;

Lanes ramp(std::uint32_t base, std::uint32_t step) {
  Lanes lanes{};
  for (std::uint32_t l = 0; l < lanes.size(); ++l) {
    lanes[l] = base + l * step;
  }
  return lanes;
}

TEST(RegisterCompression, SizeFollowsTheLargestDelta) {
  EXPECT_EQ(RegisterCompression::parts_of(ramp(0x3f800000U, 0)), 1);
  EXPECT_EQ(RegisterCompression::parts_of(ramp(7, 4)), 3);       // 124
  EXPECT_EQ(RegisterCompression::parts_of(ramp(7, 5)), 5);       // 155
  EXPECT_EQ(RegisterCompression::parts_of(ramp(7, 1057)), 5);    // 32,767
  EXPECT_EQ(RegisterCompression::parts_of(ramp(7, 1058)), 8);    // 32,798
  EXPECT_EQ(RegisterCompression::parts_of(ramp(0, 0U - 4U)), 3); // down to -124, round zero
  Lanes odd = ramp(7, 0);
  odd[31] = 7U - 128U;
  EXPECT_EQ(RegisterCompression::parts_of(odd), 3);
  odd[31] = 7U + 128U;
  EXPECT_EQ(RegisterCompression::parts_of(odd), 5);
}

/// R4 = f(R2, R3), latency 4.
InstructionTiming add() {
  InstructionTiming t;
  t.latency = 4;
  t.sources = {SourceRead{2, 0}, SourceRead{4, 1}};
  t.source_count = 2;
  t.read = {RegisterSpan{2, 1}, RegisterSpan{4, 1}};
  t.read_count = 2;
  t.written = {4, 1};
  return t;
}

class Compressed : public ::testing::Test {
protected:
  static config::RegisterFileConfig config() {
    config::RegisterFileConfig c;
    c.compression = "base_delta";
    return c;
  }
  RegisterCompression packing_{config(), 2};
  std::unique_ptr<functional::WarpState> state_ = std::make_unique<functional::WarpState>();
};

TEST_F(Compressed, ResultIsLaterByPackingAndItsReaderByUnpacking) {
  state_->registers[4] = ramp(0, 1);
  auto effect = packing_.executed(1, add(), *state_, true, 100);
  EXPECT_EQ(effect.source_delay, 0) << "whole sources";
  EXPECT_EQ(effect.result_delay, 2);
  EXPECT_EQ(effect.writes, 1U);
  EXPECT_EQ(effect.saved, 5U);
  EXPECT_EQ(packing_.ready(1, add()), 100U + 4 + 2);
  EXPECT_EQ(packing_.ready(0, add()), 0U) << "another warp";
  effect = packing_.executed(1, add(), *state_, true, 106);
  EXPECT_EQ(effect.source_delay, 1);
  EXPECT_EQ(effect.reads, 1U);
  EXPECT_EQ(effect.saved, 10U);
  EXPECT_EQ(packing_.ready(1, add()), 106U + 4 + 1 + 2);
}

TEST_F(Compressed, PartOfAWarpLeavesTheRegisterWhole) {
  state_->registers[4] = ramp(0, 1);
  EXPECT_EQ(packing_.executed(1, add(), *state_, false, 100).writes, 0U);
  EXPECT_EQ(packing_.parts(1)(4), 8);
  EXPECT_EQ(packing_.ready(1, add()), 0U);
}

TEST_F(Compressed, NewWarpHasWholeRegisters) {
  state_->registers[4] = ramp(0, 0);
  (void)packing_.executed(1, add(), *state_, true, 100);
  EXPECT_EQ(packing_.parts(1)(4), 1);
  packing_.start(1);
  EXPECT_EQ(packing_.parts(1)(4), 8);
}

TEST_F(Compressed, TwoSmallOperandsOfOneBankAreReadInOneCycle) {
  // Cycles per instruction when the same instruction issues as often as its ports allow.
  const auto interval = [](const auto& parts) {
    RegisterFile file{config()};
    Cycle now = 0;
    Cycle first = 0;
    for (int i = 0; i < 200; ++i) {
      first = i == 100 ? now : first;
      now = file.issue(now, 0, add(), parts);
    }
    return static_cast<double>(now - first) / 100.0;
  };
  std::array<std::uint8_t, 256> sizes{};
  sizes.fill(3);
  sizes[2] = 8;
  const RegisterCompression::Parts parts{sizes};
  EXPECT_DOUBLE_EQ(interval(RegisterFile::Whole{}), 2.0);
  EXPECT_DOUBLE_EQ(interval(parts), 2.0); // 11 eighths
  sizes[2] = 5;
  EXPECT_DOUBLE_EQ(interval(parts), 1.0); // 8 eighths
}

} // namespace
} // namespace coulomb::timing::sm
