// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/float_math.hpp"
#include "sim/functional/memory_access.hpp"
#include "sim/functional/tensor_fragments.hpp"

#include <algorithm>

/// Matrix multiply-accumulate across the warp, and the matrix loads and moves that feed it. Lane l
/// holds row (or column) l / 4, elements from l % 4 on. Source: PTX fragment layouts.
///
/// Numerics (assumption): products are exact, a block of them and the addend are summed in double
/// and rounded once to the accumulator. The chip aligns and truncates instead, so last bits may
/// differ.
namespace coulomb::functional {
namespace {
using isa::Modifier;
using isa::Opcode;

} // namespace

void spread(Context& ctx, const MicroOp& op, int source, unsigned depth, Spread& out) {
  const unsigned format = op.aux[1];
  const unsigned per_register = format == kTf32Input ? 1 : 2;
  const unsigned halves = source == 0 ? 2 : 1; // rows 0..7 and 8..15 in registers of their own
  for (unsigned group = 0; group < depth / (4 * per_register); ++group) {
    for (unsigned half = 0; half < halves; ++half) {
      const std::uint32_t* words = fragment(ctx, op, source, group * halves + half);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        double* to = &out.element[half * 8 + lane / 4][(group * 4 + lane % 4) * per_register];
        const std::uint32_t w = words[lane];
        const auto low = static_cast<std::uint16_t>(w);
        const auto high = static_cast<std::uint16_t>(w >> 16);
        if (format == kTf32Input) {
          to[0] = as_float(w & 0xffffe000U);
        } else if (format == kBf16Input) {
          to[0] = bf16_to_float(low);
          to[1] = bf16_to_float(high);
        } else {
          to[0] = half_to_float(low);
          to[1] = half_to_float(high);
        }
      }
    }
  }
}

namespace {

/// One row of D: sums one block of products at a time, as the chip does (8 halves, 4 tf32),
/// rounding after each.
void multiply_row(
    const double* a, const double (*b)[kColumns], unsigned depth, unsigned block, float* sums) {
  for (unsigned first = 0; first < depth; first += block) {
    double wide[kColumns];
    std::copy_n(sums, kColumns, wide);
    for (unsigned k = first; k < first + block; ++k) {
      for (unsigned n = 0; n < kColumns; ++n) {
        wide[n] += a[k] * b[k][n];
      }
    }
    for (unsigned n = 0; n < kColumns; ++n) {
      sums[n] = static_cast<float>(wide[n]);
    }
  }
}

} // namespace

void multiply_spread(Context& ctx, const MicroOp& op, const Spread& a) {
  const unsigned depth = op.aux[0];
  const unsigned block = op.aux[1] == kTf32Input ? 4 : 8;
  const bool wide = op.aux[2] != 0;
  Spread columns;
  spread(ctx, op, 1, depth, columns);
  double b[32][kColumns];
  for (unsigned k = 0; k < depth; ++k) {
    for (unsigned n = 0; n < kColumns; ++n) {
      b[k][n] = columns.element[n][k];
    }
  }
  alignas(64) std::uint32_t d[4][kLanes];
  for (unsigned r = 0; r < 16; ++r) {
    const unsigned half_reg = r >= 8 ? 1 : 0;
    float sums[kColumns];
    for (unsigned n = 0; n < kColumns; ++n) {
      const auto [reg, lane] = accumulator(r, n);
      const std::uint32_t packed = fragment(ctx, op, 2, wide ? reg : half_reg)[lane];
      sums[n] = wide ? as_float(packed)
                     : half_to_float(static_cast<std::uint16_t>(packed >> (16 * (n & 1))));
    }
    multiply_row(a.element[r], b, depth, block, sums);
    for (unsigned n = 0; n < kColumns; ++n) {
      const auto [reg, lane] = accumulator(r, n);
      if (wide) {
        d[reg][lane] = canonical(as_bits(sums[n]));
      } else {
        const std::uint32_t h = std::isnan(sums[n]) ? 0x7fff : float_to_half(sums[n]);
        d[half_reg][lane] = (n & 1) == 0 ? h : d[half_reg][lane] | h << 16;
      }
    }
  }
  std::uint32_t* out = row(ctx, op.dst);
  for (unsigned reg = 0; reg < (wide ? 4U : 2U); ++reg) {
    store_row(ctx, out + reg * kLanes, d[reg]);
  }
}

namespace {
/// aux[0] = k, aux[1] = input format, aux[2] = F32 accumulator.
void hmma(Context& ctx, const MicroOp& op) {
  Spread a;
  spread(ctx, op, 0, op.aux[0], a);
  multiply_spread(ctx, op, a);
}

Handler lower_hmma(Lowering& low) {
  low.dst(0);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 1 + i);
  }
  constexpr std::uint8_t kDepth[4] = {8, 16, 4, 32};
  low.op.aux[0] = kDepth[low.modifier(Modifier::shape) & 3];
  low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::in_type));
  low.op.aux[2] = static_cast<std::uint8_t>(low.modifier(Modifier::acc));
  if (low.op.aux[1] > kTf32Input || low.has_modifiers()) {
    return nullptr;
  }
  if (low.modifier(Modifier::SP) != 0) {
    return lower_sparse_hmma(low);
  }
  return low.op.aux[0] <= 16 ? hmma : nullptr;
}

