// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"

#include <cfenv>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::functional {
namespace {

TEST(FloatMath, EveryHalfSurvivesTheRoundTrip) {
  for (std::uint32_t h = 0; h < 0x10000; ++h) {
    const auto half = static_cast<std::uint16_t>(h);
    const std::uint16_t want = (h & 0x7fff) > 0x7c00 ? 0x7fff : half;
    for (unsigned mode = 0; mode < 4; ++mode) {
      ASSERT_EQ(double_to_half(double{half_to_float(half)}, mode), want) << h;
    }
  }
}

TEST(FloatMath, HalfRoundingHasItsEdges) {
  EXPECT_EQ(double_to_half(65504.0, 0), 0x7bff);
  EXPECT_EQ(double_to_half(65519.9, 0), 0x7bff);
  EXPECT_EQ(double_to_half(65520.0, 0), 0x7c00);
  EXPECT_EQ(double_to_half(65520.0, 3), 0x7bff); // toward zero never overflows
  EXPECT_EQ(double_to_half(-65520.0, 2), 0xfbff);
  EXPECT_EQ(double_to_half(-65520.0, 1), 0xfc00);
  EXPECT_EQ(double_to_half(std::ldexp(1.0, -25), 0), 0x0000); // tie, to even
  EXPECT_EQ(double_to_half(std::ldexp(1.5, -25), 0), 0x0001);
  EXPECT_EQ(double_to_half(1e-300, 2), 0x0001);
  EXPECT_EQ(double_to_half(-1e-300, 2), 0x8000);
  EXPECT_EQ(double_to_half(1.0 + std::ldexp(1.0, -11), 0), 0x3c00);
  EXPECT_EQ(double_to_half(1.0 + std::ldexp(3.0, -11), 0), 0x3c02);
  EXPECT_EQ(double_to_half(std::ldexp(1.0, -14) - std::ldexp(1.0, -26), 0), 0x0400);
}

TEST(FloatMath, RoundingToFloatAgreesWithTheHostInEveryMode) {
  const int modes[4] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  std::uint64_t bits = 1;
  for (int i = 0; i < 20000; ++i) {
    bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
    // exponents around float's range, including its subnormals
    const std::uint64_t exponent = 1023 - 160 + (bits >> 40) % 300;
    volatile const double value = as_double((bits & 0x800fffffffffffffULL) | exponent << 52);
    for (unsigned mode = 0; mode < 4; ++mode) {
      std::fesetround(modes[mode]);
      volatile const auto host = static_cast<float>(value);
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(double_to_f32(value, mode), as_bits(float{host})) << value << " mode " << mode;
    }
  }
}

TEST(FloatMath, FlushingKeepsTheSign) {
  EXPECT_EQ(flush(0x80000001U), 0x80000000U);
  EXPECT_EQ(flush(0x007fffffU), 0U);
  EXPECT_EQ(flush(0x00800000U), 0x00800000U);
}

TEST(FloatMath, SaturationMapsNanAndNegativesToZero) {
  EXPECT_EQ(saturate_f32(as_bits(0.5F)), as_bits(0.5F));
  EXPECT_EQ(saturate_f32(as_bits(1.5F)), as_bits(1.0F));
  EXPECT_EQ(saturate_f32(as_bits(std::numeric_limits<float>::infinity())), as_bits(1.0F));
  EXPECT_EQ(saturate_f32(as_bits(-3.0F)), 0U);
  EXPECT_EQ(saturate_f32(0x80000000U), 0U);
  EXPECT_EQ(saturate_f32(0x7fc00000U), 0U);
  EXPECT_EQ(saturate_f32(0xffc00000U), 0U);
}

TEST(FloatMath, MinimumPrefersNumbersAndOrdersZeros) {
  EXPECT_EQ(min_max_f32(0x7fc00000U, as_bits(2.0F), true), as_bits(2.0F));
  EXPECT_EQ(min_max_f32(as_bits(2.0F), 0xffc00001U, false), as_bits(2.0F));
  EXPECT_EQ(min_max_f32(0x7fc00000U, 0xffc00001U, true), kNanF32);
  EXPECT_EQ(min_max_f32(0U, 0x80000000U, true), 0x80000000U);
  EXPECT_EQ(min_max_f32(0x80000000U, 0U, false), 0U);
  EXPECT_EQ(min_max_f32(as_bits(-1.0F), as_bits(-2.0F), true), as_bits(-2.0F));
}

} // namespace
} // namespace coulomb::functional
