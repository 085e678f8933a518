// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/types.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace coulomb::timing::sm {

/// Holds a tensor instruction back until the one that writes its accumulator has finished. ptxas
/// spaces dependent ones by the latency of the fastest product of an architecture (24 cycles for
/// HMMA.16816 on sm_80 and sm_86 alike), yet A100 measures 24.6 for HMMA and 26 for IMMA, and a
/// GeForce 33.5 (Luo et al., IPDPS 2024; public notes on sm_86): the tensor core itself waits.
class TensorInterlock {
public:
  /// First cycle at which `warp` may start from `accumulator` (first register; RZ never waits).
  [[nodiscard]] Cycle free_at(std::uint32_t warp, std::uint8_t accumulator) const {
    const std::uint32_t key = key_of(warp, accumulator);
    Cycle free = 0;
    for (const Entry& e : entries_) {
      free = e.key == key && e.ready > free ? e.ready : free;
    }
    return free;
  }
  void start(std::uint32_t warp, std::uint8_t destination, Cycle ready) {
    entries_[next_] = {key_of(warp, destination), ready};
    next_ = (next_ + 1) % entries_.size();
  }
  void reset() {
    entries_.fill({});
    next_ = 0;
  }

private:
  /// More than a tensor core has in flight: its longest latency over its shortest interval.
  static constexpr std::size_t kInFlight = 16;
  struct Entry {
    std::uint32_t key = ~0U;
    Cycle ready = 0;
  };
  static std::uint32_t key_of(std::uint32_t warp, std::uint8_t reg) { return warp << 8 | reg; }

  std::array<Entry, kInFlight> entries_{};
  std::size_t next_ = 0;
};

} // namespace coulomb::timing::sm
