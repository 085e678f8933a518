// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/sm/register_banks.hpp"

#include <array>
#include <cstdint>

namespace coulomb::timing::sm {

/// Operand reuse cache of a sub-core: for each bank and operand position `slots` entries, newest
/// first. An operand that the compiler has marked stays; a read through the same bank and position
/// takes the entry of its own warp, else a free one, else the oldest, and leaves it empty unless
/// it is marked itself. Ampere has one (Huerta et al., MICRO 2025), which the next warp's operand
/// takes; more of them serve warps that issue in turn.
class OperandReuse {
public:
  static constexpr std::uint32_t kMaxSlots = 8;

  explicit OperandReuse(std::uint32_t slots) : slots_(slots < kMaxSlots ? slots : kMaxSlots) {}

  /// The operand is read; `marked`: for reuse. Returns whether it was held.
  bool pass(std::uint32_t bank,
            std::uint8_t position,
            std::uint32_t warp,
            std::uint8_t reg,
            bool marked) {
    const std::uint32_t at = bank * kPositions + position;
    if (slots_ == 0) {
      return false;
    }
    const std::uint32_t place = slots_ == 1 ? 0 : place_of(at, warp);
    const bool held = entries_[place][at] == key(warp, reg);
    for (std::uint32_t i = place; i > 0; --i) {
      entries_[i][at] = entries_[i - 1][at];
    }
    entries_[0][at] = marked ? key(warp, reg) : kEmpty;
    return held;
  }

private:
  static constexpr std::uint32_t kEmpty = 0;
  static constexpr std::uint32_t kPositions = 3;

  static std::uint32_t key(std::uint32_t warp, std::uint8_t reg) { return (warp + 1) << 8 | reg; }
  [[nodiscard]] std::uint32_t place_of(std::uint32_t at, std::uint32_t warp) const {
    std::uint32_t place = slots_ - 1;
    bool free = false;
    for (std::uint32_t i = 0; i < slots_; ++i) {
      if (entries_[i][at] >> 8 == warp + 1) {
        return i;
      }
      if (!free && entries_[i][at] == kEmpty) {
        place = i;
        free = true;
      }
    }
    return place;
  }

  std::uint32_t slots_;
  /// By slot, then bank and position, so that one slot is compact.
  std::array<std::array<std::uint32_t, RegisterBanks::kMax * kPositions>, kMaxSlots> entries_{};
};

} // namespace coulomb::timing::sm
