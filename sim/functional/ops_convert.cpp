// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// Conversions between integer and floating-point formats.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// Format codes of F2F, F2I, I2F and FRND.
enum FloatFormat : unsigned { kF16 = 1, kF32 = 2, kF64 = 3, kBf16 = 4 };
/// Integer type codes: U8, S8, U16, S16, U32, S32, U64, S64.
constexpr bool is_signed_type(unsigned type) {
  return (type & 1) != 0;
}
constexpr unsigned bits_of_type(unsigned type) {
  return 8U << (type >> 1);
}

// MicroOp::aux: [0] destination code, [1] source code, [2] FTZ | NTZ << 1; MicroOp::value: select |
// mode << 8.

/// Source 0 of lane `l` in format `format` as a double, which holds all of them exactly.
double read_float(Context& ctx, const MicroOp& op, unsigned format, int l) {
  const bool absolute = (op.modifiers >> kAbsoluteShift & 1U) != 0;
  const bool negate = (op.modifiers & 1U) != 0;
  std::uint32_t lo = row(ctx, op.src[0])[l];
  double v = 0;
  if (format == kF64) {
    v = as_double(join(lo, row(ctx, op.src_hi[0])[l]));
  } else if (format == kF32) {
    v = as_float((op.aux[2] & 1) != 0 ? flush(lo) : lo);
  } else {
    lo >>= (op.value & 1) != 0 ? 16 : 0;
    const auto half = static_cast<std::uint16_t>(lo);
    v = format == kBf16 ? bf16_to_float(half) : half_to_float(half);
  }
  v = absolute ? std::fabs(v) : v;
  return negate ? -v : v;
}

/// Packs a double into `format`, rounding once.
std::uint64_t write_float(double v, unsigned format, unsigned mode) {
  switch (format) {
  case kF64:
    return std::isnan(v) ? 0x7fffffffffffffffULL : as_bits(v);
  case kF32:
    return double_to_f32(v, mode);
  case kBf16:
    return double_to_bf16(v, mode);
  default:
    return double_to_half(v, mode);
  }
}

void store(Context& ctx, const MicroOp& op, const std::uint64_t* r, bool wide) {
  std::uint32_t* d = row(ctx, op.dst);
  if (wide) {
    for_lanes64(ctx, d, [=](int l) { return r[l]; });
  } else {
    for_lanes(ctx, d, [=](int l) { return static_cast<std::uint32_t>(r[l]); });
  }
}

void f2f(Context& ctx, const MicroOp& op) {
  std::uint64_t r[kLanes];
  const unsigned mode = op.value >> 8 & 3;
  for (int l = 0; l < kLanes; ++l) {
    r[l] = write_float(read_float(ctx, op, op.aux[1], l), op.aux[0], mode);
    if ((op.aux[2] & 1) != 0 && op.aux[0] == kF32) {
      r[l] = flush(static_cast<std::uint32_t>(r[l]));
    }
  }
  store(ctx, op, r, op.aux[0] == kF64);
}

/// Rounds to an integral value: 0 nearest even, 1 floor, 2 ceil, 3 trunc.
double integral(double v, unsigned mode) {
  switch (mode) {
  case 0:
    return std::nearbyint(v);
  case 1:
    return std::floor(v);
  case 2:
    return std::ceil(v);
  default:
    return std::trunc(v);
  }
}

void frnd(Context& ctx, const MicroOp& op) {
  std::uint64_t r[kLanes];
  for (int l = 0; l < kLanes; ++l) {
    r[l] =
        write_float(integral(read_float(ctx, op, op.aux[0], l), op.value >> 8 & 3), op.aux[0], 0);
  }
  store(ctx, op, r, op.aux[0] == kF64);
}

/// Saturates an integral double to an integer type; results narrower than 32 bits are extended
/// to 32. NaN: 0 from a narrow source to a narrow type, else the top bit alone (PTX ISA, cvt).
std::uint64_t to_integer(double v, unsigned type, unsigned source) {
  const unsigned bits = bits_of_type(type);
  if (std::isnan(v)) {
    return bits == 64 || source == kF64 ? std::uint64_t{1} << (bits - 1) : 0;
  }
  if (is_signed_type(type)) {
    const double limit = std::ldexp(1.0, static_cast<int>(bits) - 1);
    if (v >= limit) {
      return (std::uint64_t{1} << (bits - 1)) - 1;
    }
    const std::int64_t i =
        v < -limit ? -static_cast<std::int64_t>((std::uint64_t{1} << (bits - 1)) - 1) - 1
                   : static_cast<std::int64_t>(v);
    return static_cast<std::uint64_t>(i);
  }
  if (v <= 0) {
    return 0;
  }
  if (v >= std::ldexp(1.0, static_cast<int>(bits))) {
    return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  }
  return static_cast<std::uint64_t>(v);
}

