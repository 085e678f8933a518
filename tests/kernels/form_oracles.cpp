// SPDX-License-Identifier: Apache-2.0
// k19 forms that other kernels do not show.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using i32 = std::int32_t;

i64 clamped(i64 v, i64 low, i64 high) {
  return std::clamp(v, low, high);
}
i32 saturated(i64 v) {
  return static_cast<i32>(
      clamped(v, std::numeric_limits<i32>::min(), std::numeric_limits<i32>::max()));
}

void local_uniform(Problem& p) {
  constexpr size_t kN = 11;
  const auto x = p.integers<u32>(64 * 32);
  std::vector<u32> want;
  for (size_t t = 0; t < 64; ++t) {
    std::vector<u32> l(x.begin() + static_cast<std::ptrdiff_t>(t * 32),
                       x.begin() + static_cast<std::ptrdiff_t>(t * 32 + 32));
    const u32 r = l[kN];
    l[kN + 3] = r * 3 + 1;
    u32 k = 0;
    for (const u32 v : l) {
      k = k * 31 + v;
    }
    want.push_back(r ^ k);
  }
  p.input(x);
  p.output(std::vector<u32>(64, 0), want);
  p.value(static_cast<int>(kN));
}

void shared_forms(Problem& p) {
  constexpr size_t kN = 17;
  const auto x = p.integers<u32>(128);
  std::vector<u32> s(64, 0);
  std::vector<u64> w(64, 0);
  // The words that others raise or flip get no additions, so that order does not matter.
  std::vector<u32> inputs = x;
  for (u32& v : inputs) {
    v = (v & 63U) == kN || (v & 63U) == kN + 1 ? v + 2 : v;
  }
  for (size_t t = 0; t < 128; ++t) {
    const u32 v = inputs[t];
    s[v & 63U] += static_cast<u32>(t) + 1;
    s[kN] += v;
    s[kN + 1] = std::max(s[kN + 1], v);
    w[v & 63U] += u64{v} * v;
    w[kN] ^= u64{v} << 20;
  }
  std::vector<u32> want;
  want.insert(want.end(), s.begin(), s.end());
  for (const u64 v : w) {
    want.push_back(static_cast<u32>(v));
  }
  for (const u64 v : w) {
    want.push_back(static_cast<u32>(v >> 32));
  }
  p.input(inputs);
  p.output(std::vector<u32>(192, 0), want);
  p.value(static_cast<int>(kN));
}

/// Bits of |v| in a 16-bit format with `digits` fraction bits and the exponent range of
/// `exponent_bits`; rounded to nearest even or cut off. Negative numbers and NaN give 0 (.relu).
u16 relu_bits(float v, int digits, int exponent_bits, bool truncate) {
  if (!(v > 0.0F)) {
    return 0;
  }
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int largest = (1 << exponent_bits) - 1;
  if (std::isinf(v)) {
    return static_cast<u16>(largest << digits);
  }
  const int exponent = std::max(std::ilogb(v), 1 - bias);
  const double scaled = std::ldexp(double{v}, digits - exponent);
  const double rounded = truncate ? std::floor(scaled) : std::nearbyint(scaled);
  const auto steps = static_cast<i64>(rounded); // the implicit one counts as an exponent step
  const i64 bits = ((i64{exponent} + bias - 1) << digits) + steps;
  const i64 infinity = i64{largest} << digits;
  return static_cast<u16>(std::min(bits, truncate ? infinity - 1 : infinity));
}

void convert_one(Problem& p) {
  auto x = p.floats(128, -4.0, 70000.0);
  const float special[] = {0.0F,      -0.0F, 65504.0F,       65519.9F,        65520.0F, 1e-8F,
                           6e-8F,     3e-5F, 1e-40F,         3.4e38F,         -1.0F,    INFINITY,
                           -INFINITY, NAN,   1.0F + 0x1p-8F, 1.0F + 0x1.8p-7F};
  std::copy(std::begin(special), std::end(special), x.begin());
  std::vector<u16> want;
  for (const float v : x) {
    want.push_back(relu_bits(v, 7, 8, false));
    want.push_back(relu_bits(v, 7, 8, true));
    want.push_back(relu_bits(v, 10, 5, false));
    want.push_back(relu_bits(v, 10, 5, true));
  }
  p.input(x);
  p.output(std::vector<u16>(want.size(), 0), want);
}

