// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#if defined(__F16C__)
#include <immintrin.h>
#endif

/// Floating-point rules that differ from the host's: flushing, saturation, canonical NaN. Written
/// on bit patterns, so that lane loops vectorise.
namespace coulomb::functional {

inline constexpr std::uint32_t kSignBit = 0x80000000U;
inline constexpr std::uint32_t kNanF32 = 0x7fffffffU;

[[nodiscard]] inline float as_float(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
[[nodiscard]] inline std::uint32_t as_bits(float f) {
  return std::bit_cast<std::uint32_t>(f);
}
[[nodiscard]] inline double as_double(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}
[[nodiscard]] inline std::uint64_t as_bits(double d) {
  return std::bit_cast<std::uint64_t>(d);
}

[[nodiscard]] inline bool is_nan_bits(std::uint32_t bits) {
  return (bits & 0x7fffffffU) > 0x7f800000U;
}
/// A subnormal becomes zero of the same sign.
[[nodiscard]] inline std::uint32_t flush(std::uint32_t bits) {
  return (bits & 0x7f800000U) == 0 ? bits & kSignBit : bits;
}
/// Every NaN result is the same quiet NaN.
[[nodiscard]] inline std::uint32_t canonical(std::uint32_t bits) {
  return is_nan_bits(bits) ? kNanF32 : bits;
}
/// Clamp to [0, 1]; NaN and -0 become +0.
[[nodiscard]] inline std::uint32_t saturate_f32(std::uint32_t bits) {
  const std::uint32_t at_most_one =
      static_cast<std::int32_t>(bits) > 0x3f800000 ? 0x3f800000U : bits;
  const bool zero = is_nan_bits(bits) || (bits & kSignBit) != 0;
  return zero ? 0U : at_most_one;
}
/// Signed integer with the order of the floats; -0 sorts below +0. NaNs are for the caller to sort
/// out.
[[nodiscard]] inline std::int32_t order_key(std::uint32_t bits) {
  const auto i = static_cast<std::int32_t>(bits);
  return i ^ static_cast<std::int32_t>(static_cast<std::uint32_t>(i >> 31) >> 1);
}
/// minimum (or maximum) that prefers a number to a NaN; both NaN: the canonical NaN.
[[nodiscard]] inline std::uint32_t min_max_f32(std::uint32_t a, std::uint32_t b, bool minimum) {
  const bool less = order_key(a) < order_key(b);
  std::uint32_t r = less == minimum ? a : b;
  r = is_nan_bits(a) ? b : r;
  r = is_nan_bits(b) ? a : r;
  return canonical(r);
}

// Half precision: 1 sign, 5 exponent, 10 fraction bits (bfloat16: the top half of a float).

// The casts of g++ 12 between _Float16 and float are library calls even where the processor has the
// instructions.
[[nodiscard]] inline float half_to_float(std::uint16_t h) {
#if defined(__F16C__)
  return _cvtsh_ss(h);
#else
  return static_cast<float>(std::bit_cast<_Float16>(h));
#endif
}
/// Nearest even; NaN gives some NaN.
[[nodiscard]] inline std::uint16_t float_to_half(float f) {
#if defined(__F16C__)
  return _cvtss_sh(f, _MM_FROUND_TO_NEAREST_INT);
#else
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(f));
#endif
}
[[nodiscard]] inline float bf16_to_float(std::uint16_t h) {
  return as_float(std::uint32_t{h} << 16);
}

/// Rounds a double to a format with `fraction` fraction bits and the given exponent range, in one
/// step. `mode` 0 nearest even, 1 down, 2 up, 3 toward zero. Overflow gives infinity or the largest
/// number, as the mode says. Returns sign, exponent and fraction packed; NaN gives the format's
/// canonical NaN (all ones but the sign).
[[nodiscard]] std::uint32_t
round_to_format(double value, int fraction, int exponent_bits, unsigned mode);

[[nodiscard]] inline std::uint16_t double_to_half(double value, unsigned mode) {
  return static_cast<std::uint16_t>(round_to_format(value, 10, 5, mode));
}
[[nodiscard]] inline std::uint16_t double_to_bf16(double value, unsigned mode) {
  return static_cast<std::uint16_t>(round_to_format(value, 7, 8, mode));
}
[[nodiscard]] inline std::uint32_t double_to_f32(double value, unsigned mode) {
  return round_to_format(value, 23, 8, mode);
}

} // namespace coulomb::functional
