// SPDX-License-Identifier: Apache-2.0
// k20 PTX instructions that CUDA C++ hardly reaches.
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

i64 field(u32 v, unsigned width, unsigned i, bool is_signed) {
  const i64 bits = (v >> (width * i)) & ((u64{1} << width) - 1);
  return is_signed && (bits >> (width - 1)) != 0 ? bits - (i64{1} << width) : bits;
}
i64 as_signed(u32 v) {
  return static_cast<i32>(v);
}
u32 word(i64 v) {
  return static_cast<u32>(v);
}

u32 highest_bit(u32 v, bool is_signed, bool shift_amount) {
  const u32 x = is_signed && as_signed(v) < 0 ? ~v : v;
  if (x == 0) {
    return ~0U;
  }
  const auto at = 31U - static_cast<u32>(std::countl_zero(x));
  return shift_amount ? 31 - at : at;
}

/// bfe of PTX; position and length are bytes.
u32 bit_field(u32 v, u32 position, u32 length, bool is_signed) {
  position &= 255U;
  length &= 255U;
  const auto bit = [&](u32 i) { return (v >> std::min(i, 31U)) & 1U; };
  const u32 sign = is_signed && length != 0 ? bit(std::min(position + length - 1, 31U)) : 0U;
  u32 out = 0;
  for (u32 i = 0; i < 32; ++i) {
    out |= (i < length && position + i < 32 ? bit(position + i) : sign) << i;
  }
  return out;
}
u32 insert_field(u32 v, u32 into, u32 position, u32 length) {
  position &= 255U;
  length &= 255U;
  for (u32 i = 0; i < length && position + i < 32; ++i) {
    into = (into & ~(1U << (position + i))) | ((v >> i & 1U) << (position + i));
  }
  return into;
}
u32 extended(u32 v, u32 bits, bool wrap, bool is_signed) {
  bits = wrap ? bits & 31U : std::min(bits, 32U);
  return bits == 0 ? 0 : word(field(v, bits, 0, is_signed));
}
u32 mask_of(u32 position, u32 width, bool wrap) {
  position = wrap ? position & 31U : std::min(position, 32U);
  width = wrap ? width & 31U : std::min(width, 32U);
  u32 out = 0;
  for (u32 i = position; i < position + width && i < 32; ++i) {
    out |= 1U << i;
  }
  return out;
}

/// The byte of {b, a} that byte `i` of the result is, by the tables of the PTX ISA; -1 - byte: its
/// sign, eight times.
int chosen_byte(int mode, u32 selector, int i) {
  const auto s = static_cast<int>(selector & 3U);
  switch (mode) {
  case 0: {
    const auto nibble = static_cast<int>(selector >> (4 * i) & 15U);
    return nibble < 8 ? nibble : -1 - (nibble - 8);
  }
  case 1:
    return s + i; // f4e
  case 2:
    return (s + 8 - i) % 8; // b4e
  case 3:
    return s; // rc8
  case 4:
    return std::max(i, s); // ecl
  case 5:
    return std::min(i, s); // ecr
  default:
    return s % 2 * 2 + i % 2; // rc16
  }
}
u32 permuted(u32 a, u32 b, u32 selector, int mode) {
  const u64 bytes = u64{b} << 32 | a;
  u32 out = 0;
  for (int i = 0; i < 4; ++i) {
    const int from = chosen_byte(mode, selector, i);
    const auto byte = static_cast<u32>(bytes >> (8 * (from < 0 ? -1 - from : from))) & 255U;
    out |= (from >= 0 ? byte : byte >= 128 ? 255U : 0U) << (8 * i);
  }
  return out;
}

u32 dot(u32 a, u32 b, u32 c, unsigned a_width, bool a_signed, bool b_signed, unsigned b_from) {
  i64 sum = c;
  for (unsigned i = 0; i < 32 / a_width; ++i) {
    sum += field(a, a_width, i, a_signed) * field(b, 8, b_from + i, b_signed);
  }
  return word(sum);
}
u32 carries(u32 a, u32 b, u32 c) {
  const u64 x = u64{a} + b;
  const u64 y = u64{b} + c + (x >> 32);
  return static_cast<u32>(x) ^ static_cast<u32>(y + a + (y >> 32));
}
u32 borrows(u32 a, u32 b, u32 c) {
  const u32 first = a < b ? 1 : 0;
  const u32 second = u64{b} < u64{c} + first ? 1 : 0;
  return (a - b) ^ (b - c - first - a - second);
}

