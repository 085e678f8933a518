// SPDX-License-Identifier: Apache-2.0
// k14 bit operations, 64-bit integers, division.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using i32 = std::int32_t;

/// Applies `f` to the `width`-bit fields of two words; `f` sees them sign- or zero-extended.
template <class F>
u32 fields(u32 x, u32 y, unsigned width, bool is_signed, F f) {
  const u32 mask = width == 32 ? ~0U : (1U << width) - 1U;
  u32 out = 0;
  for (unsigned at = 0; at < 32; at += width) {
    const auto get = [&](u32 v) {
      const i64 field = (v >> at) & mask;
      return is_signed && (field >> (width - 1)) != 0 ? field - (i64{mask} + 1) : field;
    };
    out |= (static_cast<u32>(f(get(x), get(y))) & mask) << at;
  }
  return out;
}

/// Sum of products of the 8-bit fields of `b` with fields of `a`: bytes, or two halves that start
/// at byte `from` of b.
template <class F>
u32 sum_fields(unsigned count, F product) {
  i64 total = 0;
  for (unsigned i = 0; i < count; ++i) {
    total += product(i);
  }
  return static_cast<u32>(total);
}
i64 field_of(u32 v, unsigned width, unsigned i, bool is_signed) {
  const u32 bits = (v >> (width * i)) & ((1U << width) - 1U);
  return is_signed && (bits >> (width - 1)) != 0 ? i64{bits} - (i64{1} << width) : i64{bits};
}
u32 dot4(u32 a, u32 b, bool is_signed) {
  return sum_fields(
      4, [&](unsigned i) { return field_of(a, 8, i, is_signed) * field_of(b, 8, i, is_signed); });
}
u32 dot2(u32 a, u32 b, unsigned from, bool is_signed) {
  return sum_fields(2, [&](unsigned i) {
    return field_of(a, 16, i, is_signed) * field_of(b, 8, from + i, is_signed);
  });
}

u64 reverse(u64 v, unsigned bits) {
  u64 out = 0;
  for (unsigned i = 0; i < bits; ++i) {
    out |= ((v >> i) & 1U) << (bits - 1 - i);
  }
  return out;
}
u32 permute(u32 x, u32 y, u32 selector) {
  const u64 bytes = (u64{y} << 32) | x;
  u32 out = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const u32 s = (selector >> (4 * i)) & 15U;
    u32 byte = static_cast<u32>(bytes >> (8 * (s & 7U))) & 255U;
    if ((s & 8U) != 0) {
      byte = (byte & 128U) != 0 ? 255U : 0U;
    }
    out |= byte << (8 * i);
  }
  return out;
}
/// Shifts of 32-bit words by 32 and more give all zeros or all signs.
u32 shift_left(u32 v, u32 n) {
  return n > 31 ? 0 : v << n;
}

/// bfe of PTX: field of `length` bits at `position`, sign-extended if asked; both taken as bytes.
u32 extract(u32 v, u32 position, u32 length, bool is_signed) {
  position &= 255U;
  length &= 255U;
  const auto bit = [&](u32 i) { return (v >> std::min(i, 31U)) & 1U; };
  const u32 sign = !is_signed || length == 0 ? 0U : bit(std::min(position + length - 1, 31U));
  u32 out = 0;
  for (u32 i = 0; i < 32; ++i) {
    const bool inside = i < length && position + i < 32;
    out |= (inside ? bit(position + i) : sign) << i;
  }
  return out;
}
u32 insert(u32 v, u32 into, u32 position, u32 length) {
  position &= 255U;
  length &= 255U;
  for (u32 i = 0; i < length && position + i < 32; ++i) {
    into = (into & ~(1U << (position + i))) | (((v >> i) & 1U) << (position + i));
  }
  return into;
}

struct BitArguments {
  u32 a;
  u32 b;
  i32 n;
};

