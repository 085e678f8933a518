// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/choices.hpp"
#include "base/config/gpu_config.hpp"

#include <bit>
#include <cstdint>

namespace coulomb::timing::sm {

/// In the order of config::kSchedulerPolicies.
enum class SchedulerPolicy : std::uint8_t {
  native,    ///< greedy, then youngest: what Ampere does (Huerta et al., MICRO 2025)
  gto,       ///< greedy, then oldest (Rogers et al., MICRO 2012)
  lrr,       ///< loose round robin: the next ready warp behind the one that issued last
  two_level, ///< lrr among an active set (Gebhart et al., ISCA 2011; Narasiman et al., MICRO 2011)
};

/// Which warp of a sub-core is asked next whether it can issue. Warps are bits of a mask, by their
/// index on the sub-core.
class WarpScheduler {
public:
  explicit WarpScheduler(const config::SmConfig& config)
      : policy_(
            config::choice<SchedulerPolicy>(config::kSchedulerPolicies, config.scheduler_policy)),
        limit_(static_cast<int>(config.scheduler_active_warps)) {}

  [[nodiscard]] bool two_level() const { return policy_ == SchedulerPolicy::two_level; }

  /// The first of `ready`, which is not empty. `last`: the warp that issued last; `age(i)`: launch
  /// order, larger is younger.
  template <class Age>
  [[nodiscard]] std::uint32_t pick(std::uint32_t ready, std::uint32_t last, const Age& age) const {
    if (policy_ == SchedulerPolicy::lrr || policy_ == SchedulerPolicy::two_level) {
      const std::uint32_t behind = ready & ~((std::uint32_t{2} << last) - 1);
      return static_cast<std::uint32_t>(std::countr_zero(behind != 0 ? behind : ready));
    }
    if ((ready >> last & 1U) != 0) {
      return last;
    }
    return policy_ == SchedulerPolicy::native ? youngest(ready, age) : oldest(ready, age);
  }

  /// Two-level: lets the oldest of `ready` into the active set as long as it has room, and returns
  /// those of `ready` that are in it.
  template <class Age>
  std::uint32_t admit(std::uint32_t ready, const Age& age) {
    std::uint32_t waiting = ready & ~active_;
    while (waiting != 0 && std::popcount(active_) < limit_) {
      const std::uint32_t warp = std::uint32_t{1} << oldest(waiting, age);
      active_ |= warp;
      waiting &= ~warp;
    }
    return ready & active_;
  }
  /// Two-level: the warp will wait for long, or has finished. Returns whether it was active.
  bool swap_out(std::uint32_t warp) {
    const std::uint32_t bit = std::uint32_t{1} << warp;
    const bool was = (active_ & bit) != 0;
    active_ &= ~bit;
    return was;
  }

private:
  template <class Age>
  [[nodiscard]] static std::uint32_t youngest(std::uint32_t ready, const Age& age) {
    std::uint32_t best = 0;
    std::uint64_t of_best = 0;
    for (; ready != 0; ready &= ready - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(ready));
      if (const std::uint64_t a = age(i); a >= of_best) {
        of_best = a;
        best = i;
      }
    }
    return best;
  }
  template <class Age>
  [[nodiscard]] static std::uint32_t oldest(std::uint32_t ready, const Age& age) {
    return youngest(ready, [&](std::uint32_t i) { return ~age(i); });
  }

  SchedulerPolicy policy_;
  int limit_;
  std::uint32_t active_ = 0;
};

} // namespace coulomb::timing::sm