std::vector<u32> integer_results(u32 a, u32 b, u32 c) {
  const u64 ba = u64{b} << 32 | a;
  const u64 product = u64{a} * b;
  const u64 low_sum = (product & 0xffffffffU) + c;
  const auto low24 = [](u32 v) { return field(v, 24, 0, true); };
  std::vector<u32> r = {
      highest_bit(a, false, false), highest_bit(a, true, false), highest_bit(a, false, true),
      highest_bit(a, true, true),   bit_field(a, b, c, false),   bit_field(a, b, c, true),
      insert_field(a, b, c, a),     extended(a, b, false, true), extended(a, b, true, false),
      mask_of(b, c, false),         mask_of(b, c, true)};
  for (int mode = 0; mode < 7; ++mode) {
    r.push_back(permuted(a, b, c, mode));
  }
  const u32 clamped = std::min(c, 32U);
  r.push_back(static_cast<u32>((ba << clamped) >> 32));
  r.push_back(static_cast<u32>((ba << (c & 31U)) >> 32));
  r.push_back(static_cast<u32>(ba >> clamped));
  r.push_back(static_cast<u32>(ba >> (c & 31U)));
  r.push_back(dot(a, b, c, 8, false, true, 0));
  r.push_back(dot(a, b, c, 8, true, false, 0));
  r.push_back(dot(a, b, c, 16, true, false, 0));
  r.push_back(dot(a, b, c, 16, false, true, 2));
  r.push_back(static_cast<u32>(u64{a & 0xffffffU} * (b & 0xffffffU) >> 16));
  r.push_back(word(low24(a) * low24(b)) + c);
  r.push_back(word(as_signed(a) * as_signed(b) >> 32));
  r.push_back(word(std::abs(as_signed(a) - as_signed(b))) + c);
  r.push_back(c == 0 ? 1 : 0);
  r.push_back(carries(a, b, c));
  r.push_back(borrows(a, b, c));
  r.push_back(static_cast<u32>(low_sum) ^
              (static_cast<u32>(product >> 32) + c + static_cast<u32>(low_sum >> 32)));
  r.push_back(word(std::clamp<i64>(as_signed(a), -32768, 32767)));
  r.push_back(word(std::clamp<i64>(as_signed(a), 0, 65535)));
  r.push_back(std::min(a, 65535U));
  r.push_back(word(std::max<i64>(as_signed(a), 0)));
  r.push_back(std::min(a, 0x7fffffffU));
  r.push_back((a & b) ^ c);
  return r;
}

void ptx_integer(Problem& p) {
  constexpr size_t kCount = 512;
  auto a = p.integers<u32>(kCount);
  auto b = p.integers<u32>(kCount);
  auto c = p.integers<u32>(kCount);
  for (size_t i = 0; i < kCount; ++i) { // small fields and shifts too
    a[i] = i % 16 == 0 ? 0 : i % 16 == 1 ? ~0U : i % 16 == 2 ? 0x80000000U : a[i] >> i % 7 * 4;
    b[i] = i % 4 == 3 ? b[i] % 40 : b[i];
    c[i] = i % 3 == 2 ? c[i] % 40 : i % 32 == 6 ? 0 : c[i];
  }
  std::vector<u32> want;
  for (size_t i = 0; i < kCount; ++i) {
    const auto results = integer_results(a[i], b[i], c[i]);
    want.insert(want.end(), results.begin(), results.end());
  }
  p.input(a);
  p.input(b);
  p.input(c);
  p.output(std::vector<u32>(want.size(), 0), want);
}

/// The fourteen comparisons of PTX in the kernel's order.
bool compared(size_t i, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  if (i >= 12) {
    return (i == 13) == unordered;
  }
  if (unordered) {
    return i >= 6;
  }
  const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
  return results[i % 6];
}
float flushed(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0F, v) : v;
}

std::vector<u32> comparison_results(float a, float b, u16 x, u16 y) {
  const u32 bits = std::bit_cast<u32>(a);
  const u32 other = std::bit_cast<u32>(b);
  std::vector<u32> r;
  for (size_t i = 0; i < 14; ++i) {
    r.push_back(compared(i, double{a}, double{b}) ? ~0U : 0U);
  }
  for (size_t i = 0; i < 14; ++i) {
    r.push_back(compared(i, number(Half{x}), number(Half{y})) ? 1 : 0);
  }
  for (const bool is : {std::isfinite(a), std::isinf(a), !std::isnan(a), std::isnan(a),
                        std::isnormal(a) || a == 0.0F /* so says the PTX ISA */,
                        std::fpclassify(a) == FP_SUBNORMAL}) {
    r.push_back(is ? 1 : 0);
  }
  r.push_back((other & 0x7fffffffU) | (bits & 0x80000000U)); // the sign of the first
  r.push_back(flushed(a) < flushed(b) ? ~0U : 0U);
  r.push_back(b >= 0.0F ? bits : other);
  r.push_back(flushed(b) >= 0.0F ? bits : other);
  const bool s = !(b > a);
  r.push_back(((a < b) != s ? 1U : 0U) + (!(a < b) != s ? 2U : 0U));
  // To tf32: half away from zero in bit 12; the lower bits are not defined, so not compared.
  r.push_back(std::isfinite(a) ? (bits + 0x1000U) & 0xffffe000U : bits);
  return r;
}

