// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/counters.hpp"
#include "sim/timing/lru_tags.hpp"
#include "sim/timing/mem/memory_share.hpp"
#include "sim/timing/mem/reuse_estimate.hpp"
#include "sim/timing/mem/shared_port.hpp"
#include "sim/timing/message_queue.hpp"
#include "sim/timing/pending_lines.hpp"
#include "sim/timing/ports.hpp"

#include <array>
#include <cstdint>

namespace coulomb::timing::mem {

/// One L2 slice: an input queue served in order of arrival (one tag lookup a cycle), sectored
/// 128-byte lines, miss-status entries, a data port of `slice_bytes_per_cycle`, an atomic unit,
/// write-back to DRAM.
/// A slice whose writes DRAM cannot take stops accepting requests until it can.
///
/// A slice also keeps copies of lines whose home is in the other partition, in the same ways as its
/// own lines: a footprint that both sides read takes twice its size (gpu-benches: an A100's
/// bandwidth falls beyond 20 MB of 40). A load that misses the copy crosses over to the home; the
/// home fetches from DRAM and keeps the line (NVIDIA, GTC 2021). Assumption: stores do not remove a
/// copy. What crosses over is not limited: see docs/memory.md.
///
/// Atomics: the unit takes `atomic_sector_interval` cycles for each sector of a request, whatever
/// its lanes do. Operations on one address follow each other `atomic_same_address_interval` apart,
/// those of one warp as well as those of different ones (NVIDIA, GTC 2021: an A100's contention
/// curve). A reduction is the same without data on the way back.
///
/// Stores allocate without fetching. In the steady state of a working set larger than L2 each newly
/// dirty sector displaces an older dirty one; that write is issued when the sector becomes dirty,
/// so that a short simulation shows it too. Latency: `hit_latency` of the configuration is split
/// between the way there (crossbar), here, and back; only the sum is measured.
class L2Slice final : public MessageSink {
public:
  struct Spec {
    MemoryShare share;
    bool writes_reach_dram = true; ///< false: everything the kernel stores fits L2 and stays there
  };

  L2Slice(const config::GpuConfig& config,
          const Spec& spec,
          std::uint32_t number,
          const ReuseEstimate& reuse,
          MessageSink& to_crossbar,
          MessageSink& to_dram);

  void deliver(const MemoryMessage& message) override {
    (message.hop == Hop::direct    ? inbox_
     : message.hop == Hop::to_home ? from_partition_
                                   : returns_)
        .push(message);
  }
  /// Sectors come back from DRAM, or a write was done.
  void dram_response(const MemoryMessage& message) { returns_.push(message); }

  Cycle tick(Cycle now);
  [[nodiscard]] bool idle() const {
    return inbox_.empty() && from_partition_.empty() && returns_.empty() && pending_.used() == 0 &&
           copies_pending_.used() == 0 && writes_under_way_ == 0;
  }
  [[nodiscard]] const MemoryCounters& counters() const { return counters_; }
  /// Requests that have arrived and wait, those of the other partition included; lines that wait
  /// for DRAM; lines sent to it and not yet written.
  [[nodiscard]] std::size_t queued(Cycle now) const {
    return inbox_.arrived(now) + from_partition_.arrived(now);
  }
  [[nodiscard]] std::uint32_t miss_lines() const { return pending_.used(); }
  [[nodiscard]] std::uint32_t writes_under_way() const { return writes_under_way_; }

private:
  using Waiting = PendingLines<MemoryMessage>;
  /// Lines whose atomics are told apart: those that share a hash wait for each other. More than the
  /// requests that are on their way to a slice in the time of one.
  static constexpr std::size_t kAtomicLines = 64;

  /// The queue whose head can start; null if none can. What the other partition asks for goes
  /// first: it waits for nothing but DRAM, so two partitions cannot wait for each other.
  MessageQueue* startable(Cycle now);
  void load(const MemoryMessage& m, Cycle start);
  void load_copy(const MemoryMessage& m, Cycle start);
  void store(const MemoryMessage& m, Cycle start);
  /// Answers what the way with this key and the estimate hold; returns the missing sectors.
  std::uint8_t answer_hits(const MemoryMessage& m, std::uint64_t key, bool copy, Cycle start);
  /// Notes who waits; returns the sectors that nobody has asked for yet.
  static std::uint8_t wait_for(Waiting& waiting, const MemoryMessage& m, std::uint8_t missing);
  void refill(const MemoryMessage& m, Cycle now);
  void respond(const MemoryMessage& request, std::uint8_t sectors, Cycle start);
  /// Cycle at which the atomic unit has the old values, and has stored the new ones.
  Cycle modify(const MemoryMessage& m, Cycle start);
  LruTags::Way* allocate(std::uint64_t line, Cycle now);
  void to_dram(std::uint64_t line, std::uint8_t sectors, MessageKind kind, Cycle now);

  const config::GpuConfig& config_;
  Spec spec_;
  const ReuseEstimate& reuse_;
  MessageSink& to_crossbar_;
  MessageSink& to_dram_;
  MessageQueue inbox_;          ///< of SMs
  MessageQueue from_partition_; ///< of slices in the other partition
  MessageQueue returns_;        ///< of DRAM and of homes in the other partition
  LruTags tags_;
  Waiting pending_;        ///< asked of DRAM
  Waiting copies_pending_; ///< asked of homes in the other partition
  SharedPort tag_port_;
  SharedPort data_port_;
  Server atomic_unit_;
  std::array<Server, kAtomicLines> atomic_lines_; ///< by a hash of the line
  std::uint64_t tag_ticks_;
  std::uint64_t sector_ticks_;
  std::uint64_t real_sector_ticks_; ///< of a slice of the chip
  std::uint64_t atomic_ticks_;
  std::uint64_t same_address_ticks_;
  std::uint32_t writes_under_way_ = 0; ///< lines sent to DRAM and not yet written
  MessageOrder order_;
  MemoryCounters counters_;
};

} // namespace coulomb::timing::mem
