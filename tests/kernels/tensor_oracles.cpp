// SPDX-License-Identifier: Apache-2.0
// k07 mma.sync and ldmatrix, k08 the wmma API.
#include "tests/kernels/fragments.hpp"
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using Words = std::vector<std::uint32_t>;

/// ldmatrix: `rows[i]` is the index of the first word of row i (8 rows a matrix). Register `r` of
/// each lane, as the PTX ISA's figure gives it.
std::uint32_t load_matrix(
    const Words& shared, const std::vector<size_t>& rows, size_t lane, size_t r, bool trans) {
  const auto element = [&](size_t row, size_t column) {
    const size_t word = rows[r * 8 + row] + column / 2;
    const std::uint32_t bits = word < shared.size() ? shared[word] : 0;
    return (bits >> (16 * (column % 2))) & 0xffffU;
  };
  const size_t major = lane / 4;
  const size_t minor = lane % 4 * 2;
  return trans ? element(minor, major) | element(minor + 1, major) << 16
               : element(major, minor) | element(major, minor + 1) << 16;
}

/// The kernels gemm<TY>: 128 x 16 bytes of A and B in shared memory for each k, read with ldmatrix
/// at shifted rows.
void mma_gemm(Problem& p, const MmaShape& shape, const Words& a, const Words& b, Bound bound) {
  constexpr size_t kSteps = 2;
  constexpr size_t kWords = 512;
  std::vector<double> want(128 * 32, 0.0);
  for (size_t step = 0; step < kSteps * 2; ++step) {
    const auto start = static_cast<std::ptrdiff_t>(step / 2 * kWords);
    const size_t kk = step % 2;
    const Words sa(a.begin() + start, a.begin() + start + kWords);
    const Words sb(b.begin() + start, b.begin() + start + kWords);
    for (size_t warp = 0; warp < 4; ++warp) {
      for (size_t i = 0; i < 2; ++i) {
        for (size_t j = 0; j < 4; ++j) {
          std::vector<size_t> a_rows(32);
          std::vector<size_t> b_rows(16);
          for (size_t l = 0; l < 32; ++l) {
            a_rows[l] = ((l ^ (kk * 2)) + i * 32 + (warp & 1) * 64) * 4;
            b_rows[l % 16] = (l % 16 + j * 16 + kk) * 4;
          }
          Fragment fa;
          Fragment fb;
          for (size_t l = 0; l < 32; ++l) {
            for (size_t r = 0; r < 4; ++r) {
              fa[l].push_back(load_matrix(sa, a_rows, l, r, false));
            }
            for (size_t r = 0; r < 2; ++r) {
              fb[l].push_back(load_matrix(sb, b_rows, l, r, j % 2 == 1));
            }
          }
          const auto sums = multiply(shape, fa, fb);
          for (size_t l = 0; l < 32; ++l) {
            for (size_t e = 0; e < 4; ++e) {
              want[(warp * 32 + l) * 32 + i * 16 + j * 4 + e] += sums[static_cast<size_t>(
                  accumulator_position(static_cast<int>(l), static_cast<int>(e)))];
            }
          }
        }
      }
    }
  }
  p.input(a);
  p.input(b);
  p.output(std::vector<float>(want.size(), 0.0F), want, bound);
  p.value(static_cast<int>(kSteps));
}

/// Pairs of 16-bit elements.
template <class T>
Words pairs(const std::vector<T>& elements) {
  Words out;
  for (size_t i = 0; i < elements.size(); i += 2) {
    out.push_back(elements[i].bits | static_cast<std::uint32_t>(elements[i + 1].bits) << 16);
  }
  return out;
}

void mma_f16(Problem& p) {
  mma_gemm(p, {16, 16, Element::f16, Element::f16}, pairs(p.halves(2048)), pairs(p.halves(2048)),
           {.absolute = 2e-5});
}
void mma_bf16(Problem& p) {
  mma_gemm(p, {16, 16, Element::bf16, Element::bf16}, pairs(p.bfloats(2048)),
           pairs(p.bfloats(2048)), {.absolute = 2e-5});
}
/// Both halves of each word look like bfloat16: a transposed load pairs halves of different words.
void mma_tf32(Problem& p) {
  mma_gemm(p, {16, 8, Element::tf32, Element::tf32}, pairs(p.bfloats(2048)), pairs(p.bfloats(2048)),
           {.absolute = 2e-5});
}

