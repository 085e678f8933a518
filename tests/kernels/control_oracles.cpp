// SPDX-License-Identifier: Apache-2.0
// k16 local memory, switches, calls through registers, recursion. Compiled without contraction.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using u32 = std::uint32_t;

void local_dyn(Problem& p) {
  constexpr size_t kSteps = 20;
  const auto x = p.integers<int>(64);
  std::vector<u32> want;
  for (size_t t = 0; t < 32; ++t) {
    std::vector<int> a(x.begin() + static_cast<std::ptrdiff_t>(t),
                       x.begin() + static_cast<std::ptrdiff_t>(t) + 32);
    for (size_t i = 0; i < kSteps; ++i) {
      std::swap(a[static_cast<size_t>(x[i] & 31)], a[static_cast<size_t>(x[i + 1] & 31)]);
    }
    u32 s = 0;
    for (size_t i = 0; i < kSteps; ++i) {
      s = s * 3 + static_cast<u32>(a[i & 31U]);
    }
    want.push_back(s);
  }
  p.input(x);
  p.output(std::vector<int>(32, 0), want);
  p.value(static_cast<int>(kSteps));
}

/// x[i] = i for the first 64, so that every element of the local arrays that is read was stored.
void local_types(Problem& p) {
  constexpr int kN = 64;
  auto x = p.integers<std::int8_t>(128);
  for (size_t i = 0; i < 64; ++i) {
    x[i] = static_cast<std::int8_t>(i);
  }
  std::vector<std::int8_t> want;
  for (size_t t = 0; t < 32; ++t) {
    std::int8_t c[64];
    std::int16_t s[32];
    double d[16];
    double f[8];
    for (size_t i = 0; i < 64; ++i) {
      c[i] = x[i + t];
    }
    for (size_t i = 0; i < kN; ++i) {
      s[i % 32] = static_cast<std::int16_t>(i);
      d[i % 16] = static_cast<double>(i) * 0.5;
      f[i % 8] = static_cast<double>(i);
      c[i % 64] = static_cast<std::int8_t>(c[i % 64] ^ static_cast<std::int8_t>(i));
    }
    const double sum = f[kN % 8] + 1.0 + 2.0 * 3.0;
    want.push_back(static_cast<std::int8_t>(
        c[kN % 64] + s[kN % 32] + static_cast<int>(d[kN % 16]) + static_cast<int>(sum) +
        static_cast<std::uint8_t>(c[(kN + 1) % 64]) + s[(kN + 2) % 32]));
  }
  p.input(x);
  p.output(std::vector<std::int8_t>(32, 0), want);
  p.value(kN);
}

void insertion_sort(Problem& p) {
  constexpr size_t kLength = 13;
  const auto g = p.floats(16 * 64);
  auto want = g;
  for (auto run = want.begin(); run != want.end(); run += 16) {
    std::sort(run, run + kLength);
  }
  p.output(g, want);
  p.value(static_cast<int>(kLength));
}

/// The program stays away from __sinf (8), whose last bits the oracle does not have, and from the
/// store (13) over other threads' start values.
void switch_vm(Problem& p) {
  const std::vector<int> program{0, 15, 2, 1, 5, 6, 3, 4, 0,  12, 15, 11, 10, 9,  6, 14,
                                 2, 5,  7, 0, 4, 3, 6, 1, 12, 10, 15, 2,  11, 14, 9, 14};
  const auto start = p.floats(128, 0.5, 3.0);
  auto want = start;
  for (size_t t = 0; t < 64; ++t) {
    float a = start[t];
    float b = 1.0F;
    int acc = 0;
    for (size_t pc = 0; pc < program.size(); ++pc) {
      const int op = program[pc];
      const float old_a = a;
      a = op == 0    ? a + b
          : op == 1  ? a - b
          : op == 2  ? a * b
          : op == 4  ? std::sqrt(std::abs(a))
          : op == 5  ? b
          : op == 7  ? static_cast<float>(acc)
          : op == 9  ? std::fmin(a, b)
          : op == 10 ? -a
                     : a;
      b = op == 3 ? old_a / b : op == 5 ? old_a : op > 13 ? b + 0.5F : b;
      acc = op == 6 ? acc + static_cast<int>(a) : op == 11 ? acc ^ static_cast<int>(pc) : acc;
      pc += op == 12 ? static_cast<size_t>(acc & 1) : 0;
    }
    want[t] = a + b + static_cast<float>(acc);
  }
  p.input(program);
  p.output(start, want);
  p.value(static_cast<int>(program.size()));
}