/// aux[0] = k / 16, aux[1] = A type | B type << 2 | SAT << 4, aux[2] = rows
void imma(Context& ctx, const MicroOp& op) {
  const unsigned depth = op.aux[0] * 16U;
  const unsigned a_type = op.aux[1] & 3;
  const unsigned b_type = op.aux[1] >> 2 & 3;
  const unsigned rows = op.aux[2];
  const unsigned per_register = a_type < 2 ? 4 : 8;
  alignas(64) std::uint32_t d[4][kLanes];
  for (unsigned r = 0; r < rows; ++r) {
    for (unsigned n = 0; n < kColumns; ++n) {
      const auto [reg, lane] = accumulator(r, n);
      std::int64_t sum = static_cast<std::int32_t>(fragment(ctx, op, 2, reg)[lane]);
      for (unsigned word = 0; word < depth / per_register; ++word) {
        const unsigned group = word / 4;
        const unsigned a_reg = rows == 16 ? group * 2 + (r >= 8 ? 1 : 0) : group;
        const std::uint32_t a = fragment(ctx, op, 0, a_reg)[(r % 8) * 4 + word % 4];
        const std::uint32_t b = fragment(ctx, op, 1, group)[n * 4 + word % 4];
        for (unsigned e = 0; e < per_register; ++e) {
          sum += std::int64_t{imma_element(a, e, a_type)} * imma_element(b, e, b_type);
        }
      }
      if ((op.aux[1] & 16) != 0) {
        sum = std::clamp<std::int64_t>(sum, INT32_MIN, INT32_MAX);
      }
      d[reg][lane] = static_cast<std::uint32_t>(sum);
    }
  }
  std::uint32_t* out = row(ctx, op.dst);
  for (unsigned reg = 0; reg < rows / 4; ++reg) {
    store_row(ctx, out + reg * kLanes, d[reg]);
  }
}

Handler lower_imma(Lowering& low) {
  struct Shape {
    std::uint8_t rows;
    std::uint8_t depth;
  };
  constexpr Shape kShapes[8] = {{8, 16},  {0, 0},   {8, 32},  {0, 0},
                                {16, 16}, {16, 32}, {16, 64}, {16, 128}};
  const Shape shape = kShapes[low.modifier(Modifier::shape) & 7];
  low.dst(0);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 1 + i);
  }
  low.op.aux[0] = shape.depth / 16;
  low.op.aux[1] =
      static_cast<std::uint8_t>(low.modifier(Modifier::a) | low.modifier(Modifier::b) << 2 |
                                low.modifier(Modifier::SAT) << 4);
  low.op.aux[2] = shape.rows;
  if (low.modifier(Modifier::SP) != 0) {
    return lower_sparse_imma(low);
  }
  return shape.rows != 0 && shape.depth <= 64 ? imma : nullptr;
}

/// Population count of the XOR (aux[1] = 0) or AND of bit rows. aux[0] = k / 128, aux[2] = rows
void bmma(Context& ctx, const MicroOp& op) {
  const unsigned rows = op.aux[2];
  alignas(64) std::uint32_t d[4][kLanes];
  for (unsigned r = 0; r < rows; ++r) {
    for (unsigned n = 0; n < kColumns; ++n) {
      const auto [reg, lane] = accumulator(r, n);
      std::uint32_t sum = fragment(ctx, op, 2, reg)[lane];
      for (unsigned word = 0; word < op.aux[0] * 4U; ++word) {
        const unsigned group = word / 4;
        const unsigned a_reg = rows == 16 ? group * 2 + (r >= 8 ? 1 : 0) : group;
        const std::uint32_t a = fragment(ctx, op, 0, a_reg)[(r % 8) * 4 + word % 4];
        const std::uint32_t b = fragment(ctx, op, 1, group)[n * 4 + word % 4];
        sum += static_cast<std::uint32_t>(std::popcount(op.aux[1] != 0 ? a & b : a ^ b));
      }
      d[reg][lane] = sum;
    }
  }
  std::uint32_t* out = row(ctx, op.dst);
  for (unsigned reg = 0; reg < rows / 4; ++reg) {
    store_row(ctx, out + reg * kLanes, d[reg]);
  }
}

Handler lower_bmma(Lowering& low) {
  constexpr std::uint8_t kRows[4] = {8, 16, 16, 0};
  constexpr std::uint8_t kGroups[4] = {1, 1, 2, 0};
  const unsigned shape = low.modifier(Modifier::shape) & 3;
  low.dst(0);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 1 + i);
  }
  low.op.aux[0] = kGroups[shape];
  low.op.aux[1] = static_cast<std::uint8_t>(low.modifier(Modifier::op));
  low.op.aux[2] = kRows[shape];
  return shape < 3 ? bmma : nullptr;
}