/// One warp's registers of a shape, of the words that mma_misc keeps in `a` and `b`.
Fragment registers(const Words& words, size_t per_lane, int count) {
  Fragment out;
  for (size_t lane = 0; lane < 32; ++lane) {
    for (size_t r = 0; r < static_cast<size_t>(count); ++r) {
      out[lane].push_back(words[lane * per_lane + r]);
    }
  }
  return out;
}

struct MiscStep {
  MmaShape shape;
  BitOperation bits = BitOperation::none;
};

std::string misc_check(const std::vector<std::uint32_t>& got, const Words& a, const Words& b) {
  using enum Element;
  const auto run = [&](const MiscStep& s) {
    return multiply(s.shape, registers(a, 4, s.shape.a_registers()),
                    registers(b, 2, s.shape.b_registers()), s.bits);
  };
  const auto total = [&](const std::vector<MiscStep>& steps) {
    std::vector<double> sums(128, 0.0);
    for (const MiscStep& step : steps) {
      const auto one = run(step);
      for (size_t i = 0; i < one.size(); ++i) {
        sums[i] += one[i];
      }
    }
    return sums;
  };
  const auto d = total({{{16, 8, f16, f16}}, {{16, 8, bf16, bf16}}, {{16, 4, tf32, tf32}}});
  const auto h = total({{{16, 16, f16, f16}}, {{16, 8, f16, f16}}});
  const auto s = total({{{16, 32, s8, s8}},
                        {{16, 32, u8, s8}},
                        {{16, 32, s8, u8}},
                        {{16, 32, u8, u8}},
                        {{16, 16, s8, s8}},
                        {{16, 16, u8, u8}},
                        {{16, 64, s4, s4}},
                        {{16, 64, u4, s4}},
                        {{16, 64, u4, u4}},
                        {{16, 32, s4, u4}},
                        {{8, 16, s8, s8}},
                        {{8, 32, u4, s4}},
                        {{16, 256, b1, b1}, BitOperation::exclusive_or},
                        {{16, 256, b1, b1}, BitOperation::conjunction},
                        {{16, 128, b1, b1}, BitOperation::conjunction}});
  Fragment da;
  Fragment db;
  for (int lane = 0; lane < 32; ++lane) {
    const auto at = [&](int i) { return d[static_cast<size_t>(accumulator_position(lane, i))]; };
    da[static_cast<size_t>(lane)] = {std::bit_cast<std::uint64_t>(at(0))};
    db[static_cast<size_t>(lane)] = {std::bit_cast<std::uint64_t>(at(1))};
  }
  const auto dd = multiply({8, 4, f64, f64}, da, db);
  std::string wrong;
  const auto expect = [&](int lane, const char* what, int i, double value, double want,
                          double allowed) {
    if (!(std::abs(value - want) <= allowed) && wrong.size() < 400) {
      wrong += fmt::format(" lane {} {}[{}] is {}, not {}", lane, what, i, value, want);
    }
  };
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint32_t* words = got.data() + lane * 16;
    for (int i = 0; i < 4; ++i) {
      const auto at = static_cast<size_t>(accumulator_position(lane, i));
      expect(lane, "d", i, std::bit_cast<float>(words[i]), d[at], 1e-4);
      expect(lane, "s", i, static_cast<std::int32_t>(words[4 + i]), s[at], 0.0);
      expect(lane, "h", i, element_value(f16, words[8 + i / 2], i % 2), h[at], 0.07);
    }
    for (int i = 0; i < 2; ++i) {
      double value = 0.0;
      std::memcpy(&value, words + 10 + 2 * i, sizeof value);
      const double want = dd[static_cast<size_t>(accumulator_position(lane, i))];
      expect(lane, "dd", i, value, want, 1e-4 * (8.0 + std::abs(want)));
    }
    for (int i = 14; i < 16; ++i) {
      expect(lane, "untouched", i, words[i], 0xabcd, 0.0);
    }
  }
  return wrong;
}

