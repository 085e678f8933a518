// SPDX-License-Identifier: Apache-2.0
#include "sim/isa/number_text.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace coulomb::isa {
namespace {

std::string special_text(double value) {
  if (std::isnan(value)) {
    return std::signbit(value) ? "-QNAN " : "+QNAN ";
  }
  return value < 0 ? "-INF " : "+INF ";
}

bool fits_int32(double value) {
  return std::abs(value) <= std::numeric_limits<std::int32_t>::max();
}

} // namespace

double half_value(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  if (exponent == 0x1f) {
    return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                         : std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  }
  return exponent == 0 ? sign * std::ldexp(fraction, -24)
                       : sign * std::ldexp(fraction + 0x400, exponent - 25);
}

double bfloat16_value(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::string float_text(double value) {
  if (!std::isfinite(value)) {
    return special_text(value);
  }
  const bool large_integer = value == std::trunc(value) && !fits_int32(value);
  return large_integer ? fmt::format("{:.20e}", value) : fmt::format("{:.20g}", value);
}

std::string hex_text(std::int64_t value) {
  return value < 0 ? fmt::format("-{:#x}", -static_cast<std::uint64_t>(value))
                   : fmt::format("{:#x}", value);
}

} // namespace coulomb::isa
