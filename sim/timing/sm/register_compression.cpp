// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/register_compression.hpp"

#include <algorithm>

namespace coulomb::timing::sm {

Cycle RegisterCompression::ready(std::uint32_t slot, const InstructionTiming& t) const {
  const Warp& warp = warps_[slot];
  Cycle latest = 0;
  for (std::uint32_t i = 0; i < t.read_count; ++i) {
    for (std::uint32_t r = 0; r < t.read[i].count; ++r) {
      latest = std::max(latest, warp.there[(t.read[i].first + r) & 0xFFU]);
    }
  }
  return latest;
}

RegisterCompression::Effect RegisterCompression::executed(std::uint32_t slot,
                                                          const InstructionTiming& t,
                                                          const functional::WarpState& state,
                                                          bool whole_warp,
                                                          Cycle now) {
  Warp& warp = warps_[slot];
  Effect effect;
  const auto use = [&](std::uint8_t parts, std::uint32_t& compressed) {
    compressed += parts < kParts ? 1U : 0U;
    effect.saved += static_cast<std::uint32_t>(kParts - parts);
  };
  for (std::uint32_t i = 0; i < t.read_count; ++i) {
    for (std::uint32_t r = 0; r < t.read[i].count; ++r) {
      use(warp.parts[(t.read[i].first + r) & 0xFFU], effect.reads);
    }
  }
  effect.source_delay = static_cast<std::uint8_t>(effect.reads > 0 ? unpack_ : 0);
  for (std::uint32_t r = 0; r < t.written.count; ++r) {
    const std::size_t reg = (t.written.first + r) & 0xFFU;
    warp.parts[reg] = whole_warp ? parts_of(state.registers[reg]) : kParts;
    use(warp.parts[reg], effect.writes);
  }
  effect.result_delay = static_cast<std::uint8_t>(effect.writes > 0 ? pack_ : 0);
  // Results of variable latency have their dependence counter, which is released later.
  const bool counted = t.write_barrier != isa::kNoBarrier;
  const Cycle extra = Cycle{effect.source_delay} + effect.result_delay;
  for (std::uint32_t r = 0; r < t.written.count; ++r) {
    warp.there[(t.written.first + r) & 0xFFU] = counted || extra == 0 ? 0 : now + t.latency + extra;
  }
  return effect;
}

std::uint8_t
RegisterCompression::parts_of(const std::array<std::uint32_t, functional::kLanes>& lanes) {
  constexpr std::uint8_t kNoDelta = 1;  // 4 bytes of base
  constexpr std::uint8_t kByte = 3;     // and 31 of deltas
  constexpr std::uint8_t kTwoBytes = 5; // and 62 of deltas
  std::uint32_t low = 0;                // delta + 2^7, or + 2^15: fits if no bit above is set
  std::uint32_t any8 = 0;
  std::uint32_t any16 = 0;
  for (const std::uint32_t lane : lanes) {
    const std::uint32_t delta = lane - lanes[0];
    low |= delta;
    any8 |= delta + 0x80U;
    any16 |= delta + 0x8000U;
  }
  return low == 0 ? kNoDelta : any8 <= 0xFFU ? kByte : any16 <= 0xFFFFU ? kTwoBytes : kParts;
}

} // namespace coulomb::timing::sm
