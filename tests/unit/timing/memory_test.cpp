// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/mem/crossbar.hpp"
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

/// Slice and channel wired to each other.
struct Loop final : MessageSink {
  L2Slice* slice = nullptr;
  void deliver(const MemoryMessage& m) override { slice->dram_response(m); }
};

MemoryMessage load(std::uint64_t line, std::uint8_t sectors, Cycle ready) {
  MemoryMessage m;
  m.line = line;
  m.sectors = sectors;
  m.ready = ready;
  return m;
}

config::GpuConfig a100() {
  return config::load_gpu("a100-pcie-40gb").config;
}

TEST(MemoryShare, KeepsBandwidthAndCapacityPerSm) {
  const auto gpu = a100();
  for (const std::uint32_t sms : {1U, 2U, 3U, 54U, 108U}) {
    const MemoryShare share(gpu, sms);
    EXPECT_NEAR(share.slices / share.slice_slowdown / sms, 80.0 / 108.0, 1e-12);
    EXPECT_NEAR(share.channels / share.channel_load / sms, 80.0 / 108.0, 1e-12);
  }
  EXPECT_EQ(MemoryShare(gpu, 108).slice_lines, 4096U);
}

TEST(DramChannel, StreamsAtThePeakOfItsBus) {
  const auto gpu = a100();
  Collector out;
  DramChannel channel(gpu, MemoryShare(gpu, 108), 0.0, out);
  constexpr std::uint64_t kLines = 4000;
  for (std::uint64_t i = 0; i < kLines; ++i) {
    channel.deliver(load(i * 80, 0xF, 1)); // the lines of one channel of 80
  }
  Cycle now = 1;
  while (now != kNever) {
    now = channel.tick(now);
  }
  ASSERT_EQ(out.got.size(), kLines);
  Cycle last = 0;
  for (const auto& m : out.got) {
    last = std::max(last, m.ready);
  }
  const double bytes_per_ns =
      kLines * 128.0 / (static_cast<double>(last) / (gpu.sm_clock_mhz / 1000.0));
  EXPECT_GT(bytes_per_ns, 0.93 * gpu.dram.channel_gbps); // gpu-benches: 96 % of peak for reads
  EXPECT_LE(bytes_per_ns, gpu.dram.channel_gbps);
}

TEST(DramChannel, ServesRowHitsBeforeOlderRowMisses) {
  auto gpu = a100();
  Collector out;
  DramChannel channel(gpu, MemoryShare(gpu, 108), 0.0, out);
  channel.deliver(load(0, 1, 1));
  Cycle now = channel.tick(1); // opens the row of line 0
  (void)now;
  EXPECT_EQ(channel.counters().dram_row_misses, 1U);
  for (std::uint64_t i = 1; i < 4; ++i) {
    channel.deliver(load(i * 1'000'003, 1, 2));
  }
  channel.deliver(load(1, 1, 2)); // same row as line 0
  for (now = 2; now != kNever;) {
    now = channel.tick(now);
  }
  EXPECT_EQ(channel.counters().dram_row_hits, 1U);
  ASSERT_EQ(out.got.size(), 5U);
}

TEST(DramChannel, CarriesTheTrafficOfTheSmsOutsideTheSample) {
  const auto gpu = config::load_gpu("rtx-3090").config;
  const MemoryShare share(gpu, 1);
  EXPECT_NEAR(share.channel_load, 82.0 / gpu.dram.channels, 1e-12);
  Collector out;
  DramChannel channel(gpu, share, 0.0, out);
  constexpr std::uint64_t kLines = 20'000;
  for (std::uint64_t i = 0; i < kLines; ++i) {
    channel.deliver(load(i, 0xF, 1 + i));
  }
  for (Cycle now = 1; now != kNever;) {
    now = channel.tick(now);
  }
  EXPECT_EQ(out.got.size(), kLines); // nobody else is answered
  const auto counted = channel.counters().dram_row_hits + channel.counters().dram_row_misses;
  EXPECT_NEAR(static_cast<double>(counted), kLines, 0.01 * kLines); // a row may be opened twice
  const double sector = 32.0 / gpu.dram.channel_gbps * gpu.sm_clock_mhz / 1000.0;
  EXPECT_NEAR(channel.busy_cycles() / (kLines * 4 * sector), share.channel_load, 0.02);
}

