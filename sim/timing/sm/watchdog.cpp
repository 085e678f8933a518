// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/watchdog.hpp"

#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include <algorithm>

namespace coulomb::timing::sm {
namespace {
/// Cycles between two looks of an SM while it is watched.
constexpr Cycle kLookInterval = 4096;
} // namespace

Watchdog::Look Watchdog::look(bool watched, Cycle now) {
  const Cycle quiet = now - std::min(now, last_event_);
  if (!functional::watch_due(quiet, kPatience)) {
    return {false, now - quiet + functional::watch_changes_at(quiet, kPatience)};
  }
  if (!watched) { // what this SM did until now was not seen, so all evidence is void
    progress_.restart(sms_.size() * warps_per_sm_);
  } else if (nothing_can_change()) {
    throw NoProgress{};
  }
  return {true, now + kLookInterval};
}

bool Watchdog::nothing_can_change() const {
  std::size_t runnable = 0;
  for (const StreamingMultiprocessor* sm : sms_) {
    const std::size_t here = sm->runnable_warps();
    if (here > 0 && !sm->watched()) {
      return false;
    }
    runnable += here;
  }
  return runnable > 0 && progress_.repeating() == runnable;
}

} // namespace coulomb::timing::sm
