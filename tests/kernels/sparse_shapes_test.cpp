// SPDX-License-Identifier: Apache-2.0
// Every shape, type and selector of the sparse tensor cores against a plain triple loop over the
// dense matrix that values and metadata stand for. All sums are exact.
#include "tests/kernels/fragments.hpp"
#include "tests/kernels/kernel_runner.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using Words = std::vector<std::uint32_t>;

enum class Result : std::uint8_t { f32, f16, s32, saturated };

struct SparseCase {
  const char* entry;
  Element a;
  Element b;
  size_t k; ///< of the dense matrix
  size_t selector;
  Result result;
};

using enum Element;
constexpr SparseCase kCases[] = {
    {"sp_f16_16816_0", f16, f16, 16, 0, Result::f32},
    {"sp_f16_16816_1", f16, f16, 16, 1, Result::f32},
    {"sp_f16_16816_2", f16, f16, 16, 2, Result::f32},
    {"sp_f16_16816_3", f16, f16, 16, 3, Result::f32},
    {"sp_f16_16832_0", f16, f16, 32, 0, Result::f32},
    {"sp_f16_16832_1", f16, f16, 32, 1, Result::f32},
    {"sp_bf16_16816_0", bf16, bf16, 16, 0, Result::f32},
    {"sp_bf16_16816_1", bf16, bf16, 16, 1, Result::f32},
    {"sp_bf16_16816_2", bf16, bf16, 16, 2, Result::f32},
    {"sp_bf16_16816_3", bf16, bf16, 16, 3, Result::f32},
    {"sp_bf16_16832_0", bf16, bf16, 32, 0, Result::f32},
    {"sp_bf16_16832_1", bf16, bf16, 32, 1, Result::f32},
    {"sp_f16_16816_f16_2", f16, f16, 16, 2, Result::f16},
    {"sp_f16_16832_f16_1", f16, f16, 32, 1, Result::f16},
    {"sp_tf32_1688_0", tf32, tf32, 8, 0, Result::f32},
    {"sp_tf32_1688_1", tf32, tf32, 8, 1, Result::f32},
    {"sp_tf32_1688_2", tf32, tf32, 8, 2, Result::f32},
    {"sp_tf32_1688_3", tf32, tf32, 8, 3, Result::f32},
    {"sp_tf32_16816_0", tf32, tf32, 16, 0, Result::f32},
    {"sp_tf32_16816_1", tf32, tf32, 16, 1, Result::f32},
    {"sp_s8s8_16832_0", s8, s8, 32, 0, Result::s32},
    {"sp_s8s8_16832_1", s8, s8, 32, 1, Result::s32},
    {"sp_s8s8_16864_0", s8, s8, 64, 0, Result::s32},
    {"sp_u8s8_16832_0", u8, s8, 32, 0, Result::saturated},
    {"sp_u8s8_16832_1", u8, s8, 32, 1, Result::saturated},
    {"sp_u8s8_16864_0", u8, s8, 64, 0, Result::saturated},
    {"sp_s8u8_16832_0", s8, u8, 32, 0, Result::s32},
    {"sp_s8u8_16832_1", s8, u8, 32, 1, Result::s32},
    {"sp_s8u8_16864_0", s8, u8, 64, 0, Result::s32},
    {"sp_u8u8_16832_0", u8, u8, 32, 0, Result::s32},
    {"sp_u8u8_16832_1", u8, u8, 32, 1, Result::s32},
    {"sp_u8u8_16864_0", u8, u8, 64, 0, Result::s32},
    {"sp_s4s4_16864_0", s4, s4, 64, 0, Result::s32},
    {"sp_s4s4_16864_1", s4, s4, 64, 1, Result::s32},
    {"sp_s4s4_168128_0", s4, s4, 128, 0, Result::s32},
    {"sp_u4s4_16864_0", u4, s4, 64, 0, Result::s32},
    {"sp_u4s4_16864_1", u4, s4, 64, 1, Result::s32},
    {"sp_u4s4_168128_0", u4, s4, 128, 0, Result::s32},
    {"sp_s4u4_16864_0", s4, u4, 64, 0, Result::saturated},
    {"sp_s4u4_16864_1", s4, u4, 64, 1, Result::saturated},
    {"sp_s4u4_168128_0", s4, u4, 128, 0, Result::saturated},
    {"sp_u4u4_16864_0", u4, u4, 64, 0, Result::s32},
    {"sp_u4u4_16864_1", u4, u4, 64, 1, Result::s32},
    {"sp_u4u4_168128_0", u4, u4, 128, 0, Result::s32},
};

