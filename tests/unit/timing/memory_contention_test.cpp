// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/mem/dram_channel.hpp"
#include "sim/timing/mem/l2_slice.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace coulomb::timing::mem {
namespace {

struct Collector final : MessageSink {
  std::vector<MemoryMessage> got;
  void deliver(const MemoryMessage& m) override { got.push_back(m); }
};

config::GpuConfig a100() {
  return config::load_gpu("a100-pcie-40gb").config;
}

MemoryMessage request(std::uint64_t line, MessageKind kind, std::uint64_t order) {
  MemoryMessage m;
  m.line = line;
  m.kind = kind;
  m.sectors = 0xF;
  m.ready = 10;
  m.order = order;
  return m;
}

/// Arrival cycles of the answers of one slice.
std::vector<Cycle> answers(const config::GpuConfig& gpu, const std::vector<MemoryMessage>& all) {
  Collector out;
  Collector dram;
  const ReuseEstimate none;
  L2Slice slice(gpu, {MemoryShare(gpu, gpu.sms), false}, 0, none, out, dram);
  for (const MemoryMessage& m : all) {
    slice.deliver(m);
  }
  for (Cycle now = 10; now != kNever;) {
    now = slice.tick(now);
  }
  std::vector<Cycle> ready;
  for (const MemoryMessage& m : out.got) {
    ready.push_back(m.ready);
  }
  return ready;
}

/// Two atomics, each on `sectors` of its line; `lanes` of its warp want one address.
std::vector<MemoryMessage>
atomics(std::uint64_t first, std::uint64_t second, unsigned lanes, std::uint8_t sectors) {
  std::vector<MemoryMessage> all = {request(first, MessageKind::atomic, 0),
                                    request(second, MessageKind::atomic, 1)};
  for (MemoryMessage& m : all) {
    m.sectors = sectors;
    m.same_address = static_cast<std::uint8_t>(lanes & 0x7FU);
  }
  return all;
}

TEST(AtomicUnit, TakesACycleForEachSector) {
  // Lookups end at 11 and 12, the unit is done at 15 and 19, plus 4 and the word that it is done.
  EXPECT_EQ(answers(a100(), atomics(3, 4, 1, 0xF)), (std::vector<Cycle>{20, 24}));
}

TEST(AtomicUnit, OperationsOnOneAddressFollowEachOtherEightACycle) {
  // The unit is done at 12 and 13, the address at 15 and 19.
  EXPECT_EQ(answers(a100(), atomics(3, 3, 32, 0x1)), (std::vector<Cycle>{20, 24}));
  EXPECT_EQ(answers(a100(), atomics(3, 4, 32, 0x1)), (std::vector<Cycle>{20, 21}))
      << "different lines";
  EXPECT_EQ(answers(a100(), atomics(3, 3, 1, 0x1)), (std::vector<Cycle>{17, 18}))
      << "one lane each";
}

TEST(AtomicUnit, ItsIntervalChangesContendedAtomicsAndNoStore) {
  auto slow = a100();
  slow.l2.atomic_same_address_interval = 1;
  EXPECT_EQ(answers(slow, atomics(3, 3, 32, 0x1)), (std::vector<Cycle>{48, 80}));
  const std::vector<MemoryMessage> stores = {request(3, MessageKind::store, 0),
                                             request(4, MessageKind::store, 1)};
  EXPECT_EQ(answers(slow, stores), answers(a100(), stores));
}

/// Arrival cycles of the answers of one channel, whose requests are all there in cycle 1.
std::vector<Cycle> dram_answers(const config::GpuConfig& gpu, std::vector<MemoryMessage> all) {
  Collector out;
  DramChannel channel(gpu, MemoryShare(gpu, gpu.sms), 0.0, out);
  for (MemoryMessage& m : all) {
    m.ready = 1;
    channel.deliver(m);
  }
  for (Cycle now = 1; now != kNever;) {
    now = channel.tick(now);
  }
  std::vector<Cycle> ready;
  for (const MemoryMessage& m : out.got) {
    ready.push_back(m.ready);
  }
  return ready;
}

/// Cycles from the first line's data to the last one's; the channel reads `lines` lines, every
/// `step`-th of its own.
Cycle span(const config::GpuConfig& gpu, std::uint64_t lines, std::uint64_t step) {
  std::vector<MemoryMessage> all;
  for (std::uint64_t i = 0; i < lines; ++i) {
    all.push_back(request(i * step * gpu.dram.channels, MessageKind::load, i));
  }
  const std::vector<Cycle> ready = dram_answers(gpu, all);
  const auto [first, last] = std::minmax_element(ready.begin(), ready.end());
  return *last - *first;
}

TEST(BankGroups, AStreamOfOneGroupIsHalfAsFastAsTheBusAndAStreamOfAllFillsIt) {
  auto gpu = a100();                // a sector takes 2.32 cycles of the bus and 4.64 of its group
  EXPECT_EQ(span(gpu, 8, 4), 129U); // 7 lines of 4 sectors after the first, 4.64 each, rounded down
  EXPECT_EQ(span(gpu, 8, 1), 64U);  // the bus: 7 lines of 4 sectors, 2.32 each
  gpu.dram.t_ccd_l_clocks = 2;
  EXPECT_EQ(span(gpu, 8, 4), 65U);
}

TEST(BankGroups, TheBusTurnsAroundBehindTheLastDataAlsoIfGapsAreLeftOnIt) {
  auto gpu = a100();
  const std::uint64_t neighbour =
      gpu.dram.channels; // is in another group; the first read opens its row
  std::vector<MemoryMessage> all = {request(neighbour, MessageKind::load, 0),
                                    request(0, MessageKind::load, 1),
                                    request(neighbour, MessageKind::store, 2)};
  all[0].sectors = all[2].sectors = 0x1;
  const Cycle spread = dram_answers(gpu, all).back();
  gpu.dram.t_ccd_l_clocks = 2;
  // The second read's data end after 3 x 4.64 + 2.32 cycles instead of 4 x 2.32, rounded up: 17,
  // not 10.
  EXPECT_EQ(spread - dram_answers(gpu, all).back(), 7U);
}

TEST(DramBank, PrechargesAReadTimeAfterTheLastReadCommandOfALine) {
  auto gpu = a100();
  gpu.dram.banks = 1;
  gpu.dram.bank_groups = 1;
  gpu.dram.t_ras_ns = gpu.dram.t_rcd_ns; // else tRAS ends later than what is looked at
  const std::uint64_t next_row = std::uint64_t{gpu.dram.channels} * gpu.dram.row_bytes / 128;
  std::vector<MemoryMessage> all = {request(0, MessageKind::load, 0),
                                    request(next_row, MessageKind::load, 1)};
  const Cycle lines = dram_answers(gpu, all).back();
  gpu.dram.t_rtp_ns = 0;
  EXPECT_EQ(lines - dram_answers(gpu, all).back(), 7U); // 5 ns at 1,410 MHz
  gpu.dram.t_rtp_ns = a100().dram.t_rtp_ns;
  all[0].sectors = 0x1; // its read command is the last one: 3 x 4.64 cycles less, rounded down
  EXPECT_EQ(lines - dram_answers(gpu, all).back(), 13U);
}

} // namespace
} // namespace coulomb::timing::mem
