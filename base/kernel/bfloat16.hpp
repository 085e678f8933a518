// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace coulomb::kernel {

/// The exact value of bfloat16 bits: the upper half of a binary32.
[[nodiscard]] inline double bfloat16_to_double(std::uint16_t bits) {
  return static_cast<double>(std::bit_cast<float>(std::uint32_t{bits} << 16));
}

/// bfloat16 bits of a double, rounded to nearest even; too large becomes infinity, NaN stays NaN.
[[nodiscard]] inline std::uint16_t bfloat16_from_double(double value) {
  const auto narrow = static_cast<float>(value);
  auto bits = std::bit_cast<std::uint32_t>(narrow);
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(bits >> 16 | 0x40U);
  }
  // Rounded to odd first, so that rounding once more to nearest even is right.
  if (static_cast<double>(narrow) != value) {
    if (std::fabs(static_cast<double>(narrow)) > std::fabs(value)) {
      --bits;
    }
    bits |= 1U;
  }
  return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16);
}

} // namespace coulomb::kernel
