// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/warp_state.hpp"
#include "sim/timing/counters.hpp"
#include "sim/timing/types.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace coulomb::timing::sm {

/// Timing state of one warp slot of an SM.
struct WarpSlot {
  bool resident = false;
  bool at_barrier = false;
  std::uint8_t barrier_id = 0;
  std::uint8_t busy = 0;        ///< dependence counters that are not zero, a bit each
  std::uint8_t taken = 0;       ///< of them, those that the last instruction made so
  std::uint8_t waiting_for = 0; ///< counters it is blocked on; 0 = not blocked on any
  bool waits_depbar = false;
  std::uint8_t depbar_counter = 0;
  std::uint8_t depbar_count = 0;
  std::uint8_t long_counters = 0; ///< counters whose pending producer is an L1TEX access
  std::array<std::uint8_t, 8> counter{};
  std::uint32_t cta_slot = 0;
  std::uint32_t generation = 0; ///< bumped when the warp finishes
  std::uint64_t age = 0;        ///< launch order; larger is younger
  std::uint64_t fetched_line = ~std::uint64_t{0};

  // Asynchronous copies: those of the open group, then closed groups, oldest first.
  std::uint32_t async_open = 0;
  struct AsyncGroup {
    std::uint32_t remaining = 0;
    std::uint8_t counter = 0;
  };
  std::vector<AsyncGroup> async_groups;

  // Stall accounting, see SubCore::account.
  Cycle last_issue = 0;
  Cycle stall_until = 0;
  Cycle unblocked_at = 0;
  StallReason stall_reason = StallReason::wait;
  StallReason block_reason = StallReason::short_scoreboard;
  StallReason throttle = StallReason::not_selected;

  functional::WarpState* state = nullptr;
};

} // namespace coulomb::timing::sm
