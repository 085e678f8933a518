// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"
#include "sim/functional/integer_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// FP64 arithmetic and comparison.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

/// A 64-bit source: two rows, modifiers on the high word.
class Source {
public:
  Source(Context& ctx, const MicroOp& op, int i)
      : lo_(row(ctx, op.src[i])), hi_(row(ctx, op.src_hi[i])),
        keep_((op.modifiers >> (i + kAbsoluteShift) & 1U) != 0 ? ~kSignBit : ~0U),
        flip_((op.modifiers >> i & 1U) != 0 ? kSignBit : 0U) {}
  [[nodiscard]] double operator[](int l) const {
    return as_double(join(lo_[l], (hi_[l] & keep_) ^ flip_));
  }

private:
  const std::uint32_t* lo_;
  const std::uint32_t* hi_;
  std::uint32_t keep_;
  std::uint32_t flip_;
};

constexpr std::uint64_t kNanF64 = 0x7fffffffffffffffULL;

/// The chip's NaN pattern for FP64 is not known (assumption: like FP32).
std::uint64_t finish(double r) {
  const std::uint64_t bits = as_bits(r);
  return (bits & kNanF64) > 0x7ff0000000000000ULL ? kNanF64 : bits;
}

void dadd(Context& ctx, const MicroOp& op) {
  const Source a(ctx, op, 0);
  const Source b(ctx, op, 1);
  for_lanes64(ctx, row(ctx, op.dst), [=](int l) { return finish(a[l] + b[l]); });
}

void dmul(Context& ctx, const MicroOp& op) {
  const Source a(ctx, op, 0);
  const Source b(ctx, op, 1);
  for_lanes64(ctx, row(ctx, op.dst), [=](int l) { return finish(a[l] * b[l]); });
}

void dfma(Context& ctx, const MicroOp& op) {
  const Source a(ctx, op, 0);
  const Source b(ctx, op, 1);
  const Source c(ctx, op, 2);
  for_lanes64(ctx, row(ctx, op.dst), [=](int l) { return finish(std::fma(a[l], b[l], c[l])); });
}

/// The comparison codes 0 (MIN) and 15 (MAX) select fmin's and fmax's operand instead. First
/// result: take a; second: both are NaN. Verified for the special values of the compiler's fmin and
/// fmax sequences.
constexpr unsigned kMin = 0;
constexpr unsigned kMax = 15;

/// aux[0] = comparison, aux[1] = bool op
void dsetp(Context& ctx, const MicroOp& op) {
  const Source a(ctx, op, 0);
  const Source b(ctx, op, 1);
  const std::uint32_t lt = lanes_where([&](int l) { return a[l] < b[l]; });
  const std::uint32_t eq = lanes_where([&](int l) { return a[l] == b[l]; });
  const std::uint32_t gt = lanes_where([&](int l) { return a[l] > b[l]; });
  const unsigned code = op.aux[0];
  const std::uint32_t p = predicate(ctx, op.psrc[0]);
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  if (code == kMin || code == kMax) {
    const std::uint32_t a_nan = lanes_where([&](int l) { return std::isnan(a[l]); });
    const std::uint32_t b_nan = lanes_where([&](int l) { return std::isnan(b[l]); });
    // Zeroes are ordered: +0 > -0 (PTX ISA, min and max).
    const std::uint32_t minus = lanes_where([&](int l) { return std::signbit(a[l]); });
    first = ((code == kMin ? lt | (eq & minus) : gt | (eq & ~minus)) | b_nan) & ~a_nan;
    second = a_nan & b_nan;
  } else {
    first = ((code & 1) != 0 ? lt : 0) | ((code & 2) != 0 ? eq : 0) | ((code & 4) != 0 ? gt : 0) |
            ((code & 8) != 0 ? ~(lt | eq | gt) : 0);
    second = ~first;
  }
  set_predicate(ctx, op.pdst[1], combine(op.aux[1], second, p));
  set_predicate(ctx, op.pdst[0], combine(op.aux[1], first, p));
}
} // namespace

Handler select_double(Lowering& low) {
  const Opcode opcode = low.in.opcode;
  if (opcode == Opcode::DSETP) {
    low.pdst(0, 0);
    low.pdst(1, 1);
    low.src64(0, 2, SourceType::f64);
    low.src64(1, 3, SourceType::f64);
    low.psrc(0, 4);
    low.op.aux[0] = static_cast<std::uint8_t>(low.modifier(Modifier::cmp));
    low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::bool_op));
    return dsetp;
  }
  if (opcode != Opcode::DADD && opcode != Opcode::DMUL && opcode != Opcode::DFMA) {
    return nullptr;
  }
  low.dst(0);
  for (int i = 0; i < (opcode == Opcode::DFMA ? 3 : 2); ++i) {
    low.src64(i, 1 + i, SourceType::f64);
  }
  low.op.rounding = low.modifier(Modifier::rnd) & 3;
  return opcode == Opcode::DADD ? dadd : opcode == Opcode::DMUL ? dmul : dfma;
}

} // namespace coulomb::functional
