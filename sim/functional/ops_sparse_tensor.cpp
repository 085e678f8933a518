// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/tensor_fragments.hpp"

#include <algorithm>

/// HMMA.SP and IMMA.SP: A holds two of each four elements of a row (four of each eight 4-bit ones,
/// in pairs; one of each two TF32 ones), and metadata say which. Source: PTX ISA, "mma.sp": sparse
/// fragments, metadata and sparsity selector.
namespace coulomb::functional {
namespace {

// As the dense forms, and src_hi[0]: register row of the metadata, value: sparsity selector.

/// The four metadata bits of chunk `chunk` of row `r`, which lie in the quad of lanes that holds
/// rows r and r + 8. `pairs`: 16-bit and TF32 inputs, where a lane's word holds 16 bits of either
/// row; else a lane's word belongs to one row. `row_bits`: metadata bits of a row, 16, 32 or 64.
unsigned metadata(const std::uint32_t* words,
                  unsigned selector,
                  unsigned r,
                  unsigned chunk,
                  unsigned row_bits,
                  bool pairs) {
  const std::uint32_t* quad = words + r % 8 * 4;
  const unsigned upper = r / 8;
  if (pairs) {
    const unsigned lane = row_bits == 16 ? selector : 2 * selector + chunk / 4;
    return quad[lane & 3] >> (16 * upper + 4 * (chunk % 4)) & 15;
  }
  const unsigned lane = (row_bits == 32 ? 2 * selector : 2 * (chunk / 8)) + upper;
  return quad[lane & 3] >> (4 * (chunk % 8)) & 15;
}

void hmma_sparse(Context& ctx, const MicroOp& op) {
  const std::uint32_t* words = row(ctx, op.src_hi[0]);
  const unsigned depth = op.aux[0];
  const bool tf32 = op.aux[1] == kTf32Input;
  const unsigned row_bits = tf32 ? 2 * depth : depth;
  Spread compact;
  spread(ctx, op, 0, depth / 2, compact);
  Spread a = {};
  for (unsigned r = 0; r < 16; ++r) {
    for (unsigned i = 0; i < depth / 2; ++i) {
      const unsigned chunk = tf32 ? i : i / 2;
      const unsigned bits = metadata(words, op.value, r, chunk, row_bits, true);
      // A TF32 element counts as two of 16 bits: 0b0100 is the first of its chunk, 0b1110 the next.
      const unsigned k = tf32 ? 2 * chunk + (bits & 3) / 2 : 4 * chunk + (bits >> i % 2 * 2 & 3);
      a.element[r][k] = compact.element[r][i];
    }
  }
  multiply_spread(ctx, op, a);
}

/// k of element `i` of a compact row whose chunk has these metadata.
unsigned dense_index(unsigned i, unsigned bits, bool nibbles) {
  return nibbles ? i / 4 * 8 + (bits >> i % 4 / 2 * 2 & 3) * 2 + i % 2
                 : i / 2 * 4 + (bits >> i % 2 * 2 & 3);
}

/// Adds row `r` of A times B to `sums`.
void multiply_sparse_row(
    Context& ctx, const MicroOp& op, unsigned r, const std::uint32_t* words, std::int64_t* sums) {
  const unsigned depth = op.aux[0] * 16U;
  const unsigned a_type = op.aux[1] & 3;
  const unsigned b_type = op.aux[1] >> 2 & 3;
  const bool nibbles = a_type >= 2;
  const unsigned per_register = nibbles ? 8 : 4;
  const unsigned row_bits = nibbles ? depth / 2 : depth;
  for (unsigned i = 0; i < depth / 2; ++i) {
    const unsigned word = i / per_register;
    const std::uint32_t* a = fragment(ctx, op, 0, word / 4 * 2 + r / 8);
    const std::int64_t x = imma_element(a[r % 8 * 4 + word % 4], i % per_register, a_type);
    const unsigned chunk = nibbles ? i / 4 : i / 2;
    const unsigned k =
        dense_index(i, metadata(words, op.value, r, chunk, row_bits, false), nibbles);
    const unsigned b_word = k / per_register;
    const std::uint32_t* b = fragment(ctx, op, 1, b_word / 4);
    for (unsigned n = 0; n < kColumns; ++n) {
      sums[n] += x * imma_element(b[n * 4 + b_word % 4], k % per_register, b_type);
    }
  }
}

void imma_sparse(Context& ctx, const MicroOp& op) {
  const std::uint32_t* words = row(ctx, op.src_hi[0]);
  alignas(64) std::uint32_t d[4][kLanes];
  for (unsigned r = 0; r < 16; ++r) {
    std::int64_t sums[kColumns];
    for (unsigned n = 0; n < kColumns; ++n) {
      const auto [reg, lane] = accumulator(r, n);
      sums[n] = static_cast<std::int32_t>(fragment(ctx, op, 2, reg)[lane]);
    }
    multiply_sparse_row(ctx, op, r, words, sums);
    for (unsigned n = 0; n < kColumns; ++n) {
      const auto [reg, lane] = accumulator(r, n);
      const bool saturate = (op.aux[1] & 16) != 0;
      d[reg][lane] = static_cast<std::uint32_t>(
          saturate ? std::clamp<std::int64_t>(sums[n], INT32_MIN, INT32_MAX) : sums[n]);
    }
  }
  std::uint32_t* out = row(ctx, op.dst);
  for (unsigned reg = 0; reg < 4; ++reg) {
    store_row(ctx, out + reg * kLanes, d[reg]);
  }
}

void lower_metadata(Lowering& low) {
  low.op.src_hi[0] = register_row(low.operand(4).index);
  low.op.value = static_cast<std::uint32_t>(low.operand(5).value) & 3;
}
} // namespace

Handler lower_sparse_hmma(Lowering& low) {
  lower_metadata(low);
  const unsigned depth = low.op.aux[0];
  const bool tf32 = low.op.aux[1] == kTf32Input;
  const bool ok = tf32 ? depth == 8 || depth == 16 : depth == 16 || depth == 32;
  return ok ? hmma_sparse : nullptr;
}

Handler lower_sparse_imma(Lowering& low) {
  lower_metadata(low);
  const unsigned depth = low.op.aux[0] * 16U;
  const bool nibbles = (low.op.aux[1] & 3) >= 2;
  const bool ok = nibbles ? depth == 64 || depth == 128 : depth == 32 || depth == 64;
  return ok && low.op.aux[2] == 16 ? imma_sparse : nullptr;
}

} // namespace coulomb::functional
