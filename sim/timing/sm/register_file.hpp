// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/sm/operand_reuse.hpp"
#include "sim/timing/sm/register_banks.hpp"
#include "sim/timing/types.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace coulomb::timing::sm {

/// The two stages between issue and operand read of a sub-core, Control and Allocate, the read
/// ports of its register file and the reuse cache.
/// An instruction is in Control the cycle after its issue. One of the fixed-latency path then
/// stays in Allocate, in order, until all its operands can be read within the read window; each
/// bank delivers as many operands a cycle as it has read ports. The issue stage does not know of
/// ports: it stops, for all warps, only while an instruction cannot leave Control. An operand that
/// the reuse cache holds needs no port.
/// `Parts` says how many parts of a bank's width a register takes: all unless it is compressed.
/// Operands of one bank whose parts together fit its width are read in one cycle.
/// Source: Huerta et al., MICRO 2025, sections 5.1.1 and 5.3 (two banks, one port, window of 3, no
/// operand collectors; port conflicts do not delay the issue of the next instruction, only of the
/// one behind it).
class RegisterFile {
public:
  /// Registers as they are without compression.
  struct Whole {
    static constexpr std::uint32_t kWhole = 1;
    std::uint8_t operator()(std::uint8_t) const { return 1; }
  };

  explicit RegisterFile(const config::RegisterFileConfig& config)
      : banks_(config), reuse_(config.reuse_slots), window_(config.read_window) {}

  /// Sends an instruction of the fixed-latency path, issued at `now`, through both stages and
  /// updates the reuse cache. Returns the first cycle at which another instruction may issue.
  template <class Parts = Whole>
  Cycle issue(Cycle now, std::uint32_t warp, const InstructionTiming& t, const Parts& parts = {}) {
    const Cycle enters = std::max(now + 2, granted_ + 1);
    granted_ = enters;
    reused_ = 0;
    if (t.source_count > 0) {
      read(warp, t, parts);
    }
    return enters - 1;
  }
  /// Registers that the reuse cache held for the last instruction.
  [[nodiscard]] std::uint32_t reused() const { return reused_; }

private:
  /// Moves `granted_` to the cycle in which the instruction leaves Allocate: it reads from the next
  /// one on.
  template <class Parts>
  void read(std::uint32_t warp, const InstructionTiming& t, const Parts& parts) {
    std::array<std::uint8_t, RegisterBanks::kMax> reads{};
    for (int i = 0; i < t.source_count; ++i) {
      const auto& s = t.sources[static_cast<std::size_t>(i)];
      const std::uint32_t bank = banks_.of(s.reg);
      if (reuse_.pass(bank, s.slot, warp, s.reg, s.reuse)) {
        reused_ += s.words;
      } else {
        reads[bank] = static_cast<std::uint8_t>(reads[bank] + parts(s.reg));
      }
    }
    const auto cycles = [&](std::uint32_t b) { return banks_.cycles(b, reads[b], Parts::kWhole); };
    for (std::uint32_t b = 0; b < banks_.count(); ++b) {
      if (reads[b] > 0 && free_[b] + cycles(b) > granted_ + 1 + window_) {
        granted_ = free_[b] + cycles(b) - 1 - window_;
      }
    }
    for (std::uint32_t b = 0; b < banks_.count(); ++b) {
      if (reads[b] > 0) {
        free_[b] = std::max(free_[b], granted_ + 1) + cycles(b);
      }
    }
  }

  RegisterBanks banks_;
  OperandReuse reuse_;
  std::uint32_t window_;
  Cycle granted_ = 0; ///< the last instruction leaves Allocate
  std::uint32_t reused_ = 0;
  std::array<Cycle, RegisterBanks::kMax> free_{};
};

} // namespace coulomb::timing::sm
