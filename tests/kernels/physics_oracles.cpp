// SPDX-License-Identifier: Apache-2.0
// k13 n-body, sparse matrices, graphs, fractals. The file is compiled without contraction, so
// floats that steer control flow are computed here in the source's precision and order.
#include "tests/kernels/kernel_case.hpp"

namespace coulomb::kernels_test {
namespace {

using std::size_t;

void nbody(Problem& p) {
  const auto pos = p.floats(size_t{4} * 256);
  std::vector<double> want(pos.size(), 0.0);
  for (size_t i = 0; i < 256; ++i) {
    for (size_t j = 0; j < 256; ++j) {
      double d[3];
      double d2 = 0.01F;
      for (size_t c = 0; c < 3; ++c) {
        d[c] = static_cast<double>(pos[4 * j + c]) - pos[4 * i + c];
        d2 += d[c] * d[c];
      }
      for (size_t c = 0; c < 3; ++c) {
        want[4 * i + c] += d[c] * pos[4 * j + 3] / (d2 * std::sqrt(d2));
      }
    }
  }
  p.input(pos);
  p.output(std::vector<float>(pos.size(), 1.0F), want, {.absolute = 2e-3, .relative = 1e-5});
  p.value(256);
  p.value(0.01F);
}

void nbody_f64(Problem& p) {
  const auto pos = p.doubles(size_t{4} * 128);
  std::vector<double> want(128, 0.0);
  double largest = 0.0;
  for (size_t i = 0; i < 128; ++i) {
    for (size_t j = 0; j < 128; ++j) {
      double d2 = 1e-9;
      for (size_t c = 0; c < 3; ++c) {
        d2 += (pos[4 * j + c] - pos[4 * i + c]) * (pos[4 * j + c] - pos[4 * i + c]);
      }
      const double term = pos[4 * j + 3] * (pos[4 * j] - pos[4 * i]) / (d2 * std::sqrt(d2));
      largest = std::max(largest, std::abs(term));
      want[i] += term;
    }
  }
  p.input(pos);
  p.output(std::vector<double>(128, 0.0), want, {.absolute = 128 * largest * 4e-15});
  p.value(128);
}

struct Sparse {
  std::vector<int> first{0};
  std::vector<int> column;
};

/// Rows of random lengths below `longest`, some of them empty.
Sparse sparse(Problem& p, int rows, std::uint64_t longest) {
  Sparse s;
  for (int r = 0; r < rows; ++r) {
    const std::uint64_t length = r % 5 == 3 ? 0 : p.random().below(longest);
    for (std::uint64_t i = 0; i < length; ++i) {
      s.column.push_back(static_cast<int>(p.random().below(static_cast<std::uint64_t>(rows))));
    }
    s.first.push_back(static_cast<int>(s.column.size()));
  }
  return s;
}

template <class T>
void spmv(Problem& p, int rows, std::uint64_t longest, Bound bound) {
  const Sparse s = sparse(p, rows, longest);
  const auto draw = [&](size_t n) {
    const auto values = p.doubles(n);
    return std::vector<T>(values.begin(), values.end());
  };
  const auto v = draw(s.column.size());
  const auto x = draw(static_cast<size_t>(rows));
  std::vector<double> want(static_cast<size_t>(rows), 0.0);
  for (size_t r = 0; r < want.size(); ++r) {
    for (auto k = static_cast<size_t>(s.first[r]); k < static_cast<size_t>(s.first[r + 1]); ++k) {
      want[r] += static_cast<double>(v[k]) * x[static_cast<size_t>(s.column[k])];
    }
  }
  p.value(rows);
  p.input(s.first);
  p.input(s.column);
  p.input(v);
  p.input(x);
  p.output(std::vector<T>(want.size(), T(9)), want, bound);
}
void spmv_csr(Problem& p) {
  spmv<float>(p, 100, 12, {.absolute = 1e-5});
}
void spmv_warp(Problem& p) {
  spmv<double>(p, 7, 90, {.absolute = 1e-13});
}

/// A ring with chords and no two frontier vertices that share a neighbour of changing level.
void bfs(Problem& p) {
  constexpr int kVertices = 90;
  std::vector<int> first{0};
  std::vector<int> column;
  for (int v = 0; v < kVertices; ++v) {
    column.push_back((v + 1) % kVertices);
    if (v % 7 == 0) {
      column.push_back(v); // stops the walk over this vertex's edges
    }
    column.push_back((v + 30) % kVertices);
    first.push_back(static_cast<int>(column.size()));
  }
  std::vector<int> level(kVertices);
  for (int v = 0; v < kVertices; ++v) {
    level[static_cast<size_t>(v)] = v % 10 == 4 || v % 21 == 0 ? 3 : v == 35 ? 2000 : -1 - v % 12;
  }
  std::vector<std::uint8_t> skip(kVertices, 0);
  skip[5] = 1;
  auto want = level;
  int changed = 0;
  for (size_t v = 0; v < level.size(); ++v) {
    if (level[v] != 3) {
      continue;
    }
    for (auto e = static_cast<size_t>(first[v]); e < static_cast<size_t>(first[v + 1]); ++e) {
      const auto u = static_cast<size_t>(column[e]);
      if (skip[u] != 0) {
        continue;
      }
      if (u == v || level[u] > 1007) {
        break;
      }
      if (level[u] <= -1 && level[u] >= -8) {
        want[u] = 4;
        changed = 1;
      }
    }
  }
  p.input(first);
  p.input(column);
  p.output(level, want);
  p.value(3);
  p.value(kVertices);
  p.output(std::vector<int>{0}, std::vector<int>{changed});
  p.input(skip);
}

void point_in_polygon(Problem& p) {
  constexpr size_t kPoints = 150;
  constexpr size_t kCorners = 9;
  const auto pts = p.floats(2 * kPoints);
  const auto poly = p.floats(2 * kCorners);
  std::vector<int> want;
  for (size_t i = 0; i < kPoints; ++i) {
    const float px = pts[2 * i];
    const float py = pts[2 * i + 1];
    int inside = 0;
    for (size_t a = 0, b = kCorners - 1; a < kCorners; b = a++) {
      const float ux = poly[2 * a];
      const float uy = poly[2 * a + 1];
      const float vx = poly[2 * b];
      const float vy = poly[2 * b + 1];
      if ((uy > py) != (vy > py) && px < (vx - ux) * (py - uy) / (vy - uy) + ux) {
        inside = 1 - inside;
      }
    }
    want.push_back(inside);
  }
  p.input(pts);
  p.output(std::vector<int>(kPoints, -1), want);
  p.input(poly);
  p.value(static_cast<int>(kCorners));
  p.value(static_cast<int>(kPoints));
}

template <class T>
int escape_time(T cx, T cy, int limit, bool test_first) {
  T x = 0;
  T y = 0;
  int k = 0;
  if (test_first && !(k < limit)) {
    return 0;
  }
  do {
    const T t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++k;
  } while (k < limit && x * x + y * y < T(4));
  return k;
}

template <class T>
void fractal(Problem& p, int height, bool test_first) {
  constexpr int kWidth = 64;
  constexpr int kLimit = 60;
  std::vector<int> want;
  for (int j = 0; j < height; ++j) {
    for (int i = 0; i < kWidth; ++i) {
      want.push_back(escape_time<T>(T(-2) + static_cast<T>(i) * T(0.04),
                                    T(-1.1) + static_cast<T>(j) * T(0.04), kLimit, test_first));
    }
  }
  p.output(std::vector<int>(want.size(), -1), want);
  p.value(kWidth);
  if (test_first) {
    p.value(height);
  }
  p.value(T(-2));
  p.value(T(-1.1));
  p.value(T(0.04));
  p.value(kLimit);
}
void mandelbrot(Problem& p) {
  fractal<float>(p, 30, true);
}
void mandelbrot_f64(Problem& p) {
  fractal<double>(p, 4, false);
}

void collatz(Problem& p) {
  std::vector<std::uint64_t> want;
  for (std::uint64_t start = 1; start <= 128; ++start) {
    std::uint64_t steps = 0;
    for (std::uint64_t v = start; v != 1; v = v % 2 == 1 ? 3 * v + 1 : v / 2) {
      ++steps;
    }
    want.push_back(steps);
  }
  p.output(std::vector<std::uint64_t>(128, 0), want);
  p.value(0U);
}

void montecarlo(Problem& p) {
  std::vector<float> want;
  for (std::uint32_t i = 0; i < 96; ++i) {
    std::uint32_t s = 12345U ^ i * 747796405U;
    int hits = 0;
    for (int k = 0; k < 50; ++k) {
      s ^= s << 13;
      s ^= s >> 17;
      s ^= s << 5;
      const float x = static_cast<float>(s) * 2.3283064e-10F;
      s = s * 1664525U + 1013904223U;
      const float y = static_cast<float>(s >> 8) * (1.0F / 16777216.0F);
      hits += x * x + y * y <= 1.0F ? 1 : 0;
    }
    want.push_back(4.0F * static_cast<float>(hits) / 50.0F);
  }
  p.output(std::vector<float>(96, 0.0F), want);
  p.value(50);
  p.value(12345U);
}

constexpr const char* kFile = "k13_nbody_spmv.cu";

constexpr KernelCase kCases[] = {
    {kFile, "nbody", {2}, {128}, 0, nbody, "rsqrtf 2 ulp, a sum of 256 terms below 1000"},
    {kFile, "nbody_f64", {1}, {128}, 0, nbody_f64, "rsqrt 1 ulp and n u sum|terms|"},
    {kFile, "spmv_csr", {2}, {64}, 0, spmv_csr, kSumRounding},
    {kFile, "spmv_warp", {2}, {128}, 0, spmv_warp, kSumRounding},
    {kFile, "bfs", {2}, {64}, 0, bfs},
    {kFile, "point_in_polygon", {1}, {64}, 0, point_in_polygon},
    {kFile, "mandelbrot", {4, 8}, {16, 4}, 0, mandelbrot},
    {kFile, "mandelbrot_f64", {1, 4}, {64}, 0, mandelbrot_f64},
    {kFile, "collatz", {1}, {128}, 0, collatz},
    {kFile, "montecarlo", {3}, {32}, 0, montecarlo, "exact: compiled without contraction"},
};

} // namespace

std::span<const KernelCase> physics_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