void f2i(Context& ctx, const MicroOp& op) {
  std::uint64_t r[kLanes];
  const unsigned mode = op.value >> 8 & 3;
  for (int l = 0; l < kLanes; ++l) {
    const double v = read_float(ctx, op, op.aux[1], l);
    r[l] = (op.aux[2] & 2) != 0 && std::isnan(v)
               ? 0
               : to_integer(integral(v, mode), op.aux[0], op.aux[1]);
  }
  store(ctx, op, r, bits_of_type(op.aux[0]) == 64);
}

/// F2I.TRUNC.NTZ to S32 from F32 without modifiers, the cast of C.
void f2i_trunc(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    const float v = as_float(a[l]);
    if (v >= 2147483648.0F) {
      return 0x7fffffffU;
    }
    if (v < -2147483648.0F) {
      return 0x80000000U;
    }
    return v != v ? 0U : static_cast<std::uint32_t>(static_cast<std::int32_t>(v));
  });
}

/// Runs under the instruction's rounding mode (see prologue).
void i2f(Context& ctx, const MicroOp& op) {
  std::uint64_t r[kLanes];
  const unsigned type = op.aux[1];
  const unsigned bits = bits_of_type(type);
  const unsigned shift = 8 * (op.value & 3);
  const unsigned mode = op.value >> 8 & 3;
  for (int l = 0; l < kLanes; ++l) {
    std::uint64_t v = bits == 64 ? source64(ctx, op, 0, l) : row(ctx, op.src[0])[l] >> shift;
    v <<= 64 - bits;
    const auto s = static_cast<std::int64_t>(v) >> (64 - bits);
    const std::uint64_t u = v >> (64 - bits);
    const bool is_signed = is_signed_type(type);
    if (op.aux[0] == kF32) {
      r[l] = as_bits(is_signed ? static_cast<float>(s) : static_cast<float>(u));
    } else {
      const double d = is_signed ? static_cast<double>(s) : static_cast<double>(u);
      r[l] = write_float(d, op.aux[0], mode);
    }
  }
  store(ctx, op, r, op.aux[0] == kF64);
}

void i2f_s32(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  for_lanes(ctx, row(ctx, op.dst),
            [=](int l) { return as_bits(static_cast<float>(static_cast<std::int32_t>(a[l]))); });
}

/// F2FP: two floats to packed halves, the first in the high half. MERGE_C: one float to the low
/// half, below the high half of c. aux[0]: BF16 | RELU << 1 | SATFINITE << 2 | MERGE_C << 3,
/// value: mode << 8.
void f2fp(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const unsigned mode = op.value >> 8 & 3;
  const bool bf16 = (op.aux[0] & 1) != 0;
  const bool relu = (op.aux[0] & 2) != 0;
  const bool satfinite = (op.aux[0] & 4) != 0;
  const auto convert = [=](std::uint32_t bits) -> std::uint32_t {
    const float v = as_float(bits);
    std::uint32_t h = bf16 ? double_to_bf16(v, mode) : double_to_half(v, mode);
    const std::uint32_t infinity = bf16 ? 0x7f80 : 0x7c00;
    if (satfinite && (h & 0x7fff) == infinity) {
      --h; // the largest finite value, with the sign kept
    }
    return relu && ((h & 0x8000) != 0 || is_nan_bits(bits)) ? 0 : h;
  };
  if ((op.aux[0] & 8) != 0) {
    const std::uint32_t* c = row(ctx, op.src[2]);
    for_lanes(ctx, row(ctx, op.dst), [&](int l) { return (c[l] & 0xffff0000U) | convert(b[l]); });
    return;
  }
  for_lanes(ctx, row(ctx, op.dst), [&](int l) { return convert(a[l]) << 16 | convert(b[l]); });
}

/// The usual F2FP: to half, nearest even.
void f2fp_half(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t* b = row(ctx, op.src[1]);
  const auto convert = [](std::uint32_t bits) -> std::uint32_t {
    return is_nan_bits(bits) ? 0x7fff : float_to_half(as_float(bits));
  };
  for_lanes(ctx, row(ctx, op.dst), [&](int l) { return convert(a[l]) << 16 | convert(b[l]); });
}