/// o[7], which the lanes of case 7 read, holds its own result already.
void switch_int(Problem& p) {
  std::vector<int> x;
  const int values[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 99, 100, 101, 1000, -1, -1000, 1 << 30};
  for (size_t t = 0; t < 32; ++t) {
    x.push_back(values[t % 16]);
  }
  std::vector<int> want;
  for (const int v : x) {
    want.push_back(v == 0      ? 0
                   : v == 1    ? 1 ^ 5
                   : v == 2    ? 8
                   : v == 3    ? ~3
                   : v == 4    ? 1
                   : v == 5    ? std::popcount(5U)
                   : v == 6    ? 6
                   : v == 7    ? 42
                   : v == 100  ? 5
                   : v == 1000 ? 6
                               : -1);
  }
  p.input(x);
  p.output(std::vector<int>(32, 42), want);
}

float fa(float x, int n) {
  float s = x;
  for (int i = 0; i < n; ++i) {
    s = s * x + 1.0F;
  }
  return s;
}
float fb(float x, int n) {
  return n > 3 ? x * static_cast<float>(n) : fa(x, n) - 1.0F;
}

void calls(Problem& p) {
  constexpr int kN = 2;
  const auto x = p.floats(64);
  std::vector<double> want;
  for (int t = 0; t < 64; ++t) {
    const float in = x[static_cast<size_t>(t)];
    const float v = fa(in, kN) + fb(in, kN + t);
    want.push_back(t % 2 == 1 ? std::exp(static_cast<double>(v)) + kN : v);
  }
  p.output_each<float, double>(x, want, [want](size_t t) {
    return t % 2 == 1 ? Bound{.relative = 6e-8 * (4 + 1.2 * std::abs(std::log(want[t])))} : Bound{};
  });
  p.value(kN);
}

void indirect(Problem& p) {
  constexpr int kN = 5;
  const auto x = p.floats(64);
  std::vector<int> select;
  std::vector<double> want;
  for (int t = 0; t < 64; ++t) {
    select.push_back(t * 7 % 11);
    const float v = x[static_cast<size_t>(t)];
    const int f = select.back() % 3;
    want.push_back(f == 0 ? fa(v, kN) : f == 1 ? fb(v, kN) : std::exp(static_cast<double>(v)) + kN);
  }
  p.output_each<float, double>(
      x, want, [select](size_t t) { return select[t] % 3 == 2 ? Bound{.ulps = 2.0} : Bound{}; });
  p.input(select);
  p.value(kN);
}

void recurse(Problem& p) {
  const auto x = p.integers<int>(64);
  std::vector<int> want;
  for (const int v : x) {
    int factorial = 1;
    for (int i = 2; i <= (v & 7); ++i) {
      factorial *= i;
    }
    int fibonacci = 0;
    for (int i = 0, next = 1; i < (v & 15); ++i) {
      fibonacci = std::exchange(next, fibonacci + next);
    }
    want.push_back(factorial + fibonacci);
  }
  p.output(x, want);
}

void virt(Problem& p) {
  const auto x = p.floats(64);
  std::vector<float> want;
  for (size_t t = 0; t < 64; ++t) {
    want.push_back((3 + t) % 2 == 1 ? x[t] * 2.0F : x[t] + 3.0F);
  }
  p.output(x, want);
  p.value(3);
}

/// g[0] to g[63] are read by all threads and stored to at the end, so one warp: it reads first.
void bigframe(Problem& p) {
  constexpr size_t kN = 32;
  const auto g = p.doubles(64 * kN);
  auto want = g;
  for (size_t t = 0; t < 32; ++t) {
    double a[64];
    double b[64];
    for (size_t i = 0; i < 64; ++i) {
      a[i] = g[i * kN + t];
      b[i] = a[i] * g[i];
    }
    for (size_t k = 0; k < kN; ++k) {
      for (size_t i = 0; i < 64; ++i) {
        a[i] = a[i] * b[63 - i] + a[(i + 7) % 64];
      }
    }
    want[t] = 0.0;
    for (size_t i = 0; i < 64; ++i) {
      want[t] += a[i] * b[i];
    }
  }
  p.output(g, want);
  p.value(static_cast<int>(kN));
}

constexpr const char* kFile = "k16_local_switch.cu";

constexpr KernelCase kCases[] = {
    {kFile, "local_dyn", {1}, {32}, 0, local_dyn},
    {kFile, "local_types", {1}, {32}, 0, local_types},
    {kFile, "insertion_sort", {2}, {32}, 0, insertion_sort},
    {kFile, "switch_vm", {1}, {64}, 0, switch_vm, "exact: compiled without contraction"},
    {kFile, "switch_int", {1}, {32}, 0, switch_int},
    {kFile, "calls", {1}, {64}, 0, calls, "exact, and 2 + floor(|1.173 x|) ulp of __expf"},
    {kFile,
     "indirect",
     {1},
     {64},
     0,
     indirect,
     "exact, and 3 ulp of __expf(|x| < 1), then a sum of 5"},
    {kFile, "recurse", {1}, {64}, 0, recurse},
    {kFile, "virt", {1}, {64}, 0, virt},
    {kFile, "bigframe", {1}, {32}, 0, bigframe, "exact: compiled without contraction"},
};

} // namespace

std::span<const KernelCase> control_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
