// SPDX-License-Identifier: Apache-2.0
// k17 votes, barriers, locks, memory order, special registers, divergence.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using u32 = std::uint32_t;

/// Mask of the lanes of thread t's warp for which `test` holds.
template <class T, class Test>
u32 lanes(const std::vector<T>& x, size_t t, Test test) {
  u32 mask = 0;
  for (size_t lane = 0; lane < 32; ++lane) {
    mask |= (test(x[t / 32 * 32 + lane]) ? 1U : 0U) << lane;
  }
  return mask;
}

/// The second warp holds one value only.
void votes(Problem& p) {
  auto x = p.integers<int>(64, 12, -3);
  std::fill(x.begin() + 32, x.end(), 9);
  std::vector<u32> want;
  for (size_t t = 0; t < 64; ++t) {
    const int v = x[t];
    const u32 same = lanes(x, t, [v](int w) { return w == v; });
    const u32 all = same == ~0U ? ~0U : 0U;
    const u32 predicate = same == ~0U ? 1 : 0;
    u32 r = ~0U;
    r += lanes(x, t, [](int w) { return w > 3; }) != 0 ? 7 : 0;
    r ^= lanes(x, t, [](int w) { return w > -3; }) == ~0U ? 11 : 0;
    r += lanes(x, t, [](int w) { return (w & 1) != 0; });
    r ^= lanes(x, t, [](int w) { return w > 8; });
    r += same;
    r ^= all;
    r += predicate;
    r += same;
    r ^= all;
    r += predicate;
    want.push_back(r);
  }
  p.input(x);
  p.output(std::vector<u32>(64, 0), want);
  p.value(~0U);
}

void vote_branches(Problem& p) {
  const auto x = p.integers<int>(64, 12);
  std::vector<u32> want;
  for (size_t t = 0; t < 64; ++t) {
    const u32 odd = lanes(x, t, [](int w) { return (w & 1) != 0; });
    const u32 three = lanes(x, t, [](int w) { return (w & 3) == 3; });
    const u32 even_above_five = lanes(x, t, [](int w) { return (w & 1) == 0 && w > 5; });
    want.push_back((x[t] & 1) == 0   ? 100 - even_above_five
                   : (x[t] & 2) == 0 ? odd ^ 5U
                                     : odd + static_cast<u32>(std::popcount(three)));
  }
  p.input(x);
  p.output(std::vector<u32>(64, 0), want);
}

void syncs(Problem& p) {
  const auto x = p.integers<int>(96, 9, 1);
  const auto above = std::count_if(x.begin(), x.end(), [](int v) { return v > 3; });
  const bool any = std::any_of(x.begin(), x.end(), [](int v) { return (v & 4) != 0; });
  p.output(x, std::vector<int>(96, static_cast<int>(above) + 2 + (any ? 1 : 0)));
}

void named_bars(Problem& p) {
  constexpr size_t kSteps = 4;
  const auto g = p.floats(999 + 256);
  auto want = g;
  for (size_t t = 0; t < 128; ++t) {
    float s = 0.0F;
    for (size_t i = 0; i < kSteps; ++i) {
      s += g[i * 128 + t];
    }
    want[128 + t] = s;
  }
  std::fill(want.begin() + 999, want.end(), 65.0F); // 1 of the AND, 64 of the population count
  p.output(g, want);
  p.value(static_cast<int>(kSteps));
}

void spinlock(Problem& p) {
  p.output(std::vector<int>{0}, std::vector<int>{0});
  p.output(std::vector<int>{5}, std::vector<int>{5 + 2 * 63 * 64 / 2});
  p.value(2);
}

void fences(Problem& p) {
  const auto a = p.integers<int>(8);
  auto a_want = a;
  a_want[0] = 1;
  a_want[1] = 2;
  a_want[2] = 3;
  p.output(a, a_want);
  const auto b = p.integers<int>(128);
  p.judged<int>(b, [b, stored = a[4]](const std::vector<int>& got) {
    std::string wrong;
    for (size_t i = 0; i < got.size(); ++i) {
      const bool discarded = i >= 64 && i < 96; // any contents
      const int want = i == 3 ? stored : i == 1 ? b[2] : b[i];
      if (!discarded && got[i] != want) {
        wrong += fmt::format(" b[{}] is {}, not {}", i, got[i], want);
      }
    }
    return wrong;
  });
  p.value(20U);
}

void cachehints(Problem& p) {
  const auto a = p.integers<int>(256, 100000);
  std::vector<int> want(288);
  for (size_t t = 0; t < 32; ++t) {
    int sum = 0;
    for (size_t i = 0; i < 6; ++i) {
      sum += a[t + 32 * i];
    }
    for (size_t i = 0; i < 4; ++i) {
      want[t + 32 * i] = sum;
      want[t + 128 + 32 * i] = a[t + 1 + i];
    }
    want[t + 256] = a[t + 4];
  }
  const auto q = p.integers<int>(128);
  p.input(a);
  p.output(std::vector<int>(288, 0), want);
  p.input(q);
  p.output(std::vector<int>(128, 0), q);
}