/// The same bits are f16, bf16, tf32 and integers in turn, so they are f16 numbers of [0.5, 2).
void mma_misc(Problem& p) {
  const Words a = pairs(p.halves(256, 0.5, 2.0));
  const Words b = pairs(p.halves(128, 0.5, 2.0));
  p.input(a);
  p.input(b);
  p.judged<std::uint32_t>(
      std::vector<std::uint32_t>(512, 0xabcd),
      [a, b](const std::vector<std::uint32_t>& got) { return misc_check(got, a, b); });
}

/// 128 threads; the words of shared memory that no thread stores to are zero in this model.
void ldsm_all(Problem& p) {
  const auto g = p.integers<std::uint32_t>(384);
  Words shared(1024, 0);
  for (size_t t = 0; t < 128; ++t) {
    shared[t] = g[t];
    shared[t + 256] = g[t + 256];
  }
  Words want;
  for (size_t t = 0; t < 128; ++t) {
    const size_t l = t % 32;
    const auto rows = [&](size_t offset) {
      std::vector<size_t> out;
      for (size_t i = 0; i < 32; ++i) {
        out.push_back((t - l + i) * 4 + offset);
      }
      return out;
    };
    const std::uint32_t r0 = load_matrix(shared, rows(0), l, 0, false);
    const std::uint32_t r1 = load_matrix(shared, rows(64), l, 0, true);
    std::uint32_t q[4];
    std::uint32_t pt[2];
    for (size_t r = 0; r < 4; ++r) {
      q[r] = load_matrix(shared, rows(16), l, r, true);
    }
    for (size_t r = 0; r < 2; ++r) {
      pt[r] = load_matrix(shared, rows(32), l, r, true);
    }
    // movmatrix of r0: the matrix itself, read with rows and columns exchanged.
    const std::uint32_t moved = load_matrix(shared, rows(0), l, 0, true);
    want.push_back(r0 + r1 + q[0] + q[1] * q[2] + q[3] + pt[0] + pt[1] + moved);
  }
  p.output(Words(128, 0), want);
  p.input(g);
}

/// C = A B with any layouts: a(m, k), b(k, n) give elements.
template <class A, class B>
std::vector<double> product(size_t rows, size_t columns, size_t depth, A a, B b) {
  std::vector<double> c(rows * columns, 0.0);
  for (size_t i = 0; i < rows * columns; ++i) {
    for (size_t k = 0; k < depth; ++k) {
      c[i] += a(i / columns, k) * b(k, i % columns);
    }
  }
  return c;
}

/// One warp: its two fragments side by side fill a matrix of 16 x 32.
void wmma_f16(Problem& p) {
  constexpr size_t kDepth = 48;
  const auto a = p.halves(16 * kDepth);
  const auto b = p.halves(kDepth * 32);
  p.input(a);
  p.input(b);
  p.output(std::vector<float>(16 * 32, 0.0F),
           product(
               16, 32, kDepth, [&](size_t m, size_t k) { return number(a[m * kDepth + k]); },
               [&](size_t k, size_t n) { return number(b[k * 32 + n]); }),
           {.absolute = 2e-5});
  p.value(16);
  p.value(32);
  p.value(static_cast<int>(kDepth));
}

void wmma_f16_shared(Problem& p) {
  constexpr size_t kDepth = 32;
  const auto a = p.halves(64 * kDepth);
  const auto b = p.halves(64 * kDepth);
  std::vector<double> want(4 * 256);
  for (size_t w = 0; w < 4; ++w) {
    const auto c = product(
        16, 16, kDepth, [&](size_t m, size_t k) { return number(a[(w * 16 + m) * kDepth + k]); },
        [&](size_t k, size_t n) { return number(b[((w ^ 1U) * 16 + n) * kDepth + k]); });
    for (size_t i = 0; i < 256; ++i) {
      want[w * 256 + i % 16 * 16 + i / 16] = c[i];
    }
  }
  p.input(a);
  p.input(b);
  p.output(std::vector<Half>(want.size()), want, {.absolute = 0.01});
  p.value(16);
  p.value(static_cast<int>(kDepth));
}

