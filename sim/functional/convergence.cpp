// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/convergence.hpp"

#include "sim/isa/instruction.hpp"

#include <algorithm>

namespace coulomb::functional {
namespace {
/// Makes split `i` runnable after the instruction it waited at; joins it to an earlier one at the
/// same place. Returns the place of the split in the vector's front part, which ends at `front`.
std::size_t free_split(WarpState& warp, std::size_t i, std::size_t front) {
  Split split = warp.splits[i];
  split.pc += isa::kInstructionBytes;
  split.waits_on = kRunnable;
  split.sync_mask = 0;
  warp.splits.erase(warp.splits.begin() + static_cast<std::ptrdiff_t>(i));
  for (std::size_t k = 0; k < front; ++k) {
    if (warp.splits[k].pc == split.pc) {
      warp.splits[k].mask |= split.mask;
      return front;
    }
  }
  warp.splits.insert(warp.splits.begin() + static_cast<std::ptrdiff_t>(front), split);
  return front + 1;
}

/// Frees every split that waits on (`waits_on`, `sync_mask`).
void free_group(WarpState& warp, std::int8_t waits_on, std::uint32_t sync_mask) {
  std::size_t front = 0;
  for (std::size_t i = 0; i < warp.splits.size(); ++i) {
    if (warp.splits[i].waits_on == waits_on && warp.splits[i].sync_mask == sync_mask) {
      const std::size_t before = warp.splits.size();
      front = free_split(warp, i, front);
      i -= before - warp.splits.size(); // joined: the next split moved to this place
    }
  }
}
} // namespace

bool has_runnable_split(const WarpState& warp) {
  return std::any_of(warp.splits.begin(), warp.splits.end(),
                     [](const Split& s) { return s.waits_on == kRunnable; });
}

void park(WarpState& warp,
          std::uint32_t lanes,
          std::uint32_t pc,
          std::int8_t waits_on,
          std::uint32_t sync_mask) {
  warp.splits.push_back({pc, lanes, waits_on, sync_mask});
  warp.active &= ~lanes;
}

bool resume(WarpState& warp) {
  if (warp.active != 0) {
    return true;
  }
  const auto next = std::find_if(warp.splits.begin(), warp.splits.end(),
                                 [](const Split& s) { return s.waits_on == kRunnable; });
  if (next == warp.splits.end()) {
    return false;
  }
  warp.active = next->mask;
  warp.pc = next->pc;
  warp.backward_branches = 0;
  warp.splits.erase(next);
  return true;
}

bool switch_split(WarpState& warp) {
  if (warp.splits.empty() || !has_runnable_split(warp)) {
    return false;
  }
  park(warp, warp.active, warp.pc);
  return resume(warp);
}

void release(WarpState& warp) {
  for (std::size_t i = 0; i < warp.splits.size(); ++i) {
    const Split split = warp.splits[i];
    if (split.waits_on < 0 || split.waits_on > kWaitsWarpsync) {
      continue;
    }
    std::uint32_t arrived = 0;
    for (const Split& s : warp.splits) {
      if (s.waits_on == split.waits_on && s.sync_mask == split.sync_mask) {
        arrived |= s.mask;
      }
    }
    if ((split.sync_mask & ~warp.exited & ~arrived) == 0) {
      free_group(warp, split.waits_on, split.sync_mask);
      i = static_cast<std::size_t>(-1); // places moved: look again from the start
    }
  }
}

bool leave_abandoned_barriers(WarpState& warp) {
  std::uint32_t gone = 0;
  for (const Split& s : warp.splits) {
    gone |= s.waits_on >= kWaitsWarpsync ? s.mask : 0;
  }
  bool left = false;
  for (Split& s : warp.splits) {
    if (s.waits_on >= 0 && s.waits_on < kWaitsWarpsync && (s.sync_mask & gone) != 0) {
      s.sync_mask &= ~gone;
      left = true;
      for (std::uint32_t& members : warp.barriers[static_cast<std::size_t>(s.waits_on)]) {
        members &= ~gone;
      }
    }
  }
  if (left) {
    release(warp);
  }
  return left && has_runnable_split(warp);
}

void release_cta_waiters(WarpState& warp, unsigned id) {
  free_group(warp, static_cast<std::int8_t>(kWaitsCta + static_cast<int>(id)), 0);
}

} // namespace coulomb::functional
