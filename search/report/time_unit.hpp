// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace coulomb::search {

/// What a page gives its times in: all in the same, so that they compare at sight.
struct TimeUnit {
  std::string_view name = "ms";
  double per_ms = 1.0; ///< how many of it a millisecond has
};

/// The unit in which `time_ms` has one to three digits before the point: ns, us, ms or s.
[[nodiscard]] constexpr TimeUnit time_unit(double time_ms) {
  if (time_ms < 1e-3) {
    return {"ns", 1e6};
  }
  if (time_ms < 1.0) {
    return {"us", 1e3};
  }
  return time_ms < 1e3 ? TimeUnit{"ms", 1.0} : TimeUnit{"s", 1e-3};
}

} // namespace coulomb::search
