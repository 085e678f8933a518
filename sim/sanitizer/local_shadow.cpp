// SPDX-License-Identifier: Apache-2.0
#include "sim/sanitizer/local_shadow.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::sanitizer {
namespace {

/// Calls use(byte, lanes) for the bytes that lanes access; lanes of one address come together, as
/// most accesses are.
template <class Use>
void each_byte(const functional::MemoryAccess& access, std::size_t size, Use use) {
  std::uint32_t left = access.mask;
  while (left != 0) {
    const std::uint64_t first = access.address[static_cast<std::size_t>(std::countr_zero(left))];
    std::uint32_t same = 0;
    for (std::uint32_t m = left; m != 0; m &= m - 1) {
      const int lane = std::countr_zero(m);
      same |= (access.address[static_cast<std::size_t>(lane)] == first ? 1U : 0U) << lane;
    }
    left &= ~same;
    for (std::uint64_t b = first; b < std::min<std::uint64_t>(first + access.bytes, size); ++b) {
      use(static_cast<std::size_t>(b), same);
    }
  }
}

} // namespace

std::uint32_t LocalShadow::load(const functional::MemoryAccess& access) const {
  std::uint32_t bad = 0;
  each_byte(access, stored_.size(),
            [&](std::size_t byte, std::uint32_t lanes) { bad |= lanes & ~stored_[byte]; });
  return bad;
}

void LocalShadow::store(const functional::MemoryAccess& access) {
  each_byte(access, stored_.size(),
            [&](std::size_t byte, std::uint32_t lanes) { stored_[byte] |= lanes; });
}

} // namespace coulomb::sanitizer
