// SPDX-License-Identifier: Apache-2.0
#include "kernel_harness.hpp"

#include "base/error.hpp"
#include "base/random.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace coulomb::functional::test {
namespace {

/// Each test runs on code for both architectures.
class BasicKernels : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Architecture, BasicKernels, ::testing::Values(80, 86), [](const auto& p) {
  return "sm" + std::to_string(p.param);
});

std::vector<float> random_floats(std::size_t count, std::uint64_t seed) {
  RandomStream random(seed, "test");
  std::vector<float> v(count);
  for (float& f : v) {
    f = static_cast<float>(random.uniform() * 4 - 2);
  }
  return v;
}

TEST_P(BasicKernels, SaxpyRoundsOnceAndLeavesTheTailAlone) {
  KernelHarness h("basic", GetParam(), "saxpy");
  const int n = 999;
  const auto x = random_floats(1024, 1);
  auto y = random_floats(1024, 2);
  const auto dx = h.buffer("x", x);
  const auto dy = h.buffer("y", y);
  h.arguments(n, 1.7F, dx, dy).run({8, 1, 1}, {128, 1, 1});
  for (int i = 0; i < n; ++i) {
    y[i] = std::fma(1.7F, x[i], y[i]);
  }
  EXPECT_EQ(h.read<float>(dy, 1024), y);
}

TEST_P(BasicKernels, StoredElementsAreThoseThatTheKernelWrote) {
  KernelHarness h("basic", GetParam(), "saxpy");
  const auto dx = h.buffer("x", std::vector<float>(100, 1.0F));
  const auto dy = h.buffer("y", std::vector<float>(100, 2.0F));
  h.arguments(5, 3.0F, dx, dy).run({1, 1, 1}, {32, 1, 1});
  const auto& y = *h.memory().find(dy);
  EXPECT_EQ(h.memory().stored_elements(y, 4), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(h.read<float>(dy, 1)[0], 5.0F);
  h.memory().restore();
  EXPECT_EQ(h.read<float>(dy, 1)[0], 2.0F);
  EXPECT_TRUE(h.memory().stored_elements(y, 4).empty());
}

TEST_P(BasicKernels, BlockSumReducesThroughShufflesAndSharedMemory) {
  KernelHarness h("basic", GetParam(), "block_sum");
  std::vector<float> x(4 * 1000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(i % 97);
  }
  const auto dx = h.buffer("x", x);
  const auto out = h.buffer("out", std::vector<float>(4));
  h.arguments(dx, out, 1000).run({4, 1, 1}, {256, 1, 1});
  for (std::size_t b = 0; b < 4; ++b) {
    float sum = 0; // integers below 2^24: any order gives the same sum
    for (std::size_t i = 0; i < 1000; ++i) {
      sum += x[b * 1000 + i];
    }
    EXPECT_EQ(h.read<float>(out, 4)[b], sum);
  }
}

TEST_P(BasicKernels, CollatzDivergesAndReconverges) {
  KernelHarness h("basic", GetParam(), "collatz");
  std::vector<std::uint32_t> x(200);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::uint32_t>(i * 37 + 1);
  }
  const auto dx = h.buffer("x", x);
  const auto out = h.buffer("steps", std::vector<std::uint32_t>(200));
  h.arguments(dx, out, 197).run({2, 1, 1}, {100, 1, 1});
  const auto steps = h.read<std::uint32_t>(out, 200);
  for (std::size_t i = 0; i < 197; ++i) {
    std::uint32_t s = 0;
    for (std::uint32_t v = x[i]; v != 1; ++s) {
      v = (v & 1) != 0 ? 3 * v + 1 : v / 2;
    }
    ASSERT_EQ(steps[i], s) << i;
  }
  EXPECT_EQ(steps[198], 0U);
}

TEST_P(BasicKernels, LanesOfOneWarpTakeTurnsWithALock) {
  KernelHarness h("basic", GetParam(), "spin_lock");
  const auto lock = h.buffer("lock", std::vector<int>(1));
  const auto counter = h.buffer("counter", std::vector<int>(1));
  h.arguments(lock, counter).run({2, 1, 1}, {96, 1, 1}, 0, 2'000'000);
  EXPECT_EQ(h.read<int>(counter, 1)[0], 192);
}

