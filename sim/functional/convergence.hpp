// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/warp_state.hpp"

#include <cstdint>

/// Independent thread scheduling inside one warp: lanes are grouped into splits, one of which runs.
/// A split waits at BSYNC or WARPSYNC until the lanes it belongs with are there, or have left.
/// Source: behaviour of compiled code.
namespace coulomb::functional {

/// A split that could run gets its turn after so many backward branches of the running one, so that
/// spin loops between lanes of a warp end. Source: assumption (the chip's policy is not published).
inline constexpr std::uint32_t kTurnBranches = 16;

/// Lanes that still run.
[[nodiscard]] inline std::uint32_t live_lanes(const WarpState& warp) {
  return ~warp.exited;
}

/// True if another split could run.
[[nodiscard]] bool has_runnable_split(const WarpState& warp);
/// Moves `lanes` of the running split to a split of their own at `pc`.
void park(WarpState& warp,
          std::uint32_t lanes,
          std::uint32_t pc,
          std::int8_t waits_on = kRunnable,
          std::uint32_t sync_mask = 0);
/// If no lanes run, takes the runnable split that was parked or released last; false if there is
/// none. Innermost first, because compiled code counts on it: uniform registers belong to the warp,
/// and the side of a branch that runs second may overwrite what the first one still needs.
bool resume(WarpState& warp);
/// Lets the runnable split that waits longest run and parks the present one, if there is another.
bool switch_split(WarpState& warp);
/// Releases the splits whose partners have all arrived or left; they go on after the instruction
/// they waited at, and splits that are now at the same place become one. They are next to run.
void release(WarpState& warp);
/// To be called when no split can run. Lanes that wait at a WARPSYNC or a CTA barrier have left the
/// convergence barriers at which others still wait for them: compiled code branches out of a
/// BSSY region without a BREAK. Takes them out of those barriers and releases who waited; false if
/// there was nothing of the kind, and the lanes really block each other. Source: behaviour of
/// compiled code.
bool leave_abandoned_barriers(WarpState& warp);
/// Makes the splits that wait at CTA barrier `id` runnable again.
void release_cta_waiters(WarpState& warp, unsigned id);

} // namespace coulomb::functional
