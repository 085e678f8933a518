// SPDX-License-Identifier: Apache-2.0
// k12 histogram, atomics, scans and sorts.
#include "tests/kernels/kernel_case.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::kernels_test {
namespace {

using std::size_t;
using std::uint32_t;
using std::uint64_t;

void hist_shared(Problem& p) {
  const auto x = p.integers<std::uint8_t>(1000);
  std::vector<uint32_t> want(256, 5);
  for (const std::uint8_t v : x) {
    ++want[v];
  }
  p.input(x);
  p.output(std::vector<uint32_t>(256, 5), want);
  p.value(1000);
}

/// What the atomics return: the old value, after which the new one is stored.
template <class T, class New>
T fetch(T& place, New next) {
  const T old = place;
  place = static_cast<T>(next(old));
  return old;
}
template <class T>
T fetch_add(T& place, T v) {
  return fetch(place, [v](T old) { return old + v; });
}
template <class T>
T fetch_min(T& place, T v) {
  return fetch(place, [v](T old) { return std::min(old, v); });
}
template <class T>
T fetch_max(T& place, T v) {
  return fetch(place, [v](T old) { return std::max(old, v); });
}
template <class T>
T fetch_and(T& place, T v) {
  return fetch(place, [v](T old) { return old & v; });
}
template <class T>
T fetch_or(T& place, T v) {
  return fetch(place, [v](T old) { return old | v; });
}
template <class T>
T fetch_xor(T& place, T v) {
  return fetch(place, [v](T old) { return old ^ v; });
}
template <class T>
T exchange(T& place, T v) {
  return fetch(place, [v](T) { return v; });
}
template <class T>
T compare_and_swap(T& place, T compare, T v) {
  return fetch(place, [&](T old) { return old == compare ? v : old; });
}
uint32_t fetch_inc(uint32_t& place, uint32_t limit) {
  return fetch(place, [limit](uint32_t old) { return old >= limit ? 0U : old + 1; });
}
uint32_t fetch_dec(uint32_t& place, uint32_t limit) {
  return fetch(place, [limit](uint32_t old) { return old == 0 || old > limit ? limit : old - 1; });
}

struct AtomicState {
  std::vector<int> a;
  std::vector<uint32_t> u;
  std::vector<float> f;
  std::vector<double> d;
  std::vector<uint64_t> l;
  std::vector<int> out = std::vector<int>(128, 0);
};

void atomics_of_thread(AtomicState& s, int t) {
  auto& [a, u, f, d, l, out] = s;
  const auto ut = static_cast<uint32_t>(t);
  uint32_t r = 0;
  const auto add = [&](auto old) { r += static_cast<uint32_t>(static_cast<std::int64_t>(old)); };
  add(fetch_add(a[0], t));
  add(fetch_min(a[1], t));
  add(fetch_max(a[2], t));
  add(fetch_and(a[3], t));
  add(fetch_or(a[4], t));
  add(fetch_xor(a[5], t));
  add(exchange(a[6], t));
  add(compare_and_swap(a[7], t, 5));
  add(fetch_add(a[8], -t));
  add(fetch_inc(u[0], 17));
  add(fetch_dec(u[1], 9));
  add(fetch_min(u[2], ut));
  add(fetch_max(u[3], ut));
  add(fetch_add(f[0], 1.5F));
  add(exchange(f[1], 2.0F));
  add(fetch_add(d[0], 2.5));
  add(fetch_add(l[0], uint64_t{7}));
  add(compare_and_swap(l[1], uint64_t{3}, uint64_t{5}));
  add(exchange(l[2], uint64_t{9}));
  add(fetch_max(l[3], uint64_t{9}));
  add(fetch_and(l[4], uint64_t{9}));
  add(fetch(l[5], [](uint64_t old) {
    return static_cast<uint64_t>(std::min<std::int64_t>(static_cast<std::int64_t>(old), -3));
  }));
  out[ut] = static_cast<int>(r);
  fetch_add(a[20], t);
  fetch_min(a[21], t);
  fetch_max(a[22], t);
  fetch_and(a[23], t);
  fetch_or(a[24], t);
  fetch_xor(a[25], t);
  fetch_inc(u[26], ut);
  fetch_dec(u[27], ut);
  fetch_add(f[9], 3.0F);
  fetch_add(d[9], 1.0);
  fetch_add(l[9], uint64_t{5});
  fetch_max(l[10], uint64_t{5});
  fetch_or(l[11], uint64_t{5});
  fetch(l[12], [t](uint64_t old) {
    return static_cast<uint64_t>(std::min<std::int64_t>(static_cast<std::int64_t>(old), t));
  });
  fetch_add(a[30], t);
  fetch_add(a[31], t);
  out[ut + 64] = fetch_add(a[32], t) + fetch_add(a[33], t);
}

AtomicState initial_atomics(Problem& p) {
  AtomicState s;
  s.a = p.integers<int>(40, 1000, -500);
  s.u = p.integers<uint32_t>(40, 30);
  s.f = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  s.d = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  s.l = p.integers<uint64_t>(13, 20);
  return s;
}

/// One thread: every result is determined.
void atomics_one(Problem& p) {
  const AtomicState start = initial_atomics(p);
  AtomicState end = start;
  atomics_of_thread(end, 0);
  p.output(start.a, end.a);
  p.output(start.u, end.u);
  p.output(start.f, end.f);
  p.output(start.d, end.d);
  p.output(start.l, end.l);
  p.output(start.out, end.out);
}

/// 64 threads: places whose final value does not depend on the order; a[6], a[7], u[26] and u[27]
/// do, so they may hold what any order gives, and the old values are not looked at.
void atomics_many(Problem& p) {
  const AtomicState start = initial_atomics(p);
  AtomicState end = start;
  for (int t = 0; t < 64; ++t) {
    atomics_of_thread(end, t);
  }
  p.judged<int>(start.a, [want = end.a](const std::vector<int>& got) {
    std::string wrong;
    for (size_t i = 0; i < got.size(); ++i) {
      if (i != 6 && i != 7 && got[i] != want[i]) {
        wrong += fmt::format(" a[{}] is {}, not {}", i, got[i], want[i]);
      }
    }
    return wrong;
  });
  p.judged<uint32_t>(start.u, [want = end.u](const std::vector<uint32_t>& got) {
    std::string wrong;
    for (size_t i = 0; i < got.size(); ++i) {
      if (i != 26 && i != 27 ? got[i] != want[i] : got[i] > 63) {
        wrong += fmt::format(" u[{}] is {}, not {}", i, got[i], want[i]);
      }
    }
    return wrong;
  });
  p.output(start.f, end.f);
  p.output(start.d, end.d);
  p.output(start.l, end.l);
  p.judged<int>(start.out, [](const std::vector<int>&) { return std::string(); });
}

/// One thread of the shared-memory variant; the words that other threads would have set are zero in
/// this model.
void atomics_shared(Problem& p) {
  std::vector<int> a(16, 0);
  std::vector<uint32_t> u(4, 0);
  std::vector<float> f(4, 0);
  std::vector<double> d(2, 0);
  std::vector<uint64_t> l(8, 0);
  uint32_t r = 0;
  const auto add = [&](auto old) { r += static_cast<uint32_t>(static_cast<std::int64_t>(old)); };
  add(fetch_add(a[0], 0));
  add(fetch_min(a[1], 0));
  add(fetch_max(a[2], 0));
  add(fetch_and(a[3], 0));
  add(fetch_or(a[4], 0));
  add(fetch_xor(a[5], 0));
  add(exchange(a[6], 0));
  add(compare_and_swap(a[7], 0, 5));
  add(fetch_inc(u[0], 17));
  add(fetch_dec(u[1], 9));
  add(fetch_min(u[2], 0U));
  add(fetch_add(f[0], 2.5F));
  add(exchange(f[1], 2.5F));
  add(fetch_add(d[0], 4.5));
  add(fetch_add(l[0], uint64_t{7}));
  const uint32_t result = r + static_cast<uint32_t>(a[0]) + 2 + 4 + 7;
  p.output(std::vector<int>{-1}, std::vector<uint32_t>{result});
  p.value(2.5F);
  p.value(4.5);
}

/// One thread: h[9] takes the old h[1], so no other thread may add to it before.
void atomics_half(Problem& p) {
  std::vector<Half> h(32);
  for (size_t i = 0; i < h.size(); ++i) {
    h[i] = half(static_cast<double>(i));
  }
  std::vector<double> want;
  for (const Half v : h) {
    want.push_back(number(v));
  }
  want[18] = want[2]; // h[9] of half2 = the old h[1]
  want[19] = want[3];
  want[0] += 1.0;
  want[1] += 2.0;
  want[2] += 4.0; // h[1] += h[2]
  want[3] += 5.0;
  p.output(h, want);
  std::vector<Half> g(8, half(0.5));
  std::vector<double> g_want(8, 0.5);
  g_want[7] = 3.5;
  p.output(g, g_want);
}

void scan_block(Problem& p) {
  const auto in = p.integers<int>(600, 2000, -1000);
  std::vector<int> want(600);
  std::vector<int> sums(3, 0);
  for (size_t i = 0; i < in.size(); ++i) {
    want[i] = sums[i / 256];
    sums[i / 256] += in[i];
  }
  p.input(in);
  p.output(std::vector<int>(600, -1), want);
  p.output(std::vector<int>(3, -1), sums);
  p.value(600);
}

void scan_blelloch(Problem& p) {
  const auto g = p.floats(128);
  std::vector<double> want(128, 0.0);
  for (size_t i = 1; i < 128; ++i) {
    want[i] = want[i - 1] + g[i - 1];
  }
  p.output(g, want, {.absolute = 128 * 6e-8 * 4});
  p.value(128);
}

void bitonic(Problem& p) {
  const auto d = p.integers<uint32_t>(512);
  auto want = d;
  std::sort(want.begin(), want.end());
  p.output(d, want);
  p.value(512);
}

/// One step of the network over all pairs.
void bitonic_global(Problem& p) {
  constexpr size_t kDistance = 4;
  constexpr size_t kRun = 8;
  const auto k = p.floats(128);
  std::vector<int> v;
  for (int i = 0; i < 128; ++i) {
    v.push_back(i);
  }
  auto k_want = k;
  auto v_want = v;
  for (size_t i = 0; i < 128; ++i) {
    const size_t x = i ^ kDistance;
    if (x > i && ((i & kRun) == 0 ? k_want[i] > k_want[x] : k_want[i] < k_want[x])) {
      std::swap(k_want[i], k_want[x]);
      std::swap(v_want[i], v_want[x]);
    }
  }
  p.output(k, k_want);
  p.output(v, v_want);
  p.value(static_cast<int>(kDistance));
  p.value(static_cast<int>(kRun));
}

void radix_rank(Problem& p) {
  constexpr size_t kCount = 120;
  const auto in = p.integers<uint32_t>(128);
  const auto digit = [&](size_t i) { return i < kCount ? (in[i] >> 12) & 15U : 15U; };
  std::vector<uint32_t> want;
  for (size_t i = 0; i < 128; ++i) {
    uint32_t below = 0;
    uint32_t all = 0;
    uint32_t first = 0;
    for (size_t lane = 0; lane < 32; ++lane) {
      if (digit(i / 32 * 32 + lane) == digit(i)) {
        ++all;
        below += lane < i % 32 ? 1 : 0;
        first = first == 0 ? static_cast<uint32_t>(lane) + 1 : first;
      }
    }
    want.push_back(below | all << 8 | first << 16);
  }
  p.input(in);
  p.output(std::vector<uint32_t>(128, 0), want);
  p.value(12);
  p.value(static_cast<int>(kCount));
}

constexpr const char* kFile = "k12_hist_scan_sort.cu";

constexpr KernelCase kCases[] = {
    {kFile, "hist_shared", {2}, {128}, 0, hist_shared},
    {kFile, "atomics_all", {1}, {1}, 0, atomics_one},
    {kFile, "atomics_all", {1}, {64}, 0, atomics_many},
    {kFile, "atomics_shared", {1}, {1}, 0, atomics_shared},
    {kFile, "atomics_half", {1}, {1}, 0, atomics_half},
    {kFile, "scan_block", {3}, {256}, 0, scan_block},
    {kFile, "scan_blelloch", {1}, {64}, 512, scan_blelloch, kSumRounding},
    {kFile, "bitonic", {1}, {256}, 0, bitonic},
    {kFile, "bitonic_global", {2}, {64}, 0, bitonic_global},
    {kFile, "radix_rank", {2}, {64}, 0, radix_rank},
};

} // namespace

std::span<const KernelCase> data_cases() {
  return kCases;
}

} // namespace coulomb::kernels_test