TEST_P(BasicKernels, ALockThatHangsOnAGpuRunsIntoTheLimit) {
  KernelHarness h("basic", GetParam(), "hanging_lock");
  const auto lock = h.buffer("lock", std::vector<int>(1));
  const auto counter = h.buffer("counter", std::vector<int>(1));
  EXPECT_EQ(
      h.arguments(lock, counter).fault({1, 1, 1}, {32, 1, 1}, 0, 10'000),
      "instruction limit of 10000 warp instructions reached in kernel hanging_lock, CTA (0, 0, 0)");
  EXPECT_EQ(h.read<int>(counter, 1)[0], 0);
}

TEST_P(BasicKernels, IntegerDivisionMatchesC) {
  KernelHarness h("basic", GetParam(), "divide");
  const int n = 512;
  RandomStream random(3, "divide");
  std::vector<int> a(n);
  std::vector<int> b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<int>(random.next());
    b[i] = static_cast<int>(random.next()) >> random.below(31);
    b[i] = b[i] == 0 || b[i] == -1 ? 7 : b[i];
  }
  a[0] = 0x7fffffff, b[0] = 1, a[1] = 0, b[1] = -5, a[2] = -2147483647, b[2] = 2;
  const auto da = h.buffer("a", a);
  const auto db = h.buffer("b", b);
  const auto q = h.buffer("q", std::vector<int>(n));
  const auto r = h.buffer("r", std::vector<int>(n));
  const auto uq = h.buffer("uq", std::vector<unsigned>(n));
  const auto ur = h.buffer("ur", std::vector<unsigned>(n));
  h.arguments(da, db, q, r, uq, ur, n).run({4, 1, 1}, {128, 1, 1});
  for (int i = 0; i < n; ++i) {
    const auto x = static_cast<unsigned>(a[i]);
    const auto y = static_cast<unsigned>(b[i]);
    ASSERT_EQ(h.read<int>(q, n)[i], a[i] / b[i]) << a[i] << " / " << b[i];
    ASSERT_EQ(h.read<int>(r, n)[i], a[i] % b[i]) << a[i] << " % " << b[i];
    ASSERT_EQ(h.read<unsigned>(uq, n)[i], x / y) << x << " / " << y;
    ASSERT_EQ(h.read<unsigned>(ur, n)[i], x % y) << x << " % " << y;
  }
}

std::uint32_t byte_perm(std::uint32_t x, std::uint32_t y, std::uint32_t s) {
  const std::uint64_t v = x | std::uint64_t{y} << 32;
  std::uint32_t r = 0;
  for (unsigned i = 0; i < 4; ++i) {
    r |= static_cast<std::uint32_t>(v >> (8 * (s >> (4 * i) & 7)) & 0xff) << (8 * i);
  }
  return r;
}

std::uint32_t reversed(std::uint32_t v) {
  std::uint32_t r = 0;
  for (int i = 0; i < 32; ++i) {
    r |= (v >> i & 1U) << (31 - i);
  }
  return r;
}

/// What jump_table does to one value at step k, by C's rules on wrapping 32-bit integers.
std::int32_t interpret(int op, std::int32_t v, int k) {
  const auto u = static_cast<std::uint32_t>(v);
  const auto s = [](std::uint32_t x) { return static_cast<std::int32_t>(x); };
  switch (op & 15) {
  case 0:
    return s(u * 3 + 1);
  case 1:
    return s(u ^ 0x55aa);
  case 2:
    return s(u - static_cast<std::uint32_t>(k) * u);
  case 3:
    return std::popcount(u) + k;
  case 4:
    return s(u << 3 | static_cast<std::uint32_t>(v >> 29));
  case 5:
    return s(reversed(u));
  case 6:
    return v / 7;
  case 7:
    return std::max(v, 1000);
  case 8:
    return std::min(v, -5);
  case 9:
    return s((v < 0 ? 0U - u : u) + 2);
  case 10:
    return std::countl_zero(u) * 17;
  case 11:
    return s(byte_perm(u, static_cast<std::uint32_t>(k), 0x3541));
  case 12:
    return static_cast<std::int32_t>(std::int64_t{v} * 123456789 >> 32);
  case 13:
    return s(~u);
  case 14:
    return v % 11;
  default:
    return s(u + 77);
  }
}

TEST_P(BasicKernels, JumpTableSendsLanesDifferentWays) {
  KernelHarness h("basic", GetParam(), "jump_table");
  const int n = 500;
  RandomStream random(4, "jump");
  std::vector<int> op(n);
  std::vector<int> x(n);
  for (int i = 0; i < n; ++i) {
    op[i] = static_cast<int>(random.below(16));
    x[i] = static_cast<int>(random.next());
  }
  const auto dop = h.buffer("op", op);
  const auto dx = h.buffer("x", x);
  h.arguments(dop, dx, n).run({4, 1, 1}, {128, 1, 1});
  const auto got = h.read<int>(dx, n);
  for (int i = 0; i < n; ++i) {
    std::int32_t v = x[i];
    for (int k = 0; k < 4; ++k) {
      v = interpret(op[i] + k, v, k);
    }
    ASSERT_EQ(got[i], v) << "op " << op[i] << " x " << x[i];
  }
}

