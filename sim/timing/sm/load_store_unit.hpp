// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/counters.hpp"
#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/lru_tags.hpp"
#include "sim/timing/pending_lines.hpp"
#include "sim/timing/ports.hpp"
#include "sim/timing/sm/access_times.hpp"
#include "sim/timing/sm/coalescer.hpp"
#include "sim/timing/sm/release.hpp"
#include "sim/timing/sm/stride_prefetcher.hpp"
#include "sim/timing/sm/tlb.hpp"
#include "sim/timing/timing_wheel.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace coulomb::timing::sm {

/// A memory or shuffle instruction on its way through the load/store unit.
struct MemoryInstruction {
  Cycle ready = 0; ///< address generation done
  std::uint32_t generation = 0;
  std::uint16_t warp = 0;
  std::uint8_t sub_core = 0;
  std::uint8_t write_barrier = isa::kNoBarrier;
  std::uint8_t read_barrier = isa::kNoBarrier;
  MemoryPath path = MemoryPath::none;
  std::uint8_t bytes = 4;
  bool load = false;
  bool store = false;
  bool atomic = false;
  bool local = false;
  bool bypass_l1 = false;
  bool async_copy = false;
  bool uniform_address = false;
  std::uint8_t source_delay = 0;  ///< cycles until a compressed address or datum is unpacked
  std::uint8_t result_delay = 0;  ///< and until the result is packed
  std::uint32_t pc = 0;           ///< bytes from the kernel's begin
  std::uint64_t address = 0;      ///< byte address of the first lane that accesses memory
  std::uint32_t passes = 1;       ///< through the SM's data or tag stage
  std::uint32_t extra_passes = 0; ///< of them, those that delay the result
  std::uint32_t overhead = 0;     ///< cycles of the stage beside the passes; delay the result too
  CoalescedAccess access;         ///< path l1 only
};

/// The memory side of an SM: one short in-order queue per sub-core with an address generator each,
/// the shared stage that feeds L1/shared memory, the sectored L1 with its miss-status entries, and
/// the port to the crossbar. Sources: Huerta et al., MICRO 2025 (queues, address generation 1 per 4
/// cycles, SM stage); gpu-benches (rates).
class LoadStoreUnit {
public:
  /// `warm_translations`: see Tlb.
  LoadStoreUnit(const config::GpuConfig& config,
                std::uint32_t sm,
                bool warm_translations,
                MessageSink& to_crossbar,
                TimingWheel<Release>& releases,
                SmCounters& counters);

  /// Forgets all state but translations; `l1_bytes` is what the shared-memory carve-out leaves to
  /// L1.
  void reset(std::uint32_t l1_bytes);

  [[nodiscard]] bool has_room(std::uint32_t sub_core) const {
    return queues_[sub_core].count < queue_limit_;
  }
  /// The entry to fill for an instruction that issues now; then call `enqueue`.
  MemoryInstruction& slot(std::uint32_t sub_core);
  /// Returns the cycle at which it reaches the shared stage if that is free.
  Cycle enqueue(std::uint32_t sub_core, Cycle now);

  /// Lets at most one instruction into the shared stage. Returns the next cycle with something to
  /// do.
  Cycle tick(Cycle now);
  /// Sectors (or the result of an atomic) arrive from the crossbar.
  void response(const MemoryMessage& message, Cycle now);

  [[nodiscard]] bool idle() const {
    return queued_ == 0 && active_loads_ == 0 && stores_under_way_ == 0;
  }
  /// Instructions in the queue of a sub-core; warp instructions that wait for sectors; lines that
  /// miss in L1; stored lines that L2 has not acknowledged.
  [[nodiscard]] std::uint32_t queued(std::uint32_t sub_core) const {
    return queues_[sub_core].count;
  }
  [[nodiscard]] std::uint32_t outstanding_loads() const { return active_loads_; }
  [[nodiscard]] std::uint32_t miss_lines() const { return pending_.used(); }
  [[nodiscard]] std::uint32_t stores_under_way() const { return stores_under_way_; }
  /// Cycle at which the last store was known to be in L2.
  [[nodiscard]] Cycle last_store() const { return last_store_; }

private:
  static constexpr std::uint32_t kQueueCapacity = 8;
  static constexpr std::uint32_t kMaxLoads = 1024;
  /// Issue to shared stage of a lone instruction: it leaves its sub-core when a load has released
  /// its sources. Huerta et al., MICRO 2025: the sixth instruction, which takes the place
  /// of the first, issues in cycle 13 to 19, depending on how many sub-cores wait for the stage.
  [[nodiscard]] Cycle nominal() const { return config_.sm.lsu.load_release; }

