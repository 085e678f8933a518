// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"

#include <algorithm>

namespace coulomb::functional {
namespace {
/// Rounds off the low `drop` bits of `value`.
std::uint64_t round_off(std::uint64_t value, int drop, bool negative, unsigned mode) {
  if (drop <= 0) {
    return value << -drop;
  }
  const std::uint64_t kept = drop < 64 ? value >> drop : 0;
  const std::uint64_t rest = drop < 64 ? value & ((std::uint64_t{1} << drop) - 1) : value;
  if (rest == 0) {
    return kept;
  }
  bool up = false;
  if (mode == 0) {
    const std::uint64_t half = drop <= 64 ? std::uint64_t{1} << (drop - 1) : 0;
    up = drop <= 64 && (rest > half || (rest == half && (kept & 1) != 0));
  } else {
    up = (mode == 1 && negative) || (mode == 2 && !negative);
  }
  return kept + (up ? 1 : 0);
}
} // namespace

std::uint32_t round_to_format(double value, int fraction, int exponent_bits, unsigned mode) {
  const std::uint64_t bits = as_bits(value);
  const bool negative = (bits >> 63) != 0;
  const std::uint32_t sign = negative ? 1U << (fraction + exponent_bits) : 0;
  const std::uint32_t infinity = ((1U << exponent_bits) - 1) << fraction;
  if (std::isnan(value)) {
    return (1U << (fraction + exponent_bits)) - 1;
  }
  if (std::isinf(value)) {
    return sign | infinity;
  }
  if ((bits << 1) == 0) {
    return sign;
  }
  const int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  std::uint64_t significand = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent == -1023) {
    exponent = -1022; // subnormal double
  } else {
    significand |= std::uint64_t{1} << 52;
  }
  const int below = std::max(0, 1 - bias - exponent); // extra bits lost to a subnormal result
  const std::uint64_t rounded =
      round_off(significand, std::min(52 - fraction + below, 100), negative, mode);
  // The implicit bit, if present, adds one to the exponent field; so does a carry out of the
  // fraction.
  const std::uint64_t field = below > 0 ? 0 : static_cast<std::uint64_t>(exponent + bias - 1);
  const std::uint64_t packed = (field << fraction) + rounded;
  if (below == 0 && packed >= infinity) {
    const bool to_infinity = mode == 0 || (mode == 1 && negative) || (mode == 2 && !negative);
    return sign | (to_infinity ? infinity : infinity - 1);
  }
  return sign | static_cast<std::uint32_t>(packed);
}

} // namespace coulomb::functional
