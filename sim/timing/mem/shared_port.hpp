// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/types.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace coulomb::timing::mem {

/// A port of the ports of all L2 slices, as the SMs of a sample see it. What they send spreads over
/// every slice of the chip, so it is served at the rate of all; SMs outside the sample send as much
/// each, up to kSpread cycles later, and take the rest of the time. A burst of one SM thus finds
/// the ports that others leave idle, while all SMs together get no more than the chip has. When is
/// a hash of how many were served: the same traffic whatever else happens.
class SharedPort {
public:
  /// `part`: simulated SMs over those of the chip.
  explicit SharedPort(double part)
      : own_(static_cast<std::uint64_t>(std::llround(part * static_cast<double>(kScale)))) {}

  /// Like Server::serve; `ticks` is what the service takes of the sample's part of the chip.
  Cycle serve(Cycle now, std::uint64_t ticks) {
    catch_up(now);
    const std::uint64_t mine = std::max<std::uint64_t>(1, ticks * own_ / kScale);
    const Cycle done = server_.serve(now, std::min(mine, ticks));
    if (mine < ticks) {
      const std::uint64_t hash = (++served_ * 0x9e3779b97f4a7c15ULL) >> 32U;
      others_[(next_slot_ + hash % kSlots) % kSlots] += ticks - mine;
    }
    return done;
  }
  [[nodiscard]] Cycle free_at(Cycle now) {
    catch_up(now);
    return server_.free_at();
  }

private:
  static constexpr Cycle kSpread = 2048; ///< as OtherTraffic
  static constexpr Cycle kSlotCycles = 32;
  static constexpr std::uint64_t kSlots = kSpread / kSlotCycles;
  static constexpr std::uint64_t kScale = std::uint64_t{1} << 20U;

  /// Gives others the time that they asked for until `now`.
  void catch_up(Cycle now) {
    if (next_slot_ * kSlotCycles + kSpread < now) { // whatever there was has long been served
      for (std::uint64_t k = 0; k < kSlots; ++k) {
        take(next_slot_ + k);
      }
      next_slot_ = now / kSlotCycles;
    }
    for (; next_slot_ * kSlotCycles <= now; ++next_slot_) {
      take(next_slot_);
    }
  }
  void take(std::uint64_t slot) {
    std::uint64_t& ticks = others_[slot % kSlots];
    if (ticks > 0) {
      server_.serve(slot * kSlotCycles, ticks);
      ticks = 0;
    }
  }

  std::uint64_t own_;
  Server server_;
  std::array<std::uint64_t, kSlots> others_{};
  std::uint64_t next_slot_ = 0;
  std::uint64_t served_ = 0;
};

} // namespace coulomb::timing::mem