u32 count_and_shift(u32 v, u64 l, const BitArguments& g) {
  const auto n = static_cast<u32>(g.n);
  const i32 s = static_cast<i32>(v);
  const auto first = [](u64 x) { return x == 0 ? 0U : static_cast<u32>(std::countr_zero(x)) + 1; };
  u32 r = static_cast<u32>(std::popcount(v) + std::countl_zero(v)) + first(v) +
          static_cast<u32>(reverse(v, 32)) +
          static_cast<u32>(std::popcount(l) + std::countl_zero(l)) + first(l) +
          static_cast<u32>(reverse(l, 64));
  const auto funnel = [](u32 low, u32 high) { return (u64{high} << 32) | low; };
  const u32 clamped = std::min(n, 32U);
  r += permute(v, g.a, g.b) + permute(v, g.a, 0x5410) + permute(v, g.a, 0x6420) +
       static_cast<u32>((funnel(v, g.a) << (n & 31U)) >> 32) +
       static_cast<u32>(funnel(v, g.a) >> (n & 31U)) +
       static_cast<u32>((funnel(v, g.a) << clamped) >> 32) +
       static_cast<u32>(funnel(v, g.a) >> clamped) + std::rotr(v, 7);
  r ^= shift_left(v, n) + (v >> n) + static_cast<u32>(s >> n) + static_cast<u32>(l >> n) +
       static_cast<u32>(l << n) + static_cast<u32>(static_cast<i64>(l) >> n) +
       static_cast<u32>(s >> 5) + (v << 3);
  return r;
}

u32 multiply_and_average(u32 v, const BitArguments& g) {
  const i64 s = static_cast<i32>(v);
  const i64 n = g.n;
  const auto low24 = [](i64 x) { return (x << 40) >> 40; };
  const auto word = [](i64 x) { return static_cast<u32>(x); };
  return static_cast<u32>((u64{v} * g.a) >> 32) + word((s * n) >> 32) + word(low24(s) * low24(n)) +
         (v & 0xffffffU) * (g.a & 0xffffffU) + word(std::abs(s - n)) + v +
         word(std::abs(i64{v} - i64{g.a})) + g.b + word((s + n) >> 1) + word((s + n + 1) >> 1) +
         static_cast<u32>((u64{v} + g.a) >> 1);
}

u32 packed(u32 v, const BitArguments& g) {
  const auto saturating_count = [](bool c) { return c ? i64{-1} : i64{0}; };
  u32 r = fields(v, g.a, 16, false, [](i64 x, i64 y) { return x + y; }) +
          fields(v, g.b, 8, false, [](i64 x, i64 y) { return x + y; }) +
          fields(v, g.a, 16, true, [](i64 x, i64 y) { return std::max(x, y); }) +
          fields(v, g.b, 8, false, [](i64 x, i64 y) { return std::min(x, y); }) +
          fields(v, g.a, 8, false, [](i64 x, i64 y) { return std::abs(x - y); }) +
          fields(v, g.a, 8, false, [&](i64 x, i64 y) { return saturating_count(x == y); });
  r += fields(v, g.b, 16, true, [](i64 x, i64 y) { return x > y ? 1 : 0; });
  r += fields(v, g.a, 16, false, [](i64 x, i64 y) { return (x + y + 1) / 2; }) +
       fields(v, g.a, 8, false, [](i64 x, i64 y) { return x - y; }) +
       sum_fields(4, [&](unsigned i) {
         return std::abs(field_of(v, 8, i, false) - field_of(g.a, 8, i, false));
       });
  return r;
}

u32 bits_of(u32 v, u32 next, const BitArguments& g) {
  const i32 s = static_cast<i32>(v);
  const auto n = static_cast<u32>(g.n);
  u32 r = count_and_shift(v, (u64{v} << 32) | next, g);
  r += multiply_and_average(v, g);
  const u32 found = v == 0 ? ~0U : 31U - static_cast<u32>(std::countl_zero(v));
  const u32 unsign = s < 0 ? ~v : v;
  const u32 shift = unsign == 0 ? ~0U : static_cast<u32>(std::countl_zero(unsign));
  r += extract(v, g.a, g.b, false) + insert(v, g.a, g.b, n) * found + extract(v, g.a, 5, true) +
       shift + ((v & g.a) | (~v & g.b));
  r += packed(v, g);
  r += dot4(v, g.a, false) + g.b + dot4(v, n, true) + v + dot2(v, g.a, 0, false) + g.b +
       dot2(v, n, 2, true) + v + dot4(v, g.a, true) + 5;
  r ^= static_cast<u32>(std::max(s, g.n)) + std::min(v, g.a) + (s < 0 ? 0U - v : v) - ~v +
       (v & g.a & ~g.b) + (v ^ (g.a | g.b));
  if ((v & g.a) == 0) {
    r += 3;
  }
  if (((v ^ g.b) & 0x80U) != 0) {
    r ^= 0x55U;
  }
  return (v | g.a) != g.b ? ~r : r;
}

