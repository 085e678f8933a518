// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace coulomb {

/// Extent or index of a grid or a block, in CTAs or threads.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  [[nodiscard]] std::uint64_t volume() const { return std::uint64_t{x} * y * z; }
  /// The index of linear position `i` in this extent, x fastest.
  [[nodiscard]] Dim3 at(std::uint64_t i) const {
    return {static_cast<std::uint32_t>(i % x), static_cast<std::uint32_t>(i / x % y),
            static_cast<std::uint32_t>(i / x / y)};
  }
  bool operator==(const Dim3&) const = default;
};

} // namespace coulomb