  struct Queue {
    std::array<MemoryInstruction, kQueueCapacity> entries;
    std::uint32_t head = 0;
    std::uint32_t count = 0;
    Cycle generator_free = 0;
  };
  struct Load {
    std::uint32_t generation = 0;
    std::uint16_t warp = 0;
    std::uint8_t sub_core = 0;
    std::uint8_t barrier = 0;
    std::uint8_t bytes = 0;
    bool async_copy = false;
    std::uint8_t result_delay = 0;
    std::uint32_t remaining = 0;
    std::int32_t next_free = -1;
  };

  bool process(MemoryInstruction& m, Cycle now);
  bool process_l1(MemoryInstruction& m, Cycle now);
  void process_shared(const MemoryInstruction& m, Cycle now);
  void load_lines(const MemoryInstruction& m, Cycle now);
  void store_lines(const MemoryInstruction& m, Cycle now);
  void atomic_lines(const MemoryInstruction& m, Cycle now);
  /// The prefetcher's part, see load_prefetch.cpp.
  void prefetch(const MemoryInstruction& m, Cycle now);
  void fetch_ahead(std::uint64_t line, std::uint8_t sectors, Cycle now);
  void use_prefetched(LruTags::Way& way, std::uint8_t sectors);
  void catch_prefetch(PendingLines<std::int32_t>::Entry& entry, std::uint8_t sectors);
  void prefetch_arrived(const MemoryMessage& message, LruTags::Way* way);
  void lose_prefetched(std::uint8_t sectors);
  LruTags::Way* allocate(std::uint64_t line, Cycle now);
  /// `same_address`: see MemoryMessage.
  void send(std::uint64_t line,
            std::uint8_t sectors,
            MessageKind kind,
            std::uint32_t tag,
            Cycle now,
            std::uint8_t same_address = 0);
  void finish_load(const Load& load, Cycle ready, Cycle now);
  void release_sources(const MemoryInstruction& m, Cycle at, Cycle now);
  std::int32_t take_load(const MemoryInstruction& m);
  void free_load(std::int32_t index) {
    loads_[static_cast<std::size_t>(index)].next_free = free_load_;
    free_load_ = index;
    --active_loads_;
  }
  [[nodiscard]] Cycle result_latency(const MemoryInstruction& m) const;
  [[nodiscard]] Cycle source_release(const MemoryInstruction& m) const;
  /// What is left of a time since issue when the instruction reaches the shared stage.
  [[nodiscard]] Cycle from_stage(Cycle since_issue) const {
    return since_issue > nominal() ? since_issue - nominal() : 0;
  }

  const config::GpuConfig& config_;
  AccessTimes times_;
  std::uint32_t sm_;
  std::uint32_t queue_limit_;
  MessageSink& to_crossbar_;
  TimingWheel<Release>& releases_;
  SmCounters& counters_;

  std::vector<Queue> queues_;
  std::uint32_t queued_ = 0;
  std::uint32_t round_robin_ = 0;
  Cycle stage_free_ = 0;
  bool blocked_ = false; ///< the chosen instruction waits for a miss-status entry
  Server request_port_;
  Tlb tlb_;
  std::vector<Cycle> writeback_free_;
  LruTags tags_;
  PendingLines<std::int32_t> pending_;
  StridePrefetcher prefetcher_;
  std::vector<Load> loads_;
  std::int32_t free_load_ = -1;
  std::uint32_t active_loads_ = 0;
  std::uint32_t stores_under_way_ = 0; ///< lines sent whose acknowledgement is missing
  Cycle last_store_ = 0;
  MessageOrder order_;
};

} // namespace coulomb::timing::sm