double double_element(Context& ctx, const MicroOp& op, int source, unsigned index, unsigned lane) {
  return as_double(join(fragment(ctx, op, source, 2 * index)[lane],
                        fragment(ctx, op, source, 2 * index + 1)[lane]));
}

/// 8 x 8 x 4 in FP64: fused multiply-adds in order of k.
void dmma(Context& ctx, const MicroOp& op) {
  alignas(64) std::uint32_t d[4][kLanes];
  for (unsigned r = 0; r < 8; ++r) {
    for (unsigned n = 0; n < kColumns; ++n) {
      const unsigned lane = r * 4 + n / 2;
      double sum = double_element(ctx, op, 2, n & 1, lane);
      for (unsigned k = 0; k < 4; ++k) {
        sum = std::fma(double_element(ctx, op, 0, 0, r * 4 + k),
                       double_element(ctx, op, 1, 0, n * 4 + k), sum);
      }
      d[2 * (n & 1)][lane] = static_cast<std::uint32_t>(as_bits(sum));
      d[2 * (n & 1) + 1][lane] = static_cast<std::uint32_t>(as_bits(sum) >> 32);
    }
  }
  std::uint32_t* out = row(ctx, op.dst);
  for (unsigned reg = 0; reg < 4; ++reg) {
    store_row(ctx, out + reg * kLanes, d[reg]);
  }
}

Handler lower_dmma(Lowering& low) {
  low.dst(0);
  for (int i = 0; i < 3; ++i) {
    low.src(i, 1 + i);
  }
  low.op.rounding = low.modifier(Modifier::rnd) & 3;
  return low.has_modifiers() ? nullptr : dmma;
}

/// Lanes 8 i .. 8 i + 7 give the addresses of the 16-byte rows of matrix i. aux[1] = matrices,
/// aux[2] = transposed.
void ldsm(Context& ctx, const MicroOp& op) {
  const unsigned matrices = op.aux[1];
  window_addresses(ctx, op);
  describe_access(ctx, MemorySpace::shared, 16, true, false);
  const std::uint32_t used = matrices == 4 ? kAllLanes : (1U << (8 * matrices)) - 1;
  ctx.result.access.mask &= used;
  const auto& address = ctx.result.access.address;
  const auto& shared = ctx.cta.shared;
  each_lane(used, [&](int l) { // rows are read for other lanes, so every address counts
    const std::uint64_t a = address[static_cast<std::size_t>(l)];
    if (a % 16 != 0 || a + 16 > shared.size()) {
      window_fault(ctx, MemorySpace::shared, l, a, 16);
    }
  });
  std::uint32_t* out = row(ctx, op.dst);
  for (unsigned i = 0; i < matrices; ++i) {
    alignas(64) std::uint32_t r[kLanes];
    for (unsigned l = 0; l < kLanes; ++l) {
      const unsigned g = l / 4;
      const unsigned t = l % 4;
      std::uint16_t half[2];
      for (unsigned e = 0; e < 2; ++e) {
        const unsigned from_row = op.aux[2] != 0 ? 2 * t + e : g;
        const unsigned column = op.aux[2] != 0 ? g : 2 * t + e;
        std::memcpy(&half[e], shared.data() + address[8 * i + from_row] + 2 * column, 2);
      }
      r[l] = half[0] | std::uint32_t{half[1]} << 16;
    }
    store_row(ctx, out + i * kLanes, r);
  }
}

Handler lower_ldsm(Lowering& low) {
  constexpr std::uint8_t kMatrices[4] = {1, 2, 4, 0};
  low.dst(0);
  lower_address(low, 1, false);
  low.op.aux[1] = kMatrices[low.modifier(Modifier::n) & 3];
  low.op.aux[2] = static_cast<std::uint8_t>(low.modifier(Modifier::trans));
  return low.op.aux[1] != 0 ? ldsm : nullptr;
}

/// Transposes the 8 x 8 matrix of 16-bit elements that the warp holds.
void movm(Context& ctx, const MicroOp& op) {
  const std::uint32_t* a = row(ctx, op.src[0]);
  const auto element = [&](unsigned r, unsigned c) {
    return a[r * 4 + c / 2] >> (16 * (c & 1)) & 0xffff;
  };
  alignas(64) std::uint32_t d[kLanes];
  for (unsigned l = 0; l < kLanes; ++l) {
    const unsigned g = l / 4;
    const unsigned t = l % 4;
    d[l] = element(2 * t, g) | element(2 * t + 1, g) << 16;
  }
  store_row(ctx, row(ctx, op.dst), d);
}
} // namespace

Handler select_tensor(Lowering& low) {
  switch (low.in.opcode) {
  case Opcode::HMMA:
    return lower_hmma(low);
  case Opcode::IMMA:
    return lower_imma(low);
  case Opcode::BMMA:
    return lower_bmma(low);
  case Opcode::DMMA_884:
    return lower_dmma(low);
  case Opcode::LDSM_16:
    return lower_ldsm(low);
  case Opcode::MOVM_16_MT88:
    low.dst(0);
    low.src(0, 1);
    return movm;
  default:
    return nullptr;
  }
}

} // namespace coulomb::functional
