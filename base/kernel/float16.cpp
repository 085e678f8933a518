// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/float16.hpp"

#include <cmath>

namespace coulomb::kernel {

std::uint16_t float16_from_double(double value) {
  const auto sign = static_cast<std::uint16_t>(std::signbit(value) ? 0x8000 : 0);
  const double magnitude = std::fabs(value);
  if (std::isnan(value)) {
    return static_cast<std::uint16_t>(sign | 0x7e00);
  }
  if (magnitude >= 65520.0) { // half way between the largest finite value and the next power of two
    return static_cast<std::uint16_t>(sign | 0x7c00);
  }
  int exponent = 0;
  std::frexp(magnitude, &exponent); // magnitude < 2^exponent
  // Subnormals share the exponent of the smallest normal, 2^-14.
  const int unit = (magnitude < 0x1p-14 ? -14 : exponent - 1) - 10;
  const double steps = std::nearbyint(std::ldexp(magnitude, -unit));
  const auto n = static_cast<std::uint32_t>(steps);
  // A carry out of the fraction lands in the exponent, which is what rounding up means.
  const std::uint32_t bits =
      magnitude < 0x1p-14 ? n : (static_cast<std::uint32_t>(unit + 25) << 10) + (n - 1024);
  return static_cast<std::uint16_t>(sign | bits);
}

double float16_to_double(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  double magnitude = 0.0;
  if (exponent == 31) {
    magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  } else if (exponent == 0) {
    magnitude = std::ldexp(fraction, -24);
  } else {
    magnitude = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

} // namespace coulomb::kernel