TEST(DramChannel, RowsThatNeighboursOpenNeedNoActivationOfTheSample) {
  const auto gpu = a100(); // a sample's row has 2 lines, a quarter of 8
  EXPECT_EQ(stretch_lines(gpu), 2U);
  const auto activations = [&](std::uint32_t sms, double neighbour_share) {
    Collector out;
    DramChannel channel(gpu, MemoryShare(gpu, sms), neighbour_share, out);
    constexpr std::uint64_t kLines = 4000;
    for (std::uint64_t i = 0; i < kLines; ++i) {
      channel.deliver(load(i * 2 * 80, 0xF, 1 + 20 * i)); // every one in a row of its own
    }
    for (Cycle now = 1; now != kNever;) {
      now = channel.tick(now);
    }
    EXPECT_EQ(out.got.size(), kLines);
    return static_cast<double>(channel.counters().dram_row_misses) / kLines;
  };
  EXPECT_NEAR(activations(1, 0.0), 1.0, 0.01);
  EXPECT_NEAR(activations(1, 0.5), 0.5, 0.05);
  EXPECT_EQ(activations(1, 1.0), 0.0);
  EXPECT_EQ(activations(108, 0.5), activations(108, 0.0)); // all of the chip opens its own rows
}

TEST(L2Slice, MissGoesToDramOnceAndAnswersEveryWaiter) {
  const auto gpu = a100();
  const MemoryShare share(gpu, 108);
  Collector answers;
  Loop loop;
  DramChannel channel(gpu, share, 0.0, loop);
  const ReuseEstimate none;
  L2Slice slice(gpu, {share, true}, 0, none, answers, channel);
  loop.slice = &slice;
  slice.deliver(load(5, 0b0011, 10));
  slice.deliver(load(5, 0b0110, 11));
  Cycle now = 10;
  while (now != kNever) {
    now = std::min(slice.tick(now), channel.tick(now));
  }
  EXPECT_EQ(slice.counters().dram_read_sectors, 3U); // sector 1 is asked for once
  unsigned delivered = 0;
  for (const auto& m : answers.got) {
    delivered += static_cast<unsigned>(__builtin_popcount(m.sectors));
  }
  EXPECT_EQ(delivered, 4U); // two sectors for each of the two requests
  // Idle DRAM: latency_ns after the slice, give or take the rounding of its parts to cycles.
  // The second sector is in the row of the first, so its bank group's gap comes on top.
  const double burst = 32.0 / gpu.dram.channel_gbps;
  const double gap = burst * (gpu.dram.t_ccd_l_clocks - gpu.dram.t_ccd_s_clocks) / 2;
  const auto expected = 10.0 + (gpu.dram.latency_ns + gap) * gpu.sm_clock_mhz / 1000.0;
  EXPECT_NEAR(static_cast<double>(answers.got[0].ready), expected, 8.0);
}

