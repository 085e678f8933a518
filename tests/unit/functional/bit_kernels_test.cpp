// SPDX-License-Identifier: Apache-2.0
#include "kernel_harness.hpp"

#include "base/random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::functional::test {
namespace {
using U = std::uint32_t;

class BitKernels : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Architecture, BitKernels, ::testing::Values(80, 86), [](const auto& p) {
  return "sm" + std::to_string(p.param);
});

int signed_of(U v) {
  return static_cast<int>(v);
}
int signed_byte(U v, unsigned i) {
  return static_cast<std::int8_t>(v >> (8 * i));
}
U byte(U v, unsigned i) {
  return v >> (8 * i) & 0xff;
}

U permute_bytes(U a, U b, const unsigned (&from)[4]) {
  U r = 0;
  for (unsigned i = 0; i < 4; ++i) {
    r |= (from[i] < 4 ? byte(a, from[i]) : byte(b, from[i] - 4)) << (8 * i);
  }
  return r;
}

/// PTX prmt, by the tables of its manual page.
U prmt(U a, U b, U c) {
  U r = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const U nibble = c >> (4 * i) & 15;
    const U v = (nibble & 7) < 4 ? byte(a, nibble & 7) : byte(b, (nibble & 7) - 4);
    r |= ((nibble & 8) != 0 ? ((v & 0x80) != 0 ? 0xffU : 0U) : v) << (8 * i);
  }
  return r;
}

U prmt_mode(unsigned mode, U a, U b, U c) {
  const unsigned n = c & 3;
  switch (mode) {
  case 0: // f4e
    return permute_bytes(a, b, {n, n + 1, n + 2, n + 3});
  case 1: // b4e
    return permute_bytes(a, b, {n, (n + 7) % 8, (n + 6) % 8, (n + 5) % 8});
  case 2: // rc8
    return permute_bytes(a, b, {n, n, n, n});
  case 3: // ecl
    return permute_bytes(a, b, {n, std::max(n, 1U), std::max(n, 2U), 3});
  case 4: // ecr
    return permute_bytes(a, b, {0, std::min(n, 1U), std::min(n, 2U), n});
  default: // rc16
    return permute_bytes(a, b,
                         {n & 1 ? 2U : 0U, n & 1 ? 3U : 1U, n & 1 ? 2U : 0U, n & 1 ? 3U : 1U});
  }
}

U bit_field(U position, U width) {
  const std::uint64_t ones = width >= 32 ? 0xffffffffULL : (1ULL << width) - 1;
  return position >= 32 ? 0 : static_cast<U>(ones << position);
}

U extended(U a, U bits, bool is_signed) {
  if (bits == 0) {
    return 0;
  }
  if (bits >= 32) {
    return a;
  }
  const U low = a & ((1U << bits) - 1);
  return is_signed && (low >> (bits - 1) & 1) != 0 ? low | ~((1U << bits) - 1) : low;
}

U packed_add4(U a, U b) {
  U r = 0;
  for (unsigned i = 0; i < 4; ++i) {
    r |= ((byte(a, i) + byte(b, i)) & 0xff) << (8 * i);
  }
  return r;
}

U packed_max2(U a, U b) {
  const auto pick = [](U x, U y) {
    return static_cast<std::uint16_t>(
        std::max(static_cast<std::int16_t>(x), static_cast<std::int16_t>(y)));
  };
  return pick(a, b) | U{pick(a >> 16, b >> 16)} << 16;
}