/// Two threads. Clocks and sizes that the model's owner chooses are not compared.
void sregs(Problem& p) {
  p.judged<std::uint64_t>(
      std::vector<std::uint64_t>(304, 0), [](const std::vector<std::uint64_t>& got) {
        std::string wrong;
        for (u32 t = 0; t < 2; ++t) {
          const u32 bit = 1U << t;
          const u32 want[] = {t, 0, 0, 0, 0, 0, 2, 1, 1, 1, 1, 1, t, 0};
          const u32 masks[] = {bit, bit - 1, 2 * bit - 1, ~(2 * bit - 1), ~(bit - 1)};
          const auto check = [&](size_t k, u32 value) {
            if (got[t * 64 + k] != value) {
              wrong +=
                  fmt::format(" thread {} register {} is {}, not {}", t, k, got[t * 64 + k], value);
            }
          };
          for (size_t k = 0; k < std::size(want); ++k) {
            check(k, want[k]);
          }
          check(16, 84); // %nsmid: the SMs that the test gives the launch
          for (size_t k = 0; k < std::size(masks); ++k) {
            check(17 + k, masks[k]);
          }
          check(25, 0);
        }
        return wrong;
      });
}

/// One thread; g is the target of the pointer.
void generic_global(Problem& p) {
  std::vector<int> g(100, 0);
  g[0] = 11;
  g[1] = 30;
  g[2] = 0x50001;
  auto want = g;
  want[0] = 0 + 11 + 1; // s[0] + l[0] + isGlobal
  want[1] = 4;          // exchanged
  want[2] = 0x50007;    // low half stored
  want[99] = 12 + 34;   // old values of the CAS and the exchange
  p.output(g, want);
  p.value(0);
  p.value(0);
}
/// One thread; shared memory is the target; what it did not store is zero in this model.
void generic_shared(Problem& p) {
  std::vector<int> g(100, 0);
  g[0] = 11;
  auto want = g;
  want[0] = 4 + 11 + 1;
  want[99] = 4 + 4;
  p.output(g, want);
  p.value(1);
  p.value(0);
}

void trap_assert(Problem& p) {
  p.output(p.integers<int>(64, 5), std::vector<int>(64, 9));
  p.value(9);
}

void grid_sync_like(Problem& p) {
  p.output(std::vector<u32>{0}, std::vector<u32>{1});
  const auto d = p.integers<int>(32, 1000);
  std::vector<int> want;
  for (const int v : d) {
    want.push_back(v + 1 + d[0] + 1);
  }
  p.output(d, want);
  p.value(1U);
}

/// The order of the warps is free, the set of values not.
void warp_agg(Problem& p) {
  constexpr size_t kCount = 120;
  const auto x = p.integers<int>(128, 2000, -1000);
  std::vector<int> positive;
  std::copy_if(x.begin(), x.begin() + kCount, std::back_inserter(positive),
               [](int v) { return v > 0; });
  std::sort(positive.begin(), positive.end());
  p.output(std::vector<int>{0}, std::vector<size_t>{positive.size()});
  p.input(x);
  p.judged<int>(std::vector<int>(128, -7), [positive](std::vector<int> got) {
    const auto stored = got.begin() + static_cast<std::ptrdiff_t>(positive.size());
    std::sort(got.begin(), stored);
    const bool same = std::equal(positive.begin(), positive.end(), got.begin());
    const bool rest = std::all_of(stored, got.end(), [](int v) { return v == -7; });
    return std::string(same ? "" : "other values than the positive ones") +
           (rest ? "" : " stored beyond the count");
  });
  p.value(static_cast<int>(kCount));
}

int collatz_steps(int k, int s) {
  do {
    k = (k & 1) != 0 ? 3 * k + 1 : k / 2;
    ++s;
  } while (k > 1 && s < 50000);
  return s;
}

/// Nothing if the thread returns before it stores.
std::optional<int> nested_of_thread(const std::vector<int>& x, int t, int n, int m) {
  int s = 0;
  for (int i = 0; i < n; ++i) {
    const int v = x[static_cast<size_t>(i * 32 + t)];
    for (int j = 0; j < v; ++j) {
      if (j == m) {
        return s;
      }
      if (((j ^ t) & 1) == 0) {
        s = collatz_steps(v, s);
      } else if ((s += j) > 1000) {
        break;
      }
    }
    if (v >= 0 && (s & 256) != 0) {
      return std::nullopt;
    }
  }
  return s;
}

void nested(Problem& p) {
  constexpr int kN = 6;
  constexpr int kM = 14;
  const auto x = p.integers<int>(32 * kN, 18, -2);
  std::vector<int> want;
  for (int t = 0; t < 32; ++t) {
    want.push_back(nested_of_thread(x, t, kN, kM).value_or(-77));
  }
  p.input(x);
  p.output(std::vector<int>(32, -77), want);
  p.value(kN);
  p.value(kM);
}

constexpr const char* kFile = "k17_sync_vote.cu";

constexpr KernelCase kCases[] = {
    {kFile, "votes", {1}, {64}, 0, votes},
    {kFile, "vote_branches", {1}, {64}, 0, vote_branches},
    {kFile, "syncs", {1}, {96}, 0, syncs},
    {kFile, "named_bars", {1}, {256}, 0, named_bars},
    {kFile, "spinlock", {1}, {64}, 0, spinlock},
    {kFile, "fences", {1}, {1}, 0, fences},
    {kFile, "cachehints", {1}, {32}, 0, cachehints},
    {kFile, "sregs", {1}, {2}, 0, sregs},
    {kFile, "generic_ptr", {1}, {1}, 0, generic_global},
    {kFile, "generic_ptr", {1}, {1}, 0, generic_shared},
    {kFile, "trap_assert", {1}, {64}, 0, trap_assert},
    {kFile, "grid_sync_like", {1}, {32}, 0, grid_sync_like},
    {kFile, "warp_agg", {2}, {64}, 0, warp_agg},
    {kFile, "nested", {1}, {32}, 0, nested},
};

} // namespace

std::span<const KernelCase> warp_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
