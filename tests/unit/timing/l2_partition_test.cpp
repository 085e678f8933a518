// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/mem/crossbar.hpp"
#include "sim/timing/mem/l2_slice.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace coulomb::timing::mem {
namespace {

config::GpuConfig a100() {
  return config::load_gpu("a100-pcie-40gb").config;
}

MemoryMessage message(std::uint64_t line, MessageKind kind, Cycle ready) {
  MemoryMessage m;
  m.line = line;
  m.kind = kind;
  m.sectors = 1;
  m.ready = ready;
  return m;
}

/// A sample's slice, which stands for both partitions, behind the crossbar of one SM (number 0).
class OneSlice final : private MessageSink {
public:
  explicit OneSlice(const ReuseEstimate& reuse)
      : reuse_(reuse), share_(gpu_, 1), crossbar_(gpu_, share_, 1),
        slice_(gpu_, {MemoryShare(gpu_, gpu_.sms), false}, 0, reuse_, *this, dram_) {}

  /// Cycles from sending to the answer's arrival.
  Cycle time(std::uint64_t line, MessageKind kind = MessageKind::load) {
    slice_.deliver(crossbar_.route_request(message(line, kind, now_)));
    const Cycle sent = now_;
    arrived_ = kNever;
    for (Cycle next = now_; next != kNever; next = slice_.tick(next)) {
      now_ = next;
    }
    now_ += 1000;
    return arrived_ - sent;
  }
  /// First line of the granules whose home is near to SM 0, or far from it.
  std::uint64_t line(bool far) {
    std::uint64_t l = 0;
    while (crossbar_.route_request(message(l, MessageKind::load, 0)).far != far) {
      l += 64;
    }
    return l;
  }
  [[nodiscard]] const MemoryCounters& counters() const { return slice_.counters(); }
  [[nodiscard]] const config::GpuConfig& gpu() const { return gpu_; }

private:
  struct Nowhere final : MessageSink {
    void deliver(const MemoryMessage&) override { ADD_FAILURE() << "nothing should reach DRAM"; }
  };
  void deliver(const MemoryMessage& m) override {
    const MemoryMessage routed = crossbar_.route_response(m);
    if (routed.hop == Hop::direct) {
      arrived_ = routed.ready;
    } else {
      slice_.deliver(routed);
    }
  }