/// One number of xor_sign, given by its bits: the smaller or larger magnitude, with the product of
/// the signs. Magnitudes above `infinity` are NaN; `nan`: the result of two of them.
u32 xor_sign_bits(u32 a, u32 b, bool maximum, u32 infinity, u32 nan) {
  const u32 x = a & nan;
  const u32 y = b & nan;
  if (x > infinity && y > infinity) {
    return nan;
  }
  const u32 m = x > infinity ? y : y > infinity ? x : maximum ? std::max(x, y) : std::min(x, y);
  return m | ((a ^ b) & (nan + 1));
}

void xor_sign(Problem& p) {
  auto a = p.integers<u32>(256);
  auto b = p.integers<u32>(256);
  a[0] = 0x80000000U;
  b[0] = 0x00008000U;
  a[1] = 0x7e007fffU; // NaN
  b[1] = 0xfe00bc00U;
  a[2] = b[2];
  std::vector<u32> want;
  for (size_t i = 0; i < a.size(); ++i) {
    for (const u32 infinity : {0x7c00U, 0x7f80U}) {
      for (const bool maximum : {false, true}) {
        const auto half_bits = [&](u32 x, u32 y) {
          return xor_sign_bits(x & 0xffffU, y & 0xffffU, maximum, infinity, 0x7fff);
        };
        want.push_back(half_bits(a[i], b[i]) | half_bits(a[i] >> 16, b[i] >> 16) << 16);
      }
    }
    for (const bool maximum : {false, true}) {
      want.push_back(xor_sign_bits(a[i], b[i], maximum, 0x7f800000U, 0x7fffffffU));
    }
  }
  p.input(a);
  p.input(b);
  p.output(std::vector<u32>(want.size(), 0), want);
}

void pack(Problem& p) {
  auto a = p.integers<i32>(128);
  auto b = p.integers<i32>(128);
  for (size_t i = 0; i < 128; ++i) { // from words to a few bits, so that all types saturate or not
    a[i] >>= i % 32;
    b[i] >>= (i * 7) % 32;
  }
  const auto c = p.integers<i32>(128);
  struct Type {
    unsigned bits;
    bool is_signed;
  };
  constexpr Type kTypes[] = {{8, false}, {8, true}, {16, false}, {16, true},
                             {2, false}, {2, true}, {4, false},  {4, true}};
  std::vector<u32> want;
  for (size_t i = 0; i < 128; ++i) {
    for (const auto& [bits, is_signed] : kTypes) {
      const i64 low = is_signed ? -(i64{1} << (bits - 1)) : 0;
      const i64 high = low + (i64{1} << bits) - 1;
      const auto field = [&, bits = bits](i64 v) {
        return static_cast<u64>(clamped(v, low, high)) & ((u64{1} << bits) - 1);
      };
      const u64 pair = field(a[i]) << bits | field(b[i]);
      want.push_back(static_cast<u32>(u64{static_cast<u32>(c[i])} << (2 * bits) | pair));
    }
  }
  p.input(a);
  p.input(b);
  p.input(c);
  p.output(std::vector<u32>(want.size(), 0), want);
}