Handler lower_from_float(Lowering& low) {
  const Opcode opcode = low.in.opcode;
  const unsigned dst = low.modifier(Modifier::dst);
  const unsigned src = opcode == Opcode::FRND ? dst : low.modifier(Modifier::src);
  const unsigned mode = low.modifier(Modifier::rnd) & 3;
  const bool ftz = low.modifier(Modifier::FTZ) != 0;
  low.dst(0);
  if (src == kF64) {
    low.src64(0, 1, SourceType::f64);
  } else {
    low.src(0, 1, src == kF32 ? SourceType::f32 : SourceType::half);
  }
  if (src < kF16 || src > kF64 || (opcode != Opcode::F2I && (dst < kF16 || dst > kBf16))) {
    return nullptr;
  }
  low.op.aux[0] = static_cast<std::uint8_t>(dst);
  low.op.aux[1] = static_cast<std::uint8_t>(src);
  low.op.aux[2] = static_cast<std::uint8_t>((ftz ? 1 : 0) | low.modifier(Modifier::NTZ) << 1);
  low.op.value = (low.operand(1).select & 1U) | mode << 8;
  if (opcode == Opcode::F2F) {
    return f2f;
  }
  if (opcode == Opcode::FRND) {
    return frnd;
  }
  const bool plain = src == kF32 && dst == 5 && mode == 3 && !ftz && !low.has_modifiers();
  return plain ? f2i_trunc : f2i;
}

/// F2IP packs two conversions below a third source. Modelled is what the compiler makes of a
/// saturating conversion to U8: nothing to pack it with.
Handler lower_f2ip(Lowering& low) {
  const auto is_zero = [&low](int i) { return low.operand(i).index == isa::kRegisterZero; };
  if (!is_zero(1) || !is_zero(3) || low.modifier(Modifier::dst) != 0 ||
      low.modifier(Modifier::NTZ) == 0 || low.modifier(Modifier::RELU) != 0) {
    return nullptr;
  }
  low.dst(0);
  low.src(0, 2, SourceType::f32);
  low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::dst));
  low.op.aux[1] = kF32;
  low.op.aux[2] = 1U << 1; // NTZ
  low.op.value = low.modifier(Modifier::rnd) << 8;
  return f2i;
}

Handler lower_to_float(Lowering& low) {
  const unsigned dst = low.in.opcode == Opcode::I2F ? low.modifier(Modifier::dst) : kF32;
  const unsigned src = low.modifier(Modifier::src);
  const unsigned mode = low.modifier(Modifier::rnd) & 3;
  low.dst(0);
  if (bits_of_type(src) == 64) {
    low.src64(0, 1);
    if (low.operand(1).kind == isa::OperandKind::immediate) {
      // The word is the high half: NVRTC writes 7LL << 32 as I2F.F64.S64 R2, 0x7.
      low.op.src_hi[0] = low.op.src[0];
      low.src_of(0, isa::Operand{});
    }
  } else {
    low.src(0, 1);
  }
  if (dst < kF16 || dst > kF64) {
    return nullptr;
  }
  low.op.aux[0] = static_cast<std::uint8_t>(dst);
  low.op.aux[1] = static_cast<std::uint8_t>(src);
  low.op.value = (low.operand(1).select & 3U) | mode << 8;
  low.op.rounding = static_cast<std::uint8_t>(mode);
  return dst == kF32 && src == 5 ? i2f_s32 : i2f;
}
} // namespace

Handler select_convert(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::F2F:
  case Opcode::F2I:
  case Opcode::FRND:
    return lower_from_float(low);
  case Opcode::I2F:
  case Opcode::I2FP_F32:
    return lower_to_float(low);
  case Opcode::F2IP:
    return lower_f2ip(low);
  case Opcode::F2FP: {
    low.dst(0);
    low.src(0, 1, SourceType::f32);
    low.src(1, 2, SourceType::f32);
    const unsigned mode = low.modifier(Modifier::rnd) & 3;
    low.op.aux[0] =
        static_cast<std::uint8_t>(low.modifier(Modifier::bf) | low.modifier(Modifier::RELU) << 1 |
                                  low.modifier(Modifier::SATFINITE) << 2);
    if (low.modifier(Modifier::merge) != 0) {
      low.src(2, 3);
      low.op.aux[0] |= 8;
    }
    low.op.value = mode << 8;
    return low.op.aux[0] == 0 && mode == 0 ? f2fp_half : f2fp;
  }
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
