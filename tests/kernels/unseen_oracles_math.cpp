// SPDX-License-Identifier: Apache-2.0
// unseen: attention, matrix product with epilogue, sparse matrix, Cholesky factors.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <numeric>

namespace coulomb::kernels_test {
namespace {

using std::size_t;

/// Row `query` of softmax(scale Q K') V, keys up to the query.
void attend(const std::vector<Half>& q,
            const std::vector<Half>& k,
            const std::vector<Half>& v,
            size_t base,
            size_t query,
            double scale,
            std::vector<double>& out) {
  constexpr size_t kHead = 64;
  std::vector<double> weights;
  for (size_t key = 0; key <= query; ++key) {
    double score = 0.0;
    for (size_t d = 0; d < kHead; ++d) {
      score += number(q[base + query * kHead + d]) * number(k[base + key * kHead + d]);
    }
    weights.push_back(score * scale);
  }
  const double top = *std::max_element(weights.begin(), weights.end());
  double sum = 0.0;
  for (double& weight : weights) {
    weight = std::exp(weight - top);
    sum += weight;
  }
  for (size_t d = 0; d < kHead; ++d) {
    double mean = 0.0;
    for (size_t key = 0; key <= query; ++key) {
      mean += weights[key] * number(v[base + key * kHead + d]);
    }
    out.push_back(mean / sum);
  }
}

void flash_attention(Problem& p) {
  constexpr size_t kHeads = 2;
  constexpr size_t kLength = 150;
  constexpr size_t kHead = 64;
  constexpr float kScale = 0.25F;
  const auto q = p.halves(kHeads * kLength * kHead, -2.0, 2.0);
  const auto k = p.halves(q.size());
  const auto v = p.halves(q.size());
  std::vector<double> want;
  for (size_t head = 0; head < kHeads; ++head) {
    for (size_t query = 0; query < kLength; ++query) {
      attend(q, k, v, head * kLength * kHead, query, kScale, want);
    }
  }
  p.input(q);
  p.input(k);
  p.input(v);
  p.output(std::vector<Half>(q.size(), half(9.0)), want, {.absolute = 5e-4, .ulps = 0.6});
  p.value(static_cast<std::int32_t>(kLength));
  p.value(kScale);
}

void gemm_bias_gelu(Problem& p) {
  constexpr size_t kM = 120;
  constexpr size_t kN = 104;
  constexpr size_t kK = 168;
  const auto a = p.bfloats(kM * kK);
  const auto b = p.bfloats(kK * kN);
  const auto bias = p.bfloats(kN, -2.0, 2.0);
  std::vector<double> want;
  std::vector<double> allowed;
  for (size_t row = 0; row < kM; ++row) {
    for (size_t column = 0; column < kN; ++column) {
      double x = number(bias[column]);
      double magnitude = std::abs(x);
      for (size_t i = 0; i < kK; ++i) {
        const double term = number(a[row * kK + i]) * number(b[i * kN + column]);
        x += term;
        magnitude += std::abs(term);
      }
      const double tanh = std::tanh(std::sqrt(2.0 / std::acos(-1.0)) * (x + 0.044715 * x * x * x));
      want.push_back(0.5 * x * (1.0 + tanh));
      // tanh.approx: relative error 2^-11; the sum: 2 n u sum|terms|, and |gelu'| < 1.13.
      allowed.push_back(0.5 * std::abs(x * tanh) * std::ldexp(1.02, -11) +
                        1.13 * 2.0 * kK * std::ldexp(magnitude, -24));
    }
  }
  p.input(a);
  p.input(b);
  p.input(bias);
  p.output_each<Bfloat, double>(std::vector<Bfloat>(kM * kN, bfloat(9.0)), want, [=](size_t i) {
    return Bound{.absolute = allowed[i], .ulps = 0.6};
  });
  p.value(static_cast<std::int32_t>(kM));
  p.value(static_cast<std::int32_t>(kN));
  p.value(static_cast<std::int32_t>(kK));
}

struct RowBlock {
  std::int32_t first_row;
  std::int16_t rows;
  std::int16_t kind;
};

struct Sparse {
  std::vector<RowBlock> blocks;
  std::vector<std::int32_t> starts{0};

