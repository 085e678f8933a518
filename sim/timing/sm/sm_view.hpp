// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/instruction_timing.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::timing::sm {

/// What a sub-core shows at the end of a cycle.
struct SubCoreView {
  bool issued = false; ///< in this cycle; the next three are of the last instruction that did
  std::uint32_t warp_slot = 0; ///< of the SM
  std::uint32_t pc = 0;        ///< bytes from the kernel's begin
  Pipe pipe = Pipe::none;
  /// StallReason of the warp that is next by policy (the one that issued last, else the youngest):
  /// `selected` if one issued, kNoWarp if none is resident.
  std::uint32_t stall = 0;
  std::uint32_t warps = 0;       ///< resident
  std::uint32_t ready_warps = 0; ///< that no dependence, stall count or barrier holds back
  std::uint32_t lsu_queue = 0;   ///< instructions in its queue to the load/store unit
};

/// What an SM shows at the end of a cycle, for waveforms.
struct SmView {
  static constexpr std::uint32_t kNoWarp = 15;

  std::uint32_t warps = 0;             ///< resident
  std::uint32_t outstanding_loads = 0; ///< warp instructions that wait for sectors
  std::uint32_t l1_miss_lines = 0;     ///< miss-status entries in use
  std::uint32_t stores_under_way = 0;  ///< lines that L2 has not acknowledged
  std::vector<SubCoreView> sub_cores;
};

} // namespace coulomb::timing::sm
