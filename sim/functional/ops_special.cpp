// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"
#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

#include <numbers>

/// MUFU. The chip's exact bit patterns are not published; these are the correctly rounded values
/// (computed in double, then rounded). Subnormal inputs and results are flushed, as compiled code
/// expects.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

enum Function : unsigned { kCos, kSin, kEx2, kLg2, kRcp, kRsq, kRcp64h, kRsq64h, kSqrt, kTanh };

/// Arguments of SIN and COS come in turns. Quarter turns are exact.
double sine_of_turns(double x) {
  if (!std::isfinite(x)) {
    return std::nan("");
  }
  const double r = x - std::nearbyint(x);
  if (std::fabs(r) == 0.5) {
    return std::copysign(0.0, r);
  }
  return std::sin(2 * std::numbers::pi * r);
}

double cosine_of_turns(double x) {
  if (!std::isfinite(x)) {
    return std::nan("");
  }
  const double r = std::fabs(x - std::nearbyint(x));
  return r == 0.25 ? 0.0 : std::cos(2 * std::numbers::pi * r);
}

template <unsigned F>
double evaluate(double x) {
  switch (F) {
  case kCos:
    return cosine_of_turns(x);
  case kSin:
    return sine_of_turns(x);
  case kEx2:
    return std::exp2(x);
  case kLg2:
    return x < 0 ? std::nan("") : std::log2(x);
  case kRcp:
    return 1.0 / x;
  case kRsq:
    return 1.0 / std::sqrt(x);
  case kSqrt:
    return std::sqrt(x);
  default:
    return std::tanh(x);
  }
}

template <unsigned F>
void mufu(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t keep = (op.modifiers >> kAbsoluteShift & 1U) != 0 ? ~kSignBit : ~0U;
  const std::uint32_t flip = (op.modifiers & 1U) != 0 ? kSignBit : 0U;
  for_lanes(ctx, row(ctx, op.dst), [=](int l) {
    const float x = as_float(flush((a[l] & keep) ^ flip));
    return canonical(flush(as_bits(static_cast<float>(evaluate<F>(double{x})))));
  });
}

/// MUFU.F16: half in (aux[0]: high half), half out in the low bits.
template <unsigned F>
void mufu_half(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const unsigned shift = op.aux[0] != 0 ? 16 : 0;
  const bool absolute = (op.modifiers >> kAbsoluteShift & 1U) != 0;
  const bool negate = (op.modifiers & 1U) != 0;
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    double x = half_to_float(static_cast<std::uint16_t>(a[l] >> shift));
    x = absolute ? std::fabs(x) : x;
    return std::uint32_t{double_to_half(evaluate<F>(negate ? -x : x), 0)};
  });
}

/// RCP64H, RSQ64H: high word of a double in, high word of the result out; the caller refines it.
template <bool SquareRoot>
void mufu_64h(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const std::uint32_t keep = (op.modifiers >> kAbsoluteShift & 1U) != 0 ? ~kSignBit : ~0U;
  const std::uint32_t flip = (op.modifiers & 1U) != 0 ? kSignBit : 0U;
  for_lanes(ctx, row(ctx, op.dst), [&](int l) {
    std::uint32_t high = (a[l] & keep) ^ flip;
    high = (high & 0x7ff00000U) == 0 ? high & kSignBit : high;
    const double x = as_double(std::uint64_t{high} << 32);
    const double r = SquareRoot ? 1.0 / std::sqrt(x) : 1.0 / x;
    const auto out = static_cast<std::uint32_t>(as_bits(r) >> 32);
    if (std::isnan(r)) {
      return 0x7fffffffU;
    }
    return (out & 0x7ff00000U) == 0 ? out & kSignBit : out;
  });
}

template <unsigned F>
Handler pick(bool half) {
  return half ? mufu_half<F> : mufu<F>;
}

Handler function(unsigned f, bool half) {
  switch (f) {
  case kCos:
    return pick<kCos>(half);
  case kSin:
    return pick<kSin>(half);
  case kEx2:
    return pick<kEx2>(half);
  case kLg2:
    return pick<kLg2>(half);
  case kRcp:
    return pick<kRcp>(half);
  case kRsq:
    return pick<kRsq>(half);
  case kSqrt:
    return pick<kSqrt>(half);
  case kTanh:
    return pick<kTanh>(half);
  case kRcp64h:
    return half ? nullptr : mufu_64h<false>;
  case kRsq64h:
    return half ? nullptr : mufu_64h<true>;
  default:
    return nullptr;
  }
}
} // namespace

Handler select_special(Lowering& low) {
  if (low.in.opcode != Opcode::MUFU) {
    return nullptr;
  }
  const bool half = low.modifier(Modifier::F16_) != 0;
  low.dst(0);
  low.src(0, 1, half ? SourceType::half : SourceType::integer);
  low.op.aux[0] = low.operand(1).select & 1;
  return function(low.modifier(Modifier::func), half);
}

} // namespace coulomb::functional