/// What bit_operations computes, in plain C++.
std::vector<U> reference(U a, U b, U c) {
  std::vector<U> o(40);
  int dot_s = signed_of(c);
  U dot_u = c;
  U differences = c;
  for (unsigned i = 0; i < 4; ++i) {
    dot_s = static_cast<int>(static_cast<U>(dot_s) +
                             static_cast<U>(signed_byte(a, i) * signed_byte(b, i)));
    dot_u += byte(a, i) * byte(b, i);
    differences += byte(a, i) > byte(b, i) ? byte(a, i) - byte(b, i) : byte(b, i) - byte(a, i);
  }
  o[0] = static_cast<U>(dot_s);
  o[1] = dot_u;
  o[2] = c + (a & 0xffff) * byte(b, 0) + (a >> 16) * byte(b, 1);
  o[3] = c + static_cast<U>(static_cast<std::int16_t>(a) * signed_byte(b, 2)) +
         static_cast<U>(static_cast<std::int16_t>(a >> 16) * signed_byte(b, 3));
  const std::uint64_t ba = a | std::uint64_t{b} << 32;
  o[4] = static_cast<U>(ba << (c & 31) >> 32);
  o[5] = static_cast<U>(ba >> std::min(c & 63, 32U));
  o[6] = prmt(a, b, c);
  for (unsigned m = 0; m < 6; ++m) {
    o[7 + m] = prmt_mode(m, a, b, c);
  }
  o[13] = c + (signed_of(a) < signed_of(b) ? b - a : a - b);
  o[14] = c + (a < b ? b - a : a - b);
  o[15] = differences;
  o[16] = bit_field(a & 63, b & 63);
  o[17] = bit_field(a & 31, b & 31);
  o[18] = extended(a, b & 63, true);
  o[19] = extended(a, b & 31, false);
  o[20] = (b & 63) < 32 ? a << (b & 63) : 0;
  o[21] = static_cast<U>(signed_of(a) >> std::min(b & 63, 31U));
  o[22] = (b & 63) < 32 ? a >> (b & 63) : 0;
  o[23] = (a & b) | (~a & c);
  o[24] = (a & b) ^ (b & c) ^ (c & a);
  o[25] = ~(a | b) & c;
  o[26] = (a == 0 ? 0 : static_cast<U>(std::countr_zero(a)) + 1) +
          64 * static_cast<U>(std::countl_zero(b)) + 8192 * static_cast<U>(std::popcount(~c));
  o[27] = static_cast<U>(std::uint64_t{a} * b >> 32) +
          static_cast<U>(std::int64_t{signed_of(a)} * signed_of(c) >> 32);
  o[28] = std::rotl(a, static_cast<int>(b & 31));
  o[29] = (a > b ? 1U : 0U) + (signed_of(a) < signed_of(b) ? 2U : 0U) +
          (a == b || (b > c && c != 0) ? 4U : 0U) + ((a ^ b) < c && (a & 1) == 0 ? 8U : 0U);
  o[30] = packed_add4(a, b) + packed_max2(b, c);
  o[31] =
      (a & 0xff) + static_cast<U>(signed_byte(b, 0)) + static_cast<U>(static_cast<std::int16_t>(c));
  const std::uint64_t wide = std::uint64_t{a} * b + (std::uint64_t{c} << 32 | a);
  o[32] = static_cast<U>(wide);
  o[33] = static_cast<U>(wide >> 32);
  const std::int64_t swide = std::int64_t{signed_of(a)} * signed_of(b) - signed_of(c);
  o[34] = static_cast<U>(swide);
  o[35] = static_cast<U>(static_cast<std::uint64_t>(swide) >> 32);
  o[36] = a * 37 + b * 8 + c;
  o[37] = static_cast<U>(signed_of(a) / 16 + signed_of(b) % 32);
  o[38] = static_cast<U>(std::max(signed_of(a), signed_of(b))) - std::min(b, c);
  const U difference = a - b;
  o[39] = signed_of(difference) < 0 ? 0U - difference : difference;
  return o;
}

TEST_P(BitKernels, IntegerInstructionsMatchTheirDefinitions) {
  KernelHarness h("bits", GetParam(), "bit_operations");
  const int n = 320;
  RandomStream random(21, "bits");
  std::vector<U> v[3];
  std::uint64_t address[3];
  const std::vector<U> edges = {0, 1, 0xffffffffU, 0x80000000U, 0x7fffffffU, 31, 32, 33};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n; ++i) {
      v[k].push_back(i < 64 ? edges[static_cast<std::size_t>(k == 0   ? i % 8
                                                             : k == 1 ? i / 8
                                                                      : (i * 3 + i / 8) % 8)]
                            : static_cast<U>(random.next()));
    }
    address[k] = h.buffer(std::string(1, static_cast<char>('a' + k)), v[k]);
  }
  const auto out = h.buffer("out", std::vector<U>(40 * n));
  h.arguments(address[0], address[1], address[2], out, n).run({3, 1, 1}, {128, 1, 1});
  const auto got = h.read<U>(out, 40 * n);
  for (int i = 0; i < n; ++i) {
    const auto want = reference(v[0][i], v[1][i], v[2][i]);
    for (int k = 0; k < 40; ++k) {
      ASSERT_EQ(got[40 * i + k], want[k])
          << "result " << k << " of " << std::hex << v[0][i] << ", " << v[1][i] << ", " << v[2][i];
    }
  }
}

TEST_P(BitKernels, FloatComparisonsAreFalseOnNan) {
  KernelHarness h("bits", GetParam(), "float_compare");
  const float values[] = {0.0F,
                          -0.0F,
                          1.5F,
                          -2.0F,
                          std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN(),
                          1e-40F};
  std::vector<float> a;
  std::vector<float> b;
  for (const float x : values) {
    for (const float y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  }
  const auto da = h.buffer("a", a);
  const auto db = h.buffer("b", b);
  const auto out = h.buffer("out", std::vector<U>(64));
  h.arguments(da, db, out, 64).run({1, 1, 1}, {64, 1, 1});
  const auto got = h.read<U>(out, 64);
  for (std::size_t i = 0; i < 64; ++i) {
    const float x = a[i];
    const float y = b[i];
    const U want =
        (x < y ? 1U : 0U) + (x <= y ? 2U : 0U) + (x == y ? 4U : 0U) + (x != y ? 8U : 0U) +
        (x > y ? 16U : 0U) + (x >= y ? 32U : 0U) + (!(x < y) ? 64U : 0U) + (!(x >= y) ? 128U : 0U) +
        (std::isnan(x) || std::isnan(y) ? 256U : 0U) + (std::fabs(x) > 1.0F && y < 0 ? 512U : 0U);
    EXPECT_EQ(got[i], want) << x << ", " << y;
  }
}

} // namespace
} // namespace coulomb::functional::test
