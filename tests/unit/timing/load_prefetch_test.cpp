// SPDX-License-Identifier: Apache-2.0
// The load/store unit with a prefetcher: what it asks L2 for, and what loads find.
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/sm/load_store_unit.hpp"

#include <gtest/gtest.h>
#include <optional>
#include <vector>

namespace coulomb::timing::sm {
namespace {

struct Requests final : MessageSink {
  std::vector<MemoryMessage> all;
  void deliver(const MemoryMessage& m) override { all.push_back(m); }
};

/// One warp that loads one line after another.
class LoadPrefetch : public ::testing::Test {
protected:
  void start(const char* policy) {
    gpu_.sm.l1.prefetch.policy = policy;
    unit_.emplace(gpu_, 0, true, requests_, releases_, counters_);
  }
  void load(std::uint64_t line) {
    MemoryInstruction& m = unit_->slot(0);
    m = MemoryInstruction{};
    m.path = MemoryPath::l1;
    m.load = true;
    m.write_barrier = 0;
    m.pc = 0x40;
    m.address = line * kLineBytes;
    m.access.line_count = 1;
    m.access.sector_count = 4;
    m.access.lines[0] = {line, 0xF, 0};
    Cycle next = unit_->enqueue(0, now_);
    for (; next != kNever; next = unit_->tick(now_)) {
      now_ = next;
    }
    now_ += 100;
  }
  /// L2 answers everything it was asked for since the last time; returns the lines.
  std::vector<std::uint64_t> answer() {
    std::vector<std::uint64_t> lines;
    for (; answered_ < requests_.all.size(); ++answered_) {
      lines.push_back(requests_.all[answered_].line);
      unit_->response(requests_.all[answered_], now_);
    }
    return lines;
  }

  config::GpuConfig gpu_ = config::load_gpu("a100-pcie-40gb").config;
  Requests requests_;
  TimingWheel<Release> releases_;
  SmCounters counters_;
  std::optional<LoadStoreUnit> unit_;
  Cycle now_ = 0;
  std::size_t answered_ = 0;
};

using Lines = std::vector<std::uint64_t>;

TEST_F(LoadPrefetch, IsSilentByDefault) {
  start("off");
  for (std::uint64_t line = 10; line < 16; ++line) {
    load(line);
    EXPECT_EQ(answer(), Lines{line});
  }
  EXPECT_EQ(counters_.prefetch_sectors, 0U);
}

TEST_F(LoadPrefetch, FetchesTwoStridesAheadOnceTheStrideIsConfirmed) {
  start("stride");
  load(10);
  load(13);
  EXPECT_EQ(answer(), (Lines{10, 13}));
  load(16);
  EXPECT_EQ(answer(), (Lines{16, 22}));
  load(19);
  EXPECT_EQ(answer(), (Lines{19, 25}));
  load(22);
  EXPECT_EQ(answer(), (Lines{28})) << "the load finds its line";
  EXPECT_EQ(counters_.prefetch_sectors, 12U);
  EXPECT_EQ(counters_.prefetch_useful, 4U);
  EXPECT_EQ(counters_.prefetch_late, 0U);
  EXPECT_EQ(counters_.l1_sector_hits, 4U);
  EXPECT_TRUE(unit_->idle());
}

TEST_F(LoadPrefetch, CountsThoseThatALoadCatchesUnderWayAndFetchesThemOnce) {
  start("stride");
  for (const std::uint64_t line : {10, 11, 12, 13, 14}) {
    load(line); // 12 asks for 14 as well
  }
  EXPECT_EQ(answer(), (Lines{10, 11, 12, 14, 13, 15, 16}));
  EXPECT_EQ(counters_.prefetch_late, 4U);
  EXPECT_EQ(counters_.prefetch_useful, 0U);
  EXPECT_EQ(counters_.l1_sector_misses, 20U);
}

TEST_F(LoadPrefetch, CountsThoseThatAreEvictedUnused) {
  gpu_.sm.l1.size = 2 * kLineBytes; // one set of two ways
  start("stride");
  for (const std::uint64_t line : {10, 11, 12}) {
    load(line);
    (void)answer();
  }
  EXPECT_EQ(counters_.prefetch_unused, 0U);
  load(100);
  load(200);
  EXPECT_EQ(counters_.prefetch_unused, 4U) << "line 14";
}

TEST_F(LoadPrefetch, LeavesAQuarterOfTheMissStatusEntriesToLoads) {
  gpu_.sm.l1.miss_status_entries = 4;
  start("stride");
  load(10);
  load(11);
  load(12); // the third entry is the last that a prefetch would have to leave
  EXPECT_EQ(answer(), (Lines{10, 11, 12}));
  EXPECT_EQ(counters_.prefetch_dropped, 4U);
}

TEST_F(LoadPrefetch, StaysInItsPage) {
  start("stride");
  const std::uint64_t end = gpu_.tlb.page_size / kLineBytes;
  for (std::uint64_t line = end - 3; line < end; ++line) {
    load(line);
  }
  EXPECT_EQ(answer(), (Lines{end - 3, end - 2, end - 1}));
}

} // namespace
} // namespace coulomb::timing::sm