TEST(L2Slice, HitsAreServedAtTheSlicesBandwidth) {
  const auto gpu = a100();
  const MemoryShare share(gpu, 108);
  Collector answers;
  Collector dram;
  const ReuseEstimate all({{0, 100'000, 1.0}});
  L2Slice slice(gpu, {share, true}, 0, all, answers, dram);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    slice.deliver(load(i, 0xF, 1));
  }
  for (Cycle now = 1; now != kNever;) {
    now = slice.tick(now);
  }
  EXPECT_TRUE(dram.got.empty());
  // One tag lookup, then the data port back to back.
  EXPECT_NEAR(static_cast<double>(answers.got.back().ready),
              1 + 1 + 1000.0 * 128 / gpu.l2.slice_bytes_per_cycle, 2.0);
}

TEST(L2Slice, StoreThatStaysInL2NeverReachesDram) {
  const auto gpu = a100();
  const MemoryShare share(gpu, 108);
  Collector answers;
  for (const bool reaches : {true, false}) {
    Collector dram;
    const ReuseEstimate none;
    L2Slice slice(gpu, {share, reaches}, 0, none, answers, dram);
    auto m = load(3, 0xF, 1);
    m.kind = MessageKind::store;
    slice.deliver(m);
    slice.deliver(m); // the second store finds it dirty
    for (Cycle now = 1; now != kNever;) {
      now = slice.tick(now);
    }
    EXPECT_EQ(slice.counters().dram_write_sectors, reaches ? 4U : 0U);
  }
}

TEST(L2Slice, AcknowledgesEveryStoreAndBringsNoDataForIt) {
  const auto gpu = a100();
  const MemoryShare share(gpu, 108);
  Collector answers;
  Collector dram;
  const ReuseEstimate none;
  L2Slice slice(gpu, {share, false}, 0, none, answers, dram);
  auto m = load(3, 0xF, 10);
  m.kind = MessageKind::store;
  slice.deliver(m);
  slice.tick(10);
  ASSERT_EQ(answers.got.size(), 1U);
  EXPECT_EQ(answers.got[0].kind, MessageKind::store);
  EXPECT_EQ(answers.got[0].ready, 12U); // tag lookup, then the word that L2 has it
}

TEST(L2Slice, AnswersAnAtomicWithDataOnlyIfItsResultIsWanted) {
  const auto gpu = a100();
  const MemoryShare share(gpu, 108);
  Collector answers;
  Collector dram;
  const ReuseEstimate none;
  L2Slice slice(gpu, {share, false}, 0, none, answers, dram);
  auto m = load(3, 0b0001, 10);
  m.kind = MessageKind::atomic;
  slice.deliver(m);
  m.tag = 7;
  m.order = 1;
  slice.deliver(m);
  for (Cycle now = 10; now < 20; ++now) {
    slice.tick(now);
  }
  ASSERT_EQ(answers.got.size(), 2U);
  EXPECT_TRUE(answers.got[0].only_acknowledged());
  EXPECT_EQ(answers.got[0].ready, 17U); // tag lookup, atomic unit 1 + 4, the word that it is done
  EXPECT_FALSE(answers.got[1].only_acknowledged());
  EXPECT_EQ(answers.got[1].tag, 7U);
  EXPECT_EQ(slice.counters().l2_atomic_sectors, 2U);
}

TEST(L2Slice, StopsAcceptingWhileDramCannotTakeItsWrites) {
  auto gpu = a100();
  gpu.l2.write_entries = 4;
  const MemoryShare share(gpu, 108);
  Collector answers;
  Collector dram; // takes writes and never says that they are done
  const ReuseEstimate none;
  L2Slice slice(gpu, {share, true}, 0, none, answers, dram);
  for (std::uint64_t i = 0; i < 10; ++i) {
    auto m = load(i, 0xF, 1);
    m.kind = MessageKind::store;
    slice.deliver(m);
  }
  for (Cycle now = 1; now < 1000; ++now) {
    slice.tick(now);
  }
  EXPECT_EQ(dram.got.size(), 4U);
  EXPECT_EQ(answers.got.size(), 4U);
  MemoryMessage done = dram.got[0];
  done.ready = 1001;
  slice.dram_response(done);
  for (Cycle now = 1001; now < 1100; ++now) {
    slice.tick(now);
  }
  EXPECT_EQ(answers.got.size(), 5U); // one write done, one more store taken
}

TEST(DramChannel, ReadAfterWritesWaitsForTheTurnaround) {
  const auto gpu = a100();
  Collector out;
  DramChannel channel(gpu, MemoryShare(gpu, 108), 0.0, out);
  auto write = load(0, 0xF, 1);
  write.kind = MessageKind::store;
  channel.deliver(write);
  channel.deliver(load(80, 0xF, 25)); // arrives while the write is under way
  for (Cycle now = 1; now != kNever;) {
    now = channel.tick(now);
  }
  ASSERT_EQ(out.got.size(), 2U);
  EXPECT_EQ(out.got[0].kind, MessageKind::store);
  const auto cycles = [&](double ns) { return ns * gpu.sm_clock_mhz / 1000.0; };
  const double written = static_cast<double>(out.got[0].ready);
  // Four sectors of one row, so of one bank group.
  const double line = cycles(32.0 / gpu.dram.channel_gbps) *
                      (3.0 * gpu.dram.t_ccd_l_clocks / gpu.dram.burst_clocks + 1.0);
  const double fixed = cycles(gpu.dram.latency_ns - gpu.dram.t_rcd_ns - gpu.dram.t_cl_ns);
  EXPECT_NEAR(static_cast<double>(out.got[1].ready),
              written + cycles(gpu.dram.t_wtr_ns + gpu.dram.t_cl_ns) + line + fixed, 4.0);
}

TEST(Crossbar, NeighbouringLinesUseEverySliceOnce) {
  const auto gpu = config::load_gpu("rtx-3090").config;
  const Crossbar crossbar(gpu, MemoryShare(gpu, gpu.sms), gpu.sms);
  for (const std::uint64_t group : {0ULL, 7ULL, 123'456ULL}) {
    std::vector<int> uses(gpu.l2.slices, 0);
    for (std::uint64_t i = 0; i < gpu.l2.slices; ++i) {
      ++uses[crossbar.slice_of(group * gpu.l2.slices + i)];
    }
    EXPECT_EQ(std::count(uses.begin(), uses.end(), 1), gpu.l2.slices);
  }
}

} // namespace
} // namespace coulomb::timing::mem
