// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/convergence.hpp"

#include "sim/isa/instruction.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace coulomb::functional {
namespace {
/// Frees every split that waits on (`waits_on`, `sync_mask`): runnable after the instruction it
/// waited at, joined to others of the group at the same place, next to run.
void free_group(WarpState& warp, std::int8_t waits_on, std::uint32_t sync_mask) {
  std::array<Split, kLanes> freed{};
  std::size_t count = 0;
  std::erase_if(warp.splits, [&](const Split& s) {
    if (s.waits_on != waits_on || s.sync_mask != sync_mask) {
      return false;
    }
    const std::uint32_t pc = s.pc + isa::kInstructionBytes;
    auto* const end = freed.begin() + count;
    auto* const same =
        std::find_if(freed.begin(), end, [pc](const Split& f) { return f.pc == pc; });
    if (same != end) {
      same->mask |= s.mask;
    } else {
      freed[count++] = {pc, s.mask, kRunnable, 0};
    }
    return true;
  });
  warp.splits.insert(warp.splits.end(), freed.begin(), freed.begin() + count);
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

namespace {
void run(WarpState& warp, std::vector<Split>::iterator split) {
  warp.active = split->mask;
  warp.pc = split->pc;
  warp.backward_branches = 0;
  warp.splits.erase(split);
}

bool is_runnable(const Split& s) {
  return s.waits_on == kRunnable;
}
} // namespace

bool resume(WarpState& warp) {
  if (warp.active != 0) {
    return true;
  }
  const auto last = std::find_if(warp.splits.rbegin(), warp.splits.rend(), is_runnable);
  if (last == warp.splits.rend()) {
    return false;
  }
  run(warp, std::prev(last.base()));
  return true;
}

bool switch_split(WarpState& warp) {
  const auto next = std::find_if(warp.splits.begin(), warp.splits.end(), is_runnable);
  if (next == warp.splits.end()) {
    return false;
  }
  const Split stays{warp.pc, warp.active, kRunnable, 0};
  run(warp, next);
  warp.splits.push_back(stays);
  return true;
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
