// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/lanes.hpp"
#include "sim/functional/lowering.hpp"

/// How the lanes of a warp hold the matrices of a tensor-core instruction: lane l has row (or
/// column) l / 4, elements from l % 4 on. Source: PTX fragment layouts.
namespace coulomb::functional {

inline constexpr unsigned kColumns = 8;

/// Register `reg` of a fragment that starts at source `i`.
[[nodiscard]] inline const std::uint32_t*
fragment(Context& ctx, const MicroOp& op, int i, unsigned reg) {
  const std::uint32_t* first = row(ctx, op.src[i]);
  const bool zero = op.src[i] == register_row(isa::kRegisterZero);
  return zero ? first : first + reg * kLanes;
}

/// Lane and register of accumulator element (r, n), 32 bits each.
struct Place {
  unsigned reg;
  unsigned lane;
};
[[nodiscard]] inline Place accumulator(unsigned r, unsigned n) {
  return {(r >= 8 ? 2U : 0U) + (n & 1), (r % 8) * 4 + n / 2};
}

/// Input formats of HMMA, as encoded.
enum HmmaInput : unsigned { kHalfInput, kBf16Input, kTf32Input };

/// A fragment spread out: [row or column][k].
struct Spread {
  double element[16][32];
};

/// Unpacks the registers of A (source 0: 16 rows) or B (source 1: 8 columns); `depth` elements
/// each. op.aux[1]: input format.
void spread(Context& ctx, const MicroOp& op, int source, unsigned depth, Spread& out);

/// D = A B + C of an HMMA for an A that is spread out to op.aux[0] elements a row; op.aux[1]: input
/// format, op.aux[2]: F32 accumulator.
void multiply_spread(Context& ctx, const MicroOp& op, const Spread& a);

/// Element of an IMMA operand; type 0 U8, 1 S8, 2 U4, 3 S4.
[[nodiscard]] inline std::int32_t imma_element(std::uint32_t word, unsigned index, unsigned type) {
  const unsigned bits = type < 2 ? 8 : 4;
  const std::uint32_t up = word >> (bits * index) << (32 - bits);
  return (type & 1) != 0 ? static_cast<std::int32_t>(up) >> (32 - bits)
                         : static_cast<std::int32_t>(up >> (32 - bits));
}

/// The .SP forms, whose operands 1 to 3 and sizes are lowered already: adds metadata and selector.
[[nodiscard]] Handler lower_sparse_hmma(Lowering& low);
[[nodiscard]] Handler lower_sparse_imma(Lowering& low);

} // namespace coulomb::functional
