// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/counters.hpp"
#include "sim/timing/lru_tags.hpp"
#include "sim/timing/types.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::timing::sm {

/// L0 instruction caches of the sub-cores with their stream prefetchers, the SM's L1 instruction
/// cache behind them, and the sub-cores' constant-operand caches. Sources: Huerta et al., MICRO
/// 2025 (L0, streams that run 8 lines ahead, miss latency); RTX 3060 micro-benchmarks (lines reach
/// a sub-core one per 17 cycles). Each warp has a stream of its own, which runs further ahead each
/// time it proves right, so that warps at different places of a long unrolled kernel do not throw
/// each other's lines away (assumption). L1 to L2 refills take an L2 hit each.
class InstructionCaches {
public:
  InstructionCaches(const config::FrontEndConfig& config,
                    std::uint32_t sub_cores,
                    std::uint32_t warps,
                    std::uint32_t l2_latency,
                    std::uint32_t l2_line_interval);

  /// Cycle at which the line that holds `pc` can be decoded for that warp of the sub-core; `now` on
  /// an L0 hit.
  Cycle fetch(std::uint32_t sub_core,
              std::uint32_t warp,
              std::uint32_t pc,
              Cycle now,
              SmCounters& counters);

  /// Cycle at which the constant operand is there; `now` on a hit.
  Cycle constant(std::uint32_t sub_core,
                 std::uint8_t bank,
                 std::uint32_t offset,
                 Cycle now,
                 SmCounters& counters);

  void reset();

private:
  struct Stream {
    std::uint64_t wanted = LruTags::kInvalid; ///< line after the last that the warp fetched
    std::uint64_t end = 0;                    ///< line after the last that was prefetched
    std::uint32_t depth = 1; ///< lines it runs ahead; doubles with each line that was wanted
  };

  /// Brings `line` from L1 into the L0 of the sub-core, which asks at `now`; returns its arrival.
  Cycle from_l1(std::uint32_t sub_core, std::uint64_t line, Cycle now, SmCounters& counters);
  /// Notes that the stream's warp has fetched `line`, and prefetches what follows.
  void follow(
      Stream& stream, std::uint32_t sub_core, std::uint64_t line, Cycle now, SmCounters& counters);

  config::FrontEndConfig config_;
  std::uint32_t l2_latency_;
  std::uint32_t l2_line_interval_;
  std::uint32_t depth_;
  std::uint32_t warps_;
  std::vector<LruTags> l0_;
  std::vector<Stream> streams_; ///< [sub-core][warp]
  std::vector<LruTags> constants_;
  LruTags l1_;
  std::vector<Server> l1_ports_; ///< [sub-core]
  Server l2_port_;
};

} // namespace coulomb::timing::sm