  /// Rows of `low` to `low + spread - 1` nonzeros.
  void add(Problem& p, int rows, int kind, std::uint64_t low, std::uint64_t spread) {
    const auto first = static_cast<std::int32_t>(starts.size()) - 1;
    blocks.push_back({first, static_cast<std::int16_t>(rows), static_cast<std::int16_t>(kind)});
    for (int i = 0; i < rows; ++i) {
      starts.push_back(starts.back() + static_cast<std::int32_t>(low + p.random().below(spread)));
    }
  }
};

void csr_adaptive_spmv(Problem& p) {
  constexpr size_t kColumns = 700;
  Sparse m;
  m.add(p, 256, 0, 0, 6);
  m.add(p, 11, 1, 0, 200);
  m.add(p, 1, 2, 1500, 1);
  m.add(p, 33, 0, 0, 60);
  m.add(p, 8, 1, 40, 9);
  m.add(p, 1, 2, 3, 1);
  m.add(p, 100, 0, 0, 2);
  const auto nonzeros = static_cast<size_t>(m.starts.back());
  const auto columns = p.integers<std::int32_t>(nonzeros, kColumns);
  const auto values = p.floats(nonzeros);
  const auto x = p.floats(kColumns);
  std::vector<double> want;
  std::vector<double> allowed;
  for (size_t row = 0; row + 1 < m.starts.size(); ++row) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (auto i = static_cast<size_t>(m.starts[row]); i < static_cast<size_t>(m.starts[row + 1]);
         ++i) {
      const double term = static_cast<double>(values[i]) * x[static_cast<size_t>(columns[i])];
      sum += term;
      magnitude += std::abs(term);
    }
    want.push_back(sum);
    allowed.push_back((m.starts[row + 1] - m.starts[row] + 1) * std::ldexp(magnitude, -24));
  }
  p.input(m.blocks);
  p.input(m.starts);
  p.input(columns);
  p.input(values);
  p.input(x);
  p.output_each<float, double>(std::vector<float>(want.size(), 9.0F), want,
                               [=](size_t i) { return Bound{.absolute = allowed[i]}; });
}

constexpr size_t kOrder = 16;

/// Factor of the lower triangle, in place; returns the order of the first minor that is not
/// positive.
std::int32_t factorise(std::vector<long double>& a) {
  for (size_t k = 0; k < kOrder; ++k) {
    if (a[k * kOrder + k] <= 0.0L) {
      return static_cast<std::int32_t>(k + 1);
    }
    a[k * kOrder + k] = std::sqrt(a[k * kOrder + k]);
    for (size_t i = k + 1; i < kOrder; ++i) {
      a[i * kOrder + k] /= a[k * kOrder + k];
    }
    for (size_t j = k + 1; j < kOrder; ++j) {
      for (size_t i = j; i < kOrder; ++i) {
        a[i * kOrder + j] -= a[i * kOrder + k] * a[j * kOrder + k];
      }
    }
  }
  return 0;
}

std::vector<long double> solve(const std::vector<long double>& l, std::vector<long double> b) {
  for (size_t i = 0; i < kOrder; ++i) {
    for (size_t j = 0; j < i; ++j) {
      b[i] -= l[i * kOrder + j] * b[j];
    }
    b[i] /= l[i * kOrder + i];
  }
  for (size_t i = kOrder; i-- > 0;) {
    for (size_t j = i + 1; j < kOrder; ++j) {
      b[i] -= l[j * kOrder + i] * b[j];
    }
    b[i] /= l[i * kOrder + i];
  }
  return b;
}

/// M M' / 16 + 1: condition below about 5.
std::vector<double> positive_matrix(Problem& p) {
  const auto m = p.doubles(kOrder * kOrder);
  std::vector<double> a(m.size());
  for (size_t i = 0; i < kOrder; ++i) {
    for (size_t j = 0; j < kOrder; ++j) {
      const auto row = m.begin() + static_cast<std::ptrdiff_t>(i * kOrder);
      const auto other = m.begin() + static_cast<std::ptrdiff_t>(j * kOrder);
      a[i * kOrder + j] = std::inner_product(row, row + kOrder, other, 0.0) / kOrder;
    }
    a[i * kOrder + i] += 1.0;
  }
  return a;
}

void batched_cholesky(Problem& p) {
  constexpr size_t kBatch = 37;
  std::vector<double> matrices;
  std::vector<double> factors;
  const auto rhs = p.doubles(kBatch * kOrder);
  std::vector<double> solutions(rhs);
  std::vector<std::int32_t> info;
  for (size_t n = 0; n < kBatch; ++n) {
    auto a = positive_matrix(p);
    if (n % 11 == 5) {
      const size_t bad = n % kOrder;
      a[bad * kOrder + bad] = -0.5;
    }
    matrices.insert(matrices.end(), a.begin(), a.end());
    std::vector<long double> l(a.begin(), a.end());
    info.push_back(factorise(l));
    if (info.back() == 0) {
      const auto begin = static_cast<std::ptrdiff_t>(n * kOrder);
      const auto x = solve(l, {rhs.begin() + begin, rhs.begin() + begin + kOrder});
      std::copy(x.begin(), x.end(), solutions.begin() + begin);
      for (size_t i = 0; i < kOrder; ++i) {
        for (size_t j = 0; j <= i; ++j) {
          a[i * kOrder + j] = static_cast<double>(l[i * kOrder + j]);
        }
      }
    }
    factors.insert(factors.end(), a.begin(), a.end());
  }
  p.output(matrices, factors, {.absolute = 1e-14});
  p.output(rhs, solutions, {.absolute = 5e-14});
  p.output(std::vector<std::int32_t>(kBatch, -1), info);
  p.value(static_cast<std::int32_t>(kBatch));
}

constexpr KernelCase kCases[] = {
    {"unseen/flash_attention.cu",
     "flash_attention",
     {3, 2},
     {128},
     40'960,
     flash_attention,
     "weights rounded to binary16: 2^-11 max|v|; 0.6 ulp of the output"},
    {"unseen/gemm_bias_gelu.cu",
     "gemm_bias_gelu",
     {2, 2},
     {128},
     0,
     gemm_bias_gelu,
     "tanh.approx 2^-11 (PTX ISA), 2 n u sum|terms|, 0.6 ulp of the output"},
    {"unseen/csr_adaptive_spmv.cu",
     "csr_adaptive_spmv",
     {7},
     {128},
     0,
     csr_adaptive_spmv,
     kSumRounding},
    {"unseen/batched_cholesky.cu",
     "batched_cholesky",
     {10},
     {128},
     0,
     batched_cholesky,
     "a few dozen roundings, condition below 10"},
};

} // namespace

std::span<const KernelCase> unseen_math_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
