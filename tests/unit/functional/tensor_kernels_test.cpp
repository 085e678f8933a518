// SPDX-License-Identifier: Apache-2.0
#include "kernel_harness.hpp"

#include "base/random.hpp"

#include <bit>
#include <gtest/gtest.h>

namespace coulomb::functional::test {
namespace {

class TensorKernels : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Architecture, TensorKernels, ::testing::Values(80, 86), [](const auto& p) {
  return "sm" + std::to_string(p.param);
});

/// Small integers: every order of summation gives the same result.
TEST_P(TensorKernels, HalfMatrixProductThroughMatrixLoads) {
  KernelHarness h("tensor", GetParam(), "mma_half");
  RandomStream random(31, "tensor");
  std::vector<int> a(256);
  std::vector<int> b(128);
  std::vector<std::uint16_t> ha;
  std::vector<std::uint16_t> hb;
  std::vector<float> c(128);
  for (int& x : a) {
    x = static_cast<int>(random.below(33)) - 16;
    ha.push_back(std::bit_cast<std::uint16_t>(static_cast<_Float16>(x)));
  }
  for (int& x : b) {
    x = static_cast<int>(random.below(33)) - 16;
    hb.push_back(std::bit_cast<std::uint16_t>(static_cast<_Float16>(x)));
  }
  for (std::size_t i = 0; i < c.size(); ++i) {
    c[i] = static_cast<float>(i) / 4;
  }
  const auto da = h.buffer("a", ha);
  const auto db = h.buffer("b", hb);
  const auto dc = h.buffer("c", c);
  const auto dd = h.buffer("d", std::vector<float>(128));
  h.arguments(da, db, dc, dd).run({1, 1, 1}, {32, 1, 1});
  const auto d = h.read<float>(dd, 128);
  for (int r = 0; r < 16; ++r) {
    for (int n = 0; n < 8; ++n) {
      int sum = 0;
      for (int k = 0; k < 16; ++k) {
        sum += a[r * 16 + k] * b[k * 8 + n];
      }
      EXPECT_EQ(d[r * 8 + n], static_cast<float>(sum) + c[r * 8 + n]) << r << ", " << n;
    }
  }
}

TEST_P(TensorKernels, ByteMatrixProduct) {
  KernelHarness h("tensor", GetParam(), "mma_int8");
  RandomStream random(32, "tensor");
  std::vector<std::int8_t> a(512);
  std::vector<std::int8_t> b(256);
  std::vector<int> c(128);
  for (auto& x : a) {
    x = static_cast<std::int8_t>(random.next());
  }
  for (auto& x : b) {
    x = static_cast<std::int8_t>(random.next());
  }
  for (auto& x : c) {
    x = static_cast<int>(random.below(100000)) - 50000;
  }
  const auto da = h.buffer("a", a);
  const auto db = h.buffer("b", b);
  const auto dc = h.buffer("c", c);
  const auto dd = h.buffer("d", std::vector<int>(128));
  h.arguments(da, db, dc, dd).run({1, 1, 1}, {32, 1, 1});
  const auto d = h.read<int>(dd, 128);
  for (int r = 0; r < 16; ++r) {
    for (int n = 0; n < 8; ++n) {
      int sum = c[r * 8 + n];
      for (int k = 0; k < 32; ++k) {
        sum += a[r * 32 + k] * b[n * 32 + k];
      }
      EXPECT_EQ(d[r * 8 + n], sum) << r << ", " << n;
    }
  }
}

TEST_P(TensorKernels, DoubleMatrixProduct) {
  KernelHarness h("tensor", GetParam(), "mma_double");
  std::vector<double> a(32);
  std::vector<double> b(32);
  std::vector<double> c(64);
  for (std::size_t i = 0; i < 32; ++i) {
    a[i] = static_cast<double>(i) - 11.5;
    b[i] = static_cast<double>(i * i % 13) + 0.25;
  }
  for (std::size_t i = 0; i < 64; ++i) {
    c[i] = static_cast<double>(i) * 1024;
  }
  const auto da = h.buffer("a", a);
  const auto db = h.buffer("b", b);
  const auto dc = h.buffer("c", c);
  const auto dd = h.buffer("d", std::vector<double>(64));
  h.arguments(da, db, dc, dd).run({1, 1, 1}, {32, 1, 1});
  for (int r = 0; r < 8; ++r) {
    for (int n = 0; n < 8; ++n) {
      double sum = c[r * 8 + n];
      for (int k = 0; k < 4; ++k) {
        sum += a[r * 4 + k] * b[k * 8 + n];
      }
      EXPECT_EQ(h.read<double>(dd, 64)[r * 8 + n], sum) << r << ", " << n;
    }
  }
}

} // namespace
} // namespace coulomb::functional::test