  config::GpuConfig gpu_ = a100();
  ReuseEstimate reuse_;
  MemoryShare share_;
  Crossbar crossbar_;
  Nowhere dram_;
  L2Slice slice_;
  Cycle now_ = 10;
  Cycle arrived_ = kNever;
};

constexpr std::uint64_t kAll = std::uint64_t{1} << 40U;

TEST(L2Partitions, FirstLoadOfAFarLineCrossesOverAndTheSecondFindsTheCopy) {
  OneSlice l2(ReuseEstimate({{0, kAll, 1.0, 0.0}})); // every line is in its home
  const Cycle near = l2.time(l2.line(false));
  const std::uint64_t far = l2.line(true);
  EXPECT_EQ(l2.time(far), near + l2.gpu().l2.far_extra_latency);
  EXPECT_EQ(l2.time(far), near);
  EXPECT_EQ(l2.counters().l2_partition_sectors, 1U);
  EXPECT_EQ(l2.counters().l2_read_sectors, 3U); // what the SM asked for, not what crossed over
  EXPECT_EQ(l2.counters().l2_sector_hits, 3U);
  EXPECT_EQ(l2.counters().l2_sector_misses, 0U);
}

TEST(L2Partitions, CopiesThatAnEarlierLaunchLeftAreNear) {
  OneSlice l2(ReuseEstimate({{0, kAll, 1.0, 1.0}}));
  EXPECT_EQ(l2.time(l2.line(true)), l2.time(l2.line(false)));
  EXPECT_EQ(l2.counters().l2_partition_sectors, 0U);
}

TEST(L2Partitions, StoresGoToTheHomeThereAndBack) {
  OneSlice l2(ReuseEstimate{});
  const Cycle near = l2.time(l2.line(false), MessageKind::store);
  const Cycle far = l2.time(l2.line(true), MessageKind::store);
  // Ports are passed once, so less than a load's extra latency by three of them.
  EXPECT_EQ(far, near + l2.gpu().l2.far_extra_latency - 3);
}

TEST(L2Partitions, WholeChipSendsAFarLoadToTheSliceOfTheSmsOwnPartition) {
  const auto gpu = a100();
  Crossbar crossbar(gpu, MemoryShare(gpu, gpu.sms), gpu.sms);
  std::uint64_t far = 0;
  while (!crossbar.route_request(message(far, MessageKind::load, 0)).far) {
    far += 64;
  }
  auto asked = crossbar.route_request(message(far, MessageKind::load, 0));
  const auto stored = crossbar.route_request(message(far, MessageKind::store, 0));
  EXPECT_LT(asked.slice, gpu.l2.slices / 2); // SM 0 is in the first partition
  EXPECT_EQ(stored.slice, asked.slice + gpu.l2.slices / 2);
  EXPECT_EQ(stored.slice, crossbar.slice_of(far));
  asked.hop = Hop::to_home;
  EXPECT_EQ(crossbar.route_response(asked).slice, stored.slice);
  asked.hop = Hop::to_copy;
  EXPECT_EQ(crossbar.route_response(asked).slice, stored.slice - gpu.l2.slices / 2);
  EXPECT_EQ(crossbar.lookahead(), (gpu.l2.far_extra_latency - 3) / 2);
}

/// Both partitions full of loads for each other: neither may wait for the other for ever.
TEST(L2Partitions, LoadsThatCrossOverBothWaysNeverBlockEachOther) {
  auto gpu = a100();
  gpu.l2.miss_entries = 2;
  struct Pair final : MessageSink {
    std::vector<L2Slice*> slices;
    Crossbar* crossbar = nullptr;
    unsigned answered = 0;
    void deliver(const MemoryMessage& m) override {
      const MemoryMessage r = crossbar->route_response(m);
      if (r.hop == Hop::direct) {
        ++answered;
      } else {
        slices[r.slice / 40]->deliver(r);
      }
    }
  } pair;
  struct Dram final : MessageSink {
    L2Slice* slice = nullptr;
    void deliver(const MemoryMessage& m) override {
      MemoryMessage back = m;
      back.ready += 300;
      slice->dram_response(back);
    }
  } drams[2];
  const MemoryShare share(gpu, gpu.sms);
  Crossbar crossbar(gpu, share, gpu.sms);
  pair.crossbar = &crossbar;
  const ReuseEstimate none;
  L2Slice low(gpu, {share, false}, 0, none, pair, drams[0]);
  L2Slice high(gpu, {share, false}, 40, none, pair, drams[1]);
  pair.slices = {&low, &high};
  drams[0].slice = &low;
  drams[1].slice = &high;
  unsigned sent = 0;
  for (std::uint64_t line = 0; line < 20'000; ++line) {
    for (const std::uint32_t sm : {0U, 107U}) {
      auto m = message(line, MessageKind::load, 1);
      m.sm = sm;
      m.order = line * 2 + (sm == 0 ? 0 : 1);
      m = crossbar.route_request(m);
      if (m.slice % 40 == 0 && m.far) {
        pair.slices[m.slice / 40]->deliver(m);
        ++sent;
      }
    }
  }
  for (Cycle now = 1; now < 400'000; ++now) {
    low.tick(now);
    high.tick(now);
  }
  EXPECT_GT(sent, 100U);
  EXPECT_EQ(pair.answered, sent);
  EXPECT_TRUE(low.idle() && high.idle());
}

} // namespace
} // namespace coulomb::timing::mem