void saturating(Problem& p) {
  auto a = p.integers<i32>(256);
  auto b = p.integers<i32>(256);
  auto c = p.integers<i32>(256);
  for (size_t i = 0; i < 64; ++i) { // sums at both ends
    c[i] = i % 2 == 0 ? std::numeric_limits<i32>::max() : std::numeric_limits<i32>::min();
    a[i] = i % 4 < 2 ? std::abs(a[i] / 2) : -std::abs(a[i] / 2);
  }
  std::vector<i32> want;
  for (size_t i = 0; i < a.size(); ++i) {
    const i64 x = a[i];
    const i64 y = b[i];
    const auto low24 = [](i64 v) { return static_cast<i64>(static_cast<u64>(v) << 40) >> 40; };
    want.push_back(saturated(x + y));
    want.push_back(saturated(x - y));
    want.push_back(saturated(((x * y) >> 32) + c[i]));
    want.push_back(saturated(((low24(x) * low24(y)) >> 16) + c[i]));
  }
  p.input(a);
  p.input(b);
  p.input(c);
  p.output(std::vector<i32>(want.size(), 0), want);
}

/// The 64-bit word that a thread of generic_atomics works on, with 32-bit views of it.
struct Word {
  u64 v;
  [[nodiscard]] u32 low() const { return static_cast<u32>(v); }
  [[nodiscard]] u32 high() const { return static_cast<u32>(v >> 32); }
  u64 set_low(u32 x) {
    const u32 old = low();
    v = (v & ~u64{0xffffffffU}) | x;
    return old;
  }
  u64 set_high(u32 x) {
    const u32 old = high();
    v = u64{low()} | u64{x} << 32;
    return old;
  }
};

void generic_atomics(Problem& p) {
  const auto g = p.integers<u64>(96, 1000);
  auto after = g;
  std::vector<u64> want;
  for (u32 t = 0; t < 96; ++t) {
    Word w{t % 3 == 0 ? g[t] : t};
    u64 r = w.v;
    w.v += u64{t} << 33 | 5;
    const auto mix = [&r](u64 old) { r = r * 31 + old; };
    mix(w.set_low(w.low() + 7 + t));
    // The maximum is an int, and its sign goes into the sum.
    mix(static_cast<u64>(i64{static_cast<i32>(w.low())}));
    w.set_low(static_cast<u32>(std::max(static_cast<i32>(w.low()), 20)));
    mix(w.low());
    w.set_low(w.low() == 20 ? 99 : w.low());
    mix(w.set_high(1000 + t));
    mix(w.v);
    w.v = w.v == (u64{1000 + t} << 32 | 99) ? 3 : w.v;
    mix(w.low());
    w.set_low(w.low() >= 2 ? 0 : w.low() + 1);
    mix(w.low());
    const auto value = std::bit_cast<float>(w.low());
    w.set_low(std::bit_cast<u32>((std::fpclassify(value) == FP_SUBNORMAL ? 0.0F : value) + 0.5F));
    mix(w.v);
    want.push_back(r);
    if (t % 3 == 0) {
      after[t] = w.v;
    }
  }
  p.output(g, after);
  p.output(std::vector<u64>(96, 0), want);
}

void generic_mbarrier(Problem& p) {
  const auto x = p.floats(64);
  std::vector<float> want;
  for (size_t t = 0; t < 64; ++t) {
    want.push_back(x[t ^ 33U]);
  }
  p.input(x);
  p.output(std::vector<float>(64, 0.0F), want);
}

void hinted(Problem& p) {
  const auto x = p.floats(192);
  std::vector<float> want;
  for (size_t t = 0; t < 64; ++t) {
    want.push_back(x[t ^ 1U]);
  }
  want.insert(want.end(), x.begin() + 64, x.begin() + 128);
  for (size_t t = 0; t < 64; ++t) {
    want.push_back(x[128 + (t ^ 2U)]);
  }
  for (size_t t = 0; t < 32; ++t) {
    want.push_back(x[64 + (t ^ 3U)]);
  }
  p.input(x);
  p.output(std::vector<float>(224, 0.0F), want);
  p.output(std::vector<u32>(128, 1), std::vector<u32>(128, 0)); // no profiler: nothing counted
}