void wmma_bf16(Problem& p) {
  constexpr size_t kDepth = 32;
  const auto a = p.bfloats(32 * kDepth);
  const auto b = p.bfloats(8 * kDepth);
  auto want = product(
      32, 8, kDepth, [&](size_t m, size_t k) { return number(a[k * 32 + m]); },
      [&](size_t k, size_t n) { return number(b[n * kDepth + k]); });
  for (double& c : want) {
    c = c > 0 ? c : 0.1F * c;
  }
  p.input(a);
  p.input(b);
  p.output(std::vector<float>(256, 0.0F), want, {.absolute = 2e-5});
  p.value(static_cast<int>(kDepth));
}

/// Rounded to ten fraction bits, ties away from zero.
double tf32(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0x1000U) & 0xffffe000U);
}

void wmma_tf32(Problem& p) {
  constexpr size_t kDepth = 24;
  const auto a = p.floats(16 * kDepth);
  const auto b = p.floats(16 * kDepth);
  p.input(a);
  p.input(b);
  p.output(std::vector<float>(256, 0.0F),
           product(
               16, 16, kDepth, [&](size_t m, size_t k) { return tf32(a[m * kDepth + k]); },
               [&](size_t k, size_t n) { return tf32(b[n * kDepth + k]); }),
           {.absolute = 2e-5});
  p.value(static_cast<int>(kDepth));
}

template <class In, class Out>
void wmma_exact(
    Problem& p, size_t size, const std::vector<In>& a, const std::vector<In>& b, Bound bound) {
  const size_t depth = a.size() / size;
  p.input(a);
  p.input(b);
  p.output(std::vector<Out>(size * size),
           product(
               size, size, depth,
               [&](size_t m, size_t k) { return static_cast<double>(a[m * depth + k]); },
               [&](size_t k, size_t n) { return static_cast<double>(b[n * depth + k]); }),
           bound);
  p.value(static_cast<int>(depth));
}
void wmma_s8(Problem& p) {
  wmma_exact<std::int8_t, std::int32_t>(p, 16, p.integers<std::int8_t>(512),
                                        p.integers<std::int8_t>(512), {});
}
void wmma_f64(Problem& p) {
  wmma_exact<double, double>(p, 8, p.doubles(96), p.doubles(96), {.absolute = 1e-14});
}

constexpr const char* kMma = "k07_mma.cu";
constexpr const char* kWmma = "k08_wmma.cu";
constexpr const char* kAccumulation =
    "sums of exact products, each step below 2^-22 of the largest";

constexpr KernelCase kCases[] = {
    {kMma, "mma_f16", {1, 1}, {128}, 0, mma_f16, kAccumulation},
    {kMma, "mma_bf16", {1, 1}, {128}, 0, mma_bf16, kAccumulation},
    {kMma, "mma_tf32", {1, 1}, {128}, 0, mma_tf32, kAccumulation},
    {kMma, "mma_misc", {1}, {32}, 0, mma_misc, kAccumulation},
    {kMma, "ldsm_all", {1}, {128}, 0, ldsm_all},
    {kWmma, "wmma_f16", {1}, {32}, 0, wmma_f16, kAccumulation},
    {kWmma,
     "wmma_f16_shared",
     {1},
     {128},
     0,
     wmma_f16_shared,
     "two roundings to binary16 below 16"},
    {kWmma, "wmma_bf16", {1}, {32}, 0, wmma_bf16, kAccumulation},
    {kWmma, "wmma_tf32", {1}, {32}, 0, wmma_tf32, kAccumulation},
    {kWmma, "wmma_s8", {1}, {32}, 0, wmma_s8},
    {kWmma, "wmma_f64", {1}, {32}, 0, wmma_f64, kSumRounding},
};

} // namespace

std::span<const KernelCase> tensor_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
