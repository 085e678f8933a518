// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/types.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace coulomb::timing::sm {

/// The two stages between issue and operand read of a sub-core, Control and Allocate, the read
/// ports of its register file and the reuse cache.
/// An instruction is in Control the cycle after its issue. One of the fixed-latency path then
/// stays in Allocate, in order, until all its operands can be read within the read window; each
/// bank (register number modulo banks) delivers `read_ports` operands a cycle. The issue stage does
/// not know of ports: it stops, for all warps, only while an instruction cannot leave Control.
/// An operand that the reuse cache holds (same warp, register, operand slot) needs no port; a read
/// through the same bank and slot drops the entry unless it is marked for reuse again.
/// Source: Huerta et al., MICRO 2025, sections 5.1.1 and 5.3 (two banks, one port, window of 3, no
/// operand collectors; port conflicts do not delay the issue of the next instruction, only of the
/// one behind it).
class RegisterFile {
public:
  static constexpr std::uint32_t kMaxBanks = 4;

  explicit RegisterFile(const config::RegisterFileConfig& config)
      : banks_(config.banks < kMaxBanks ? config.banks : kMaxBanks), ports_(config.read_ports),
        window_(config.read_window) {}

  /// Sends an instruction of the fixed-latency path, issued at `now`, through both stages and
  /// updates the reuse cache. Returns the first cycle at which another instruction may issue.
  Cycle issue(Cycle now, std::uint32_t warp, const InstructionTiming& t) {
    const Cycle enters = std::max(now + 2, granted_ + 1);
    granted_ = enters;
    reused_ = 0;
    if (t.source_count > 0) {
      read(warp, t);
    }
    return enters - 1;
  }
  /// Registers that the reuse cache held for the last instruction.
  [[nodiscard]] std::uint32_t reused() const { return reused_; }

private:
  static constexpr std::uint32_t kEmpty = ~0U;

  /// Moves `granted_` to the cycle in which the instruction leaves Allocate: it reads from the next
  /// one on.
  void read(std::uint32_t warp, const InstructionTiming& t) {
    std::array<std::uint32_t, kMaxBanks> cycles{};
    for (int i = 0; i < t.source_count; ++i) {
      const auto& s = t.sources[static_cast<std::size_t>(i)];
      const std::uint32_t bank = s.reg % banks_;
      auto& entry = cache_[bank][s.slot];
      const bool held = entry == (warp << 8 | s.reg);
      cycles[bank] += held ? 0U : 1U;
      reused_ += held ? s.words : 0U;
      entry = s.reuse ? (warp << 8 | s.reg) : kEmpty;
    }
    for (std::uint32_t b = 0; b < banks_; ++b) {
      cycles[b] = (cycles[b] + ports_ - 1) / ports_;
      if (cycles[b] > 0 && free_[b] + cycles[b] > granted_ + 1 + window_) {
        granted_ = free_[b] + cycles[b] - 1 - window_;
      }
    }
    for (std::uint32_t b = 0; b < banks_; ++b) {
      if (cycles[b] > 0) {
        free_[b] = std::max(free_[b], granted_ + 1) + cycles[b];
      }
    }
  }

  std::uint32_t banks_;
  std::uint32_t ports_;
  std::uint32_t window_;
  Cycle granted_ = 0; ///< the last instruction leaves Allocate
  std::uint32_t reused_ = 0;
  std::array<Cycle, kMaxBanks> free_{};
  std::array<std::array<std::uint32_t, 3>, kMaxBanks> cache_{{{kEmpty, kEmpty, kEmpty},
                                                              {kEmpty, kEmpty, kEmpty},
                                                              {kEmpty, kEmpty, kEmpty},
                                                              {kEmpty, kEmpty, kEmpty}}};
};

} // namespace coulomb::timing::sm