void ptx_compare(Problem& p) {
  constexpr size_t kCount = 256;
  auto a = p.floats(kCount, -2.0, 2.0);
  auto b = p.floats(kCount, -2.0, 2.0);
  auto x = p.integers<u16>(kCount);
  auto y = p.integers<u16>(kCount);
  const float edges[] = {0.0F, -0.0F, 1.0F, INFINITY, -INFINITY, NAN, 1e-40F, -1e-40F};
  const u16 half_edges[] = {0, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001};
  for (size_t i = 0; i < 64; ++i) {
    a[i] = edges[i / 8];
    b[i] = edges[i % 8];
    x[i] = half_edges[i / 8];
    y[i] = half_edges[i % 8];
  }
  std::vector<u32> want;
  for (size_t i = 0; i < kCount; ++i) {
    const auto results = comparison_results(a[i], b[i], x[i], y[i]);
    want.insert(want.end(), results.begin(), results.end());
  }
  p.input(a);
  p.input(b);
  p.input(x);
  p.input(y);
  p.judged<u32>(std::vector<u32>(want.size(), 0), [want, a, b](const std::vector<u32>& got) {
    for (size_t i = 0; i < want.size(); ++i) {
      const size_t slot = i % 40;
      // NaN bits are not specified where a NaN goes through arithmetic; the low bits of tf32 never.
      const bool nan = std::isnan(a[i / 40]) || std::isnan(b[i / 40]);
      const u32 mask = slot == 39 ? (nan ? 0U : 0xffffe000U) : slot == 34 && nan ? 0U : ~0U;
      if ((got[i] & mask) != (want[i] & mask)) {
        return fmt::format("[{}] slot {} is {:#x}, not {:#x} for {:g}, {:g}", i / 40, slot, got[i],
                           want[i], a[i / 40], b[i / 40]);
      }
    }
    return std::string();
  });
}

template <class T>
u64 converted(double rounded) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(rounded)) {
    return sizeof(T) == 8 ? u64{1} << 63 : 0;
  }
  const double beyond = std::ldexp(1.0, Limits::digits);
  const T value = rounded >= beyond                              ? Limits::max()
                  : rounded < static_cast<double>(Limits::min()) ? Limits::min()
                                                                 : static_cast<T>(rounded);
  return static_cast<u64>(static_cast<i64>(value));
}

void ptx_round(Problem& p) {
  auto a = p.floats(256, -300.0, 300.0);
  const float edges[] = {0.5F,      1.5F,          -0.5F,         -1.5F,         2.5F,
                         127.5F,    255.5F,        -128.5F,       32767.5F,      65535.5F,
                         -32768.5F, 2147483647.0F, 2147483648.0F, 4294967296.0F, -2147483904.0F,
                         9.3e18F,   -9.3e18F,      1.9e19F,       INFINITY,      -INFINITY,
                         NAN,       1e-42F,        -0.0F,         3e38F};
  std::copy(std::begin(edges), std::end(edges), a.begin());
  std::vector<u64> want;
  for (const float v : a) {
    const double modes[] = {std::nearbyint(double{v}), std::trunc(double{v}), std::floor(double{v}),
                            std::ceil(double{v})};
    const auto all = [&](auto convert) {
      for (const double m : modes) {
        want.push_back(convert(m));
      }
    };
    all(converted<std::uint8_t>);
    all(converted<std::int8_t>);
    all(converted<u16>);
    all(converted<std::int16_t>);
    all(converted<u32>);
    all(converted<i32>);
    all(converted<u64>);
    all(converted<i64>);
  }
  p.input(a);
  p.output(std::vector<u64>(want.size(), 0), want);
}

constexpr const char* kFile = "k20_ptx.cu";

constexpr KernelCase kCases[] = {
    {kFile, "ptx_integer", {2}, {256}, 0, ptx_integer},
    {kFile, "ptx_compare", {1}, {256}, 0, ptx_compare},
    {kFile, "ptx_round", {1}, {256}, 0, ptx_round},
};

} // namespace

std::span<const KernelCase> ptx_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