/// One SIMD video instruction: lanes of a and b of `width` bits, combined by `f`, saturated to the
/// result's type; `.add` sums the lanes and c, else masked lanes of c show through (none here).
struct Video {
  unsigned width;
  bool signed_inputs;
  bool signed_result;
  bool saturate;
  bool accumulate;
  i64 (*f)(i64, i64);
};
constexpr Video kVideo[] = {
    {16, true, true, true, false, [](i64 x, i64 y) { return x + y; }},
    {8, false, false, true, false, [](i64 x, i64 y) { return x + y; }},
    {16, false, true, true, false, [](i64 x, i64 y) { return x - y; }},
    {8, true, true, false, false, [](i64 x, i64 y) { return x - y; }},
    {16, true, true, false, false,
     [](i64 x, i64 y) { return (x + y + (x + y >= 0 ? 1 : 0)) >> 1; }},
    {8, false, false, false, false, [](i64 x, i64 y) { return (x + y + 1) >> 1; }},
    {16, true, false, false, false, [](i64 x, i64 y) { return std::abs(x - y); }},
    {8, false, false, false, true, [](i64 x, i64 y) { return std::abs(x - y); }},
    {16, true, true, false, false, [](i64 x, i64 y) { return std::min(x, y); }},
    {8, false, false, false, false, [](i64 x, i64 y) { return std::max(x, y); }},
    {16, true, true, false, true, [](i64 x, i64 y) { return std::max(x, y); }},
    {16, true, false, false, true, [](i64 x, i64 y) { return i64{x < y ? 1 : 0}; }},
    {8, false, false, false, false, [](i64 x, i64 y) { return i64{x >= y ? 1 : 0}; }},
    {8, true, false, false, true, [](i64 x, i64 y) { return i64{x != y ? 1 : 0}; }},
    {8, true, true, false, true, [](i64 x, i64 y) { return x + y; }},
    {8, true, true, false, false, [](i64 x, i64 y) { return std::min(x, y); }},
};

u32 video(const Video& row, u32 a, u32 b, u32 c) {
  const i64 size = i64{1} << row.width;
  const i64 low = row.signed_result ? -size / 2 : 0;
  const auto lane = [&](u32 v, unsigned at) {
    const i64 field = (v >> at) & (size - 1);
    return row.signed_inputs && field >= size / 2 ? field - size : field;
  };
  u32 out = row.accumulate ? c : 0;
  for (unsigned at = 0; at < 32; at += row.width) {
    i64 v = row.f(lane(a, at), lane(b, at));
    v = row.saturate ? clamped(v, low, low + size - 1) : v;
    out += row.accumulate ? static_cast<u32>(v) : (static_cast<u32>(v) & (size - 1)) << at;
  }
  return out;
}

void simd_video(Problem& p) {
  auto a = p.integers<u32>(256);
  const auto b = p.integers<u32>(256);
  const auto c = p.integers<u32>(256);
  for (size_t i = 0; i < 64; ++i) {
    a[i] = (a[i] & 0xff00U) | (b[i] & 0xffff00ffU); // some equal lanes
  }
  std::vector<u32> want;
  for (size_t i = 0; i < a.size(); ++i) {
    for (const Video& row : kVideo) {
      want.push_back(video(row, a[i], b[i], c[i]));
    }
  }
  p.input(a);
  p.input(b);
  p.input(c);
  p.output(std::vector<u32>(want.size(), 0), want);
}

constexpr const char* kFile = "k19_forms.cu";

constexpr KernelCase kCases[] = {
    {kFile, "local_uniform", {1}, {64}, 0, local_uniform},
    {kFile, "shared_forms", {1}, {128}, 0, shared_forms},
    {kFile, "convert_one", {1}, {128}, 0, convert_one},
    {kFile, "xor_sign", {1}, {256}, 0, xor_sign},
    {kFile, "pack", {1}, {128}, 0, pack},
    {kFile, "saturating", {1}, {256}, 0, saturating},
    {kFile, "generic_atomics", {1}, {96}, 0, generic_atomics},
    {kFile, "generic_mbarrier", {1}, {64}, 0, generic_mbarrier},
    {kFile, "hinted", {1}, {64}, 0, hinted},
    {kFile, "simd_video", {1}, {256}, 0, simd_video},
};

} // namespace

std::span<const KernelCase> form_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