void bits_with(Problem& p, const BitArguments& g) {
  auto x = p.integers<u32>(129);
  x[3] = 0;
  x[4] = ~0U;
  x[5] = 0x80000000U;
  x[6] = g.a;
  x[7] = g.b;
  std::vector<u32> want;
  for (size_t t = 0; t < 128; ++t) {
    want.push_back(bits_of(x[t], x[t + 1], g));
  }
  p.input(x);
  p.output(std::vector<u32>(128, 0), want);
  p.value(g.a);
  p.value(g.b);
  p.value(g.n);
}
void bits(Problem& p) {
  bits_with(p, {0x8a00ff07U, 0x7f314203U, 13});
}

void int64ops(Problem& p) {
  constexpr i64 kK = -0x123456789abcdLL;
  constexpr u64 kM = 0xfedcba9876543210ULL;
  constexpr int kN = 9;
  __extension__ using u128 = unsigned __int128;
  __extension__ using i128 = __int128;
  const auto x = p.integers<i64>(64);
  const auto y = p.integers<u64>(64);
  std::vector<u64> want;
  for (size_t t = 0; t < 64; ++t) {
    const i64 a = x[t];
    const u64 b = y[t];
    u64 r = static_cast<u64>(a) * static_cast<u64>(kK) + b;
    u64 q = b * kM;
    r += static_cast<u64>((static_cast<i128>(a) * kK) >> 64);
    q += static_cast<u64>((static_cast<u128>(b) * kM) >> 64);
    r -= a < kK ? 3 : 5;
    q ^= std::max(b, kM);
    r += a <= static_cast<i64>(b) && a != kK ? 1 : 0;
    r = static_cast<u64>(std::max(static_cast<i64>(r), a));
    q = std::min(q, b);
    r += static_cast<u64>(a) << kN;
    r ^= static_cast<u64>(a >> kN);
    q |= b >> kN;
    r += static_cast<u64>(a);
    q = ~q;
    r += a < 0 ? 0 - static_cast<u64>(a) : static_cast<u64>(a);
    r += static_cast<u64>(i64{static_cast<i32>(a)} * kN);
    q += u64{static_cast<u32>(b)} * kN;
    r += static_cast<u64>(i64{static_cast<i32>(a)});
    q += static_cast<u64>(i64{static_cast<std::int16_t>(b)});
    q += (b >> 32) * 7 + (b & 0xffffU);
    u128 w = static_cast<u128>(b) * kM + q;
    q ^= static_cast<u64>(w >> 64) + static_cast<u64>(w);
    w <<= 13;
    w -= b;
    q += static_cast<u64>(w >> 70);
    want.push_back(r);
    want.push_back(q);
  }
  p.input(x);
  p.input(y);
  p.output(std::vector<u64>(128, 0), want);
  p.value(kK);
  p.value(kM);
  p.value(kN);
}

void intdiv(Problem& p) {
  constexpr i32 kD = -1237;
  constexpr u32 kU = 40973;
  constexpr i64 kL = -98765432101LL;
  const auto x = p.integers<i32>(64);
  const auto u = p.integers<u32>(64);
  const auto l = p.integers<i64>(64);
  std::vector<u32> want;
  for (size_t t = 0; t < 64; ++t) {
    const i32 a = x[t];
    const u32 b = u[t];
    const i64 c = l[t];
    const auto e = static_cast<u64>(c);
    u32 r = 0;
    for (const i64 part :
         {i64{a / kD}, i64{a % kD}, i64{a / 7}, i64{a % 10}, i64{a / -5}, i64{a / 16}, i64{a % 8},
          c / kL, c % kL, c / 10, static_cast<i64>(e / static_cast<u64>(kL)),
          static_cast<i64>(e % 1000003U)}) {
      r += static_cast<u32>(part);
    }
    r += b / kU + b % kU + b / 7 + b % 1000 + b / 641;
    r += static_cast<u32>(static_cast<std::int16_t>(a) / static_cast<std::int16_t>(kD)) +
         (b & 255U) % (kU & 255U);
    want.push_back(r);
  }
  p.input(x);
  p.input(u);
  p.input(l);
  p.output(std::vector<u32>(64, 0), want);
  p.value(kD);
  p.value(kU);
  p.value(kL);
}

constexpr const char* kFile = "k14_hash_bits.cu";

constexpr KernelCase kCases[] = {
    {kFile, "bits", {1}, {128}, 0, bits},
    {kFile, "int64ops", {1}, {64}, 0, int64ops},
    {kFile, "intdiv", {1}, {64}, 0, intdiv},
};

} // namespace

std::span<const KernelCase> integer_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