/// A 16 x k matrix with its zeros, the values that are stored of it, and four metadata bits for
/// each chunk.
struct SparseMatrix {
  std::vector<std::vector<int>> dense;
  std::vector<std::vector<int>> stored;
  std::vector<std::vector<std::uint32_t>> chunks;
};

bool is_float(Element type) {
  return type == f16 || type == bf16 || type == tf32;
}
bool is_nibble(Element type) {
  return type == s4 || type == u4;
}

/// Floats get integers from -7 to 7, integers all their values.
int draw_value(RandomStream& random, Element type) {
  if (is_float(type)) {
    return static_cast<int>(random.below(15)) - 7;
  }
  const int range = 1 << element_bits(type);
  const bool is_signed = type == s8 || type == s4;
  return static_cast<int>(random.below(static_cast<std::uint64_t>(range))) -
         (is_signed ? range / 2 : 0);
}

/// Of a chunk of 2 (TF32), 4, or 8 elements (4 bits, in pairs), half is kept.
SparseMatrix draw_matrix(RandomStream& random, const SparseCase& row) {
  const size_t chunk = row.a == tf32 ? 2 : is_nibble(row.a) ? 8 : 4;
  const size_t unit = is_nibble(row.a) ? 2 : 1;
  SparseMatrix m;
  m.dense.assign(16, std::vector<int>(row.k, 0));
  m.stored.resize(16);
  m.chunks.resize(16);
  for (size_t r = 0; r < 16; ++r) {
    for (size_t first = 0; first < row.k; first += chunk) {
      std::vector<size_t> kept;
      if (row.a == tf32) {
        kept = {random.below(2)};
        m.chunks[r].push_back(kept[0] == 0 ? 0b0100 : 0b1110);
      } else {
        const size_t i = random.below(3);
        const size_t j = i + 1 + random.below(3 - i);
        kept = {i, j};
        m.chunks[r].push_back(static_cast<std::uint32_t>(i | j << 2));
      }
      for (const size_t u : kept) {
        for (size_t e = 0; e < unit; ++e) {
          const int v = draw_value(random, row.a);
          m.dense[r][first + u * unit + e] = v;
          m.stored[r].push_back(v);
        }
      }
    }
  }
  return m;
}

std::uint32_t encoded(Element type, int value) {
  switch (type) {
  case f16:
    return half(value).bits;
  case bf16:
    return bfloat(value).bits;
  case tf32:
    return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  default:
    return static_cast<std::uint32_t>(value) & ((1U << element_bits(type)) - 1U);
  }
}

/// Puts element `index` of line `line` (row of A, column of B) where the figures of the PTX ISA
/// have it: four lanes share a line, rows from 8 on take every second register.
void place(Words& words, Element type, size_t line, size_t index, bool two_halves, int value) {
  const auto bits = static_cast<size_t>(type == tf32 ? 32 : element_bits(type));
  const size_t per_register = 32 / bits;
  const size_t word = index / per_register;
  const size_t lane = line % 8 * 4 + word % 4;
  const size_t reg = two_halves ? word / 4 * 2 + line / 8 : word / 4;
  words[lane * 4 + reg] |= encoded(type, value) << (bits * (index % per_register));
}

/// The metadata words; lanes that the selector does not name get noise. A row's bits go in pieces:
/// 16-bit and TF32 inputs: 16 bits each, row r in the low, r + 8 in the high half of a lane's word;
/// else 32 bits each, r and r + 8 in neighbouring lanes.
Words metadata(RandomStream& random, const SparseCase& row, const SparseMatrix& m) {
  Words words(32);
  for (auto& w : words) {
    w = static_cast<std::uint32_t>(random.next());
  }
  const size_t chunks_of_piece = is_float(row.a) ? 4 : 8;
  for (size_t r = 0; r < 16; ++r) {
    const size_t pieces = m.chunks[r].size() / chunks_of_piece;
    for (size_t piece = 0; piece < pieces; ++piece) {
      std::uint32_t bits = 0;
      for (size_t i = 0; i < chunks_of_piece; ++i) {
        bits |= m.chunks[r][piece * chunks_of_piece + i] << (4 * i);
      }
      if (is_float(row.a)) {
        const size_t lane = r % 8 * 4 + (pieces == 1 ? row.selector : 2 * row.selector + piece);
        const std::uint32_t keep = r < 8 ? 0xffff0000U : 0xffffU;
        words[lane] = (words[lane] & keep) | bits << (r < 8 ? 0 : 16);
      } else {
        words[r % 8 * 4 + (pieces == 1 ? 2 * row.selector : 2 * piece) + r / 8] = bits;
      }
    }
  }
  return words;
}

