// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

/// What the integer instructions compute for one lane, shared by the vector and the uniform
/// datapath. Source of each rule: emulation of compiled code (PTX semantics of the matching PTX
/// instruction).
namespace coulomb::functional {

/// Modifier bits of SHF, as encoded: type 0 S64, 1 U64, 2 S32, 3 U32.
struct ShiftKind {
  bool right = false;
  bool wrap = false;
  bool hi = false;
  unsigned type = 3;
};

/// Funnel shift of {c, a} by s; the amount clamps (or wraps) at the operand width.
[[nodiscard]] inline std::uint32_t
funnel_shift(ShiftKind k, std::uint32_t a, std::uint32_t s, std::uint32_t c) {
  const std::uint32_t width = k.type < 2 ? 64 : 32;
  s = k.wrap ? s & (width - 1) : std::min(s, width);
  const std::uint64_t v = a | std::uint64_t{c} << 32;
  std::uint64_t r = 0;
  if (!k.right) {
    r = s < 64 ? v << s : 0;
  } else if ((k.type & 1) == 0) {
    r = static_cast<std::uint64_t>(static_cast<std::int64_t>(v) >> std::min(s, 63U));
  } else {
    r = s < 64 ? v >> s : 0;
  }
  return static_cast<std::uint32_t>(k.hi ? r >> 32 : r);
}

/// PRMT: each nibble of `selector` picks a byte of {c, a} (0..3: a, 4..7: c); its bit 3 replicates
/// the sign of that byte.
[[nodiscard]] inline std::uint32_t
permute_bytes(std::uint32_t a, std::uint32_t selector, std::uint32_t c) {
  const std::uint64_t bytes = a | std::uint64_t{c} << 32;
  std::uint32_t r = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t nibble = selector >> (4 * i) & 15;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (nibble & 7))) & 0xff;
    if ((nibble & 8) != 0) {
      byte = (byte & 0x80) != 0 ? 0xff : 0;
    }
    r |= byte << (8 * i);
  }
  return r;
}

/// Modifier bits of LEA; `shift` 0..31.
struct LeaKind {
  bool hi = false;
  bool x = false;
  bool sx32 = false;
  bool negate_a = false;
  bool negate_b = false;
  unsigned shift = 0;
};

/// 33-bit sum of LEA: bit 32 is the carry out.
[[nodiscard]] inline std::uint64_t
lea(const LeaKind& k, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t carry) {
  const std::uint32_t high =
      k.sx32 ? static_cast<std::uint32_t>(static_cast<std::int32_t>(a) >> 31) : c;
  std::uint64_t v = (a | std::uint64_t{high} << 32) << k.shift;
  std::uint64_t sum = k.x ? carry : 0;
  if (k.negate_a) {
    v = ~v;
    if (!k.x && !k.hi) {
      sum += 1;
    } else if (!k.x) {
      v += 1;
    }
  }
  sum += k.hi ? v >> 32 : v & 0xffffffffU;
  if (k.negate_b) {
    sum += k.x ? 0 : 1;
    b = ~b;
  }
  return sum + b;
}

/// Bitwise function of three inputs; bit (a << 2 | b << 1 | c) of `lut` is the result.
[[nodiscard]] constexpr std::uint32_t
lop3(unsigned lut, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  const auto spread = [lut](unsigned bit) { return 0U - ((lut >> bit) & 1U); };
  const auto pick = [](std::uint32_t which, std::uint32_t zero, std::uint32_t one) {
    return zero ^ (which & (zero ^ one));
  };
  const std::uint32_t a0 = pick(b, pick(c, spread(0), spread(1)), pick(c, spread(2), spread(3)));
  const std::uint32_t a1 = pick(b, pick(c, spread(4), spread(5)), pick(c, spread(6), spread(7)));
  return pick(a, a0, a1);
}

/// Relation of two values as bits: 1 less, 2 equal, 4 greater; a comparison code is a set of these.
[[nodiscard]] inline unsigned relation(std::uint32_t a, std::uint32_t b, bool is_signed) {
  if (a == b) {
    return 2;
  }
  const bool less = is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  return less ? 1 : 4;
}

/// 0 AND, 1 OR, 2 XOR; works on single bits and on lane masks.
template <class T>
[[nodiscard]] inline T combine(unsigned op, T a, T b) {
  return static_cast<T>(op == 0 ? (a & b) : op == 1 ? (a | b) : (a ^ b));
}

/// FLO: highest set bit (signed: highest bit that differs from the sign); `as_shift` gives 31 -
/// index. None: ~0.
[[nodiscard]] inline std::uint32_t
find_leading_one(std::uint32_t v, bool is_signed, bool as_shift) {
  if (is_signed && (v >> 31) != 0) {
    v = ~v;
  }
  if (v == 0) {
    return ~0U;
  }
  const auto zeros = static_cast<std::uint32_t>(std::countl_zero(v));
  return as_shift ? zeros : 31 - zeros;
}

[[nodiscard]] inline std::uint32_t bit_reverse(std::uint32_t v) {
  v = (v >> 1 & 0x55555555U) | (v & 0x55555555U) << 1;
  v = (v >> 2 & 0x33333333U) | (v & 0x33333333U) << 2;
  v = (v >> 4 & 0x0f0f0f0fU) | (v & 0x0f0f0f0fU) << 4;
  return __builtin_bswap32(v);
}

/// The low `bits` of `v`, sign- or zero-extended; `bits` wraps at 32 or is clamped to it.
[[nodiscard]] inline std::uint32_t
extend_field(std::uint32_t v, std::uint32_t bits, bool wrap, bool is_signed) {
  bits = wrap ? bits & 31 : std::min(bits, 32U);
  if (bits == 0) {
    return 0;
  }
  const std::uint32_t up = v << (32 - bits);
  return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(up) >> (32 - bits))
                   : up >> (32 - bits);
}

/// `width` ones from bit `position` on; both wrap at 32 or are clamped to it.
[[nodiscard]] inline std::uint32_t
bit_mask(std::uint32_t position, std::uint32_t width, bool wrap) {
  position = wrap ? position & 31 : std::min(position, 32U);
  width = wrap ? width & 31 : std::min(width, 32U);
  return static_cast<std::uint32_t>(((std::uint64_t{1} << width) - 1) << position);
}

} // namespace coulomb::functional
