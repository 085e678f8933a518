// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace coulomb::timing::sm {

/// An event inside an SM: a dependence counter of a warp is decremented, or an asynchronous copy
/// has landed.
struct Release {
  enum class Kind : std::uint8_t { counter, async_copy };
  std::uint16_t warp = 0;   ///< warp slot of the SM
  std::uint8_t barrier = 0; ///< dependence counter 0..5
  Kind kind = Kind::counter;
  std::uint32_t generation = 0; ///< of the warp slot: events of a finished warp are ignored
};

} // namespace coulomb::timing::sm