TEST_P(BasicKernels, LocalArraysAreIndexedPerLane) {
  KernelHarness h("basic", GetParam(), "local_array");
  const int n = 100;
  std::vector<int> index(n);
  for (int i = 0; i < n; ++i) {
    index[i] = (i * 7 + 3) % 40;
  }
  const auto di = h.buffer("index", index);
  const auto out = h.buffer("out", std::vector<int>(n));
  h.arguments(di, out, n).run({1, 1, 1}, {128, 1, 1});
  for (int i = 0; i < n; ++i) {
    std::uint32_t a[40];
    for (int k = 0; k < 40; ++k) {
      a[k] = static_cast<std::uint32_t>(k * i);
    }
    for (int k = 0; k < 20; ++k) {
      a[index[(i + k) % n]] += static_cast<std::uint32_t>(k);
    }
    std::uint32_t s = 0;
    for (int k = 0; k < 40; ++k) {
      s = s * 31 + a[(index[i] + k) % 40];
    }
    ASSERT_EQ(h.read<std::uint32_t>(out, n)[i], s) << i;
  }
}

TEST_P(BasicKernels, HistogramCountsWithSharedAndGlobalAtomics) {
  KernelHarness h("basic", GetParam(), "histogram");
  const int n = 5000;
  RandomStream random(5, "histogram");
  std::vector<std::uint8_t> data(n);
  std::vector<std::uint32_t> bins(64);
  for (auto& d : data) {
    d = static_cast<std::uint8_t>(random.next());
    ++bins[d & 63];
  }
  const auto dd = h.buffer("data", data);
  const auto db = h.buffer("bins", std::vector<std::uint32_t>(64));
  h.arguments(dd, db, n).run({3, 1, 1}, {128, 1, 1});
  EXPECT_EQ(h.read<std::uint32_t>(db, 64), bins);
}

TEST_P(BasicKernels, TransposeUsesTwoDimensionalBlocks) {
  KernelHarness h("basic", GetParam(), "transpose");
  const int w = 70;
  const int rows = 45;
  const auto in = random_floats(static_cast<std::size_t>(w * rows), 6);
  const auto din = h.buffer("in", in);
  const auto dout = h.buffer("out", std::vector<float>(in.size()));
  h.arguments(din, dout, w, rows).run({3, 2, 1}, {32, 8, 1});
  const auto out = h.read<float>(dout, in.size());
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < w; ++x) {
      ASSERT_EQ(out[x * rows + y], in[y * w + x]) << x << ", " << y;
    }
  }
}

TEST_P(BasicKernels, ModuleVariablesAreMappedAndConstantsCanBeSet) {
  KernelHarness h("basic", GetParam(), "module_variables");
  const auto out = h.buffer("out", std::vector<float>(64));
  const auto tickets = h.buffer("tickets", std::vector<std::uint32_t>(64));
  ExecutableKernel& kernel = h.arguments(out, tickets).prepare({1, 1, 1}, {64, 1, 1});
  std::vector<float> weights(16);
  for (std::size_t i = 0; i < 16; ++i) {
    weights[i] = static_cast<float>(i) + 0.5F;
  }
  std::vector<std::uint8_t> bytes(64);
  std::memcpy(bytes.data(), weights.data(), 64);
  kernel.set_constant("weights", bytes);
  h.run_prepared();
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(h.read<float>(out, 64)[i], weights[i % 16] + weights[3]);
    EXPECT_EQ(h.read<std::uint32_t>(tickets, 64)[i], 5 + 2 * i);
  }
}

TEST_P(BasicKernels, UnknownConstantIsRefusedWithASuggestion) {
  KernelHarness h("basic", GetParam(), "module_variables");
  ExecutableKernel& kernel =
      h.arguments(std::uint64_t{0}, std::uint64_t{0}).prepare({1, 1, 1}, {64, 1, 1});
  try {
    kernel.set_constant("weigths", {});
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "no __constant__ variable weigths in the module of kernel "
                           "module_variables (did you mean \"weights\"?); there are: weights");
  }
  try {
    kernel.set_constant("weights", std::vector<std::uint8_t>(65));
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "__constant__ weights has 64 bytes; 65 were given");
  }
}

} // namespace
} // namespace coulomb::functional::test