/// What the kernel keeps of a 16 x 8 matrix at [lane][4], 32 bits an element or two halves.
template <class T>
std::vector<T> accumulators(const std::vector<std::vector<std::int64_t>>& matrix) {
  std::vector<T> out(128, T{});
  for (size_t lane = 0; lane < 32; ++lane) {
    for (size_t i = 0; i < 4; ++i) {
      const std::int64_t v = matrix[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2];
      out[lane * 4 + i] = static_cast<T>(v);
    }
  }
  return out;
}
Words half_accumulators(const std::vector<std::vector<std::int64_t>>& matrix) {
  Words out(128, 0);
  for (size_t lane = 0; lane < 32; ++lane) {
    for (size_t i = 0; i < 4; ++i) {
      const auto v = static_cast<double>(matrix[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2]);
      out[lane * 4 + i / 2] |= std::uint32_t{half(v).bits} << (16 * (i % 2));
    }
  }
  return out;
}

void fill(Problem& p, const SparseCase& row) {
  using Limits = std::numeric_limits<std::int32_t>;
  const SparseMatrix m = draw_matrix(p.random(), row);
  Words a(128, 0);
  Words b(128, 0);
  std::vector<std::vector<std::int64_t>> c(16, std::vector<std::int64_t>(8));
  auto d = c;
  for (size_t r = 0; r < 16; ++r) {
    for (size_t i = 0; i < m.stored[r].size(); ++i) {
      place(a, row.a, r, i, true, m.stored[r][i]);
    }
    for (size_t n = 0; n < 8; ++n) {
      c[r][n] = static_cast<std::int64_t>(p.random().below(400)) - 200;
      if (row.result == Result::saturated) {
        c[r][n] += n % 2 == 0 ? Limits::max() - 200 : Limits::min() + 200;
      }
      d[r][n] = c[r][n];
    }
  }
  for (size_t n = 0; n < 8; ++n) {
    for (size_t k = 0; k < row.k; ++k) {
      const int v = draw_value(p.random(), row.b);
      place(b, row.b, n, k, false, v);
      for (size_t r = 0; r < 16; ++r) {
        d[r][n] += std::int64_t{m.dense[r][k]} * v;
      }
    }
  }
  for (auto& line : d) {
    for (auto& v : line) {
      v = row.result == Result::saturated
              ? std::clamp<std::int64_t>(v, Limits::min(), Limits::max())
              : v;
    }
  }
  p.input(a);
  p.input(b);
  const Words e = metadata(p.random(), row, m);
  if (row.result == Result::f32) {
    p.input(accumulators<float>(c));
    p.input(e);
    p.output(std::vector<float>(128, 0.0F), accumulators<float>(d));
  } else if (row.result == Result::f16) {
    p.input(half_accumulators(c));
    p.input(e);
    p.output(Words(128, 0), half_accumulators(d));
  } else {
    p.input(accumulators<std::int32_t>(c));
    p.input(e);
    p.output(std::vector<std::int32_t>(128, 0), accumulators<std::int32_t>(d));
  }
}

class SparseShape : public testing::TestWithParam<SparseCase> {};

TEST_P(SparseShape, AgreesWithATripleLoopOverTheDenseMatrix) {
  const std::string missing = missing_compiler();
  if (!missing.empty()) {
    GTEST_SKIP() << missing;
  }
  const SparseCase& row = GetParam();
  for (const char* architecture : {"sm_80", "sm_86"}) {
    const std::string cubin = compiled("sparse_shapes.cu", architecture);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Problem p(seed);
      fill(p, row);
      ASSERT_EQ(run_and_compare({cubin, row.entry, {1}, {32}}, p), "")
          << row.entry << " for " << architecture << ", seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         SparseShape,
                         testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<SparseCase>& row) {
                           return std::string(row.param.entry);
                         });

} // namespace
} // namespace coulomb::kernels_test
