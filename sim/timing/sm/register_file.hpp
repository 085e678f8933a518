// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/types.hpp"

#include <array>
#include <cstdint>

namespace coulomb::timing::sm {

/// Read ports of a sub-core's register file and its reuse cache.
/// An instruction of the fixed-latency path may issue only if all its operands can be read within
/// the read window; each bank (register number modulo banks) delivers `read_ports` operands a
/// cycle. An operand that the reuse cache holds (same warp, register, operand slot) needs no port;
/// a read through the same bank and slot drops the entry unless it is marked for reuse again.
/// Source: Huerta et al., MICRO 2025 (two banks, one port, window of 3, no operand collectors).
class RegisterFile {
public:
  static constexpr std::uint32_t kMaxBanks = 4;

  explicit RegisterFile(const config::RegisterFileConfig& config)
      : banks_(config.banks < kMaxBanks ? config.banks : kMaxBanks), ports_(config.read_ports),
        window_(config.read_window) {}

  /// True if an instruction that issues at `now` finds its ports within the window.
  [[nodiscard]] bool can_read(Cycle now, std::uint32_t warp, const InstructionTiming& t) const {
    std::array<std::uint8_t, kMaxBanks> reads = count(warp, t);
    for (std::uint32_t b = 0; b < banks_; ++b) {
      const Cycle start = free_[b] > now ? free_[b] : now;
      if (reads[b] > 0 && start + (reads[b] + ports_ - 1) / ports_ > now + window_) {
        return false;
      }
    }
    return true;
  }

  /// Reserves the ports and updates the reuse cache. Returns the registers that it held.
  std::uint32_t read(Cycle now, std::uint32_t warp, const InstructionTiming& t) {
    const std::array<std::uint8_t, kMaxBanks> reads = count(warp, t);
    for (std::uint32_t b = 0; b < banks_; ++b) {
      if (reads[b] > 0) {
        const Cycle start = free_[b] > now ? free_[b] : now;
        free_[b] = start + (reads[b] + ports_ - 1) / ports_;
      }
    }
    std::uint32_t held = 0;
    for (int i = 0; i < t.source_count; ++i) {
      const auto& s = t.sources[static_cast<std::size_t>(i)];
      auto& entry = cache_[s.reg % banks_][s.slot];
      held += entry == (warp << 8 | s.reg) ? s.words : 0U;
      entry = s.reuse ? (warp << 8 | s.reg) : kEmpty;
    }
    return held;
  }

  void reset() {
    free_ = {};
    for (auto& bank : cache_) {
      bank.fill(kEmpty);
    }
  }

private:
  static constexpr std::uint32_t kEmpty = ~0U;

  [[nodiscard]] std::array<std::uint8_t, kMaxBanks> count(std::uint32_t warp,
                                                          const InstructionTiming& t) const {
    std::array<std::uint8_t, kMaxBanks> reads{};
    for (int i = 0; i < t.source_count; ++i) {
      const auto& s = t.sources[static_cast<std::size_t>(i)];
      const std::uint32_t bank = s.reg % banks_;
      if (cache_[bank][s.slot] != (warp << 8 | s.reg)) {
        ++reads[bank];
      }
    }
    return reads;
  }

  std::uint32_t banks_;
  std::uint32_t ports_;
  std::uint32_t window_;
  std::array<Cycle, kMaxBanks> free_{};
  std::array<std::array<std::uint32_t, 3>, kMaxBanks> cache_{{{kEmpty, kEmpty, kEmpty},
                                                              {kEmpty, kEmpty, kEmpty},
                                                              {kEmpty, kEmpty, kEmpty},
                                                              {kEmpty, kEmpty, kEmpty}}};
};

} // namespace coulomb::timing::sm
