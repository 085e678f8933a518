// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/sm/operand_reuse.hpp"
#include "sim/timing/sm/register_banks.hpp"
#include "sim/timing/types.hpp"

#include <array>
#include <cstdint>

namespace coulomb::timing::sm {

/// Read ports of a sub-core's register file and its reuse cache.
/// An instruction of the fixed-latency path may issue only if all its operands can be read within
/// the read window; each bank delivers as many operands a cycle as it has read ports. An operand
/// that the reuse cache holds needs no port.
/// `Parts` says how many parts of a bank's width a register takes: all unless it is compressed.
/// Operands of one bank whose parts together fit its width are read in one cycle.
/// Source: Huerta et al., MICRO 2025 (two banks, one port, window of 3, no operand collectors).
class RegisterFile {
public:
  /// Registers as they are without compression.
  struct Whole {
    static constexpr std::uint32_t kWhole = 1;
    std::uint8_t operator()(std::uint8_t) const { return 1; }
  };

  explicit RegisterFile(const config::RegisterFileConfig& config)
      : banks_(config), reuse_(config.reuse_slots), window_(config.read_window) {}

  /// True if an instruction that issues at `now` finds its ports within the window.
  template <class Parts = Whole>
  [[nodiscard]] bool can_read(Cycle now,
                              std::uint32_t warp,
                              const InstructionTiming& t,
                              const Parts& parts = {}) const {
    const Reads reads = count(warp, t, parts);
    for (std::uint32_t b = 0; b < banks_.count(); ++b) {
      const Cycle start = free_[b] > now ? free_[b] : now;
      if (reads[b] > 0 && start + banks_.cycles(b, reads[b], Parts::kWhole) > now + window_) {
        return false;
      }
    }
    return true;
  }

  /// Reserves the ports and updates the reuse cache. Returns the registers that it held.
  template <class Parts = Whole>
  std::uint32_t
  read(Cycle now, std::uint32_t warp, const InstructionTiming& t, const Parts& parts = {}) {
    const Reads reads = count(warp, t, parts);
    for (std::uint32_t b = 0; b < banks_.count(); ++b) {
      if (reads[b] > 0) {
        const Cycle start = free_[b] > now ? free_[b] : now;
        free_[b] = start + banks_.cycles(b, reads[b], Parts::kWhole);
      }
    }
    std::uint32_t held = 0;
    for (int i = 0; i < t.source_count; ++i) {
      const auto& s = t.sources[static_cast<std::size_t>(i)];
      held += reuse_.pass(banks_.of(s.reg), s.slot, warp, s.reg, s.reuse) ? s.words : 0U;
    }
    return held;
  }

private:
  using Reads = std::array<std::uint8_t, RegisterBanks::kMax>;

  template <class Parts>
  [[nodiscard]] Reads
  count(std::uint32_t warp, const InstructionTiming& t, const Parts& parts) const {
    Reads reads{};
    for (int i = 0; i < t.source_count; ++i) {
      const auto& s = t.sources[static_cast<std::size_t>(i)];
      const std::uint32_t bank = banks_.of(s.reg);
      if (!reuse_.holds(bank, s.slot, warp, s.reg)) {
        reads[bank] = static_cast<std::uint8_t>(reads[bank] + parts(s.reg));
      }
    }
    return reads;
  }

  RegisterBanks banks_;
  OperandReuse reuse_;
  std::uint32_t window_;
  std::array<Cycle, RegisterBanks::kMax> free_{};
};

} // namespace coulomb::timing::sm
