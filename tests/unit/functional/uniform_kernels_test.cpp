// SPDX-License-Identifier: Apache-2.0
// Constant memory at uniform indices, uniform byte permutation, mbarrier phases.
#include "kernel_harness.hpp"

#include <cstdint>
#include <gtest/gtest.h>

namespace coulomb::functional::test {
namespace {

template <class T>
std::vector<std::uint8_t> bytes_of_values(const std::vector<T>& values) {
  std::vector<std::uint8_t> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class UniformKernels : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Architectures, UniformKernels, ::testing::Values(80, 86));

/// Fills the __constant__ arrays of uniform.cu with values of both signs and runs `sums`.
class Sums {
public:
  explicit Sums(int sm) : harness_("uniform", sm, "sums") {
    for (int i = 0; i < 64; ++i) {
      words.push_back(0.5F * static_cast<float>(i) - 7);
      bytes.push_back(static_cast<std::uint8_t>(250 - 3 * i));
      signed_bytes.push_back(static_cast<std::int8_t>(5 * i - 100));
      halves.push_back(static_cast<std::int16_t>(1000 * i - 32000));
      unsigned_halves.push_back(static_cast<std::uint16_t>(65535 - 11 * i));
    }
    for (int i = 0; i < 32; ++i) {
      doubles.push_back(0.125 * i - 1);
    }
  }
  double run(int first, int count) {
    const std::uint64_t out = harness_.buffer("out", std::vector<double>(32));
    harness_.arguments(out, first, count);
    ExecutableKernel& kernel = harness_.prepare({}, {32, 1, 1});
    kernel.set_constant("words", bytes_of_values(words));
    kernel.set_constant("bytes", bytes_of_values(bytes));
    kernel.set_constant("signed_bytes", bytes_of_values(signed_bytes));
    kernel.set_constant("halves", bytes_of_values(halves));
    kernel.set_constant("unsigned_halves", bytes_of_values(unsigned_halves));
    kernel.set_constant("doubles", bytes_of_values(doubles));
    harness_.run_prepared();
    const auto result = harness_.read<double>(out, 32);
    EXPECT_EQ(result[0], result[31]);
    return result[0];
  }
  [[nodiscard]] double expected(int first, int count) const {
    double total = 0;
    std::uint32_t integers = 0;
    for (int n = first; n < first + count; ++n) {
      const auto i = static_cast<std::size_t>(n);
      total += words[i] + doubles[i];
      const int step = bytes[i] + 5 * signed_bytes[i] - 7 * halves[i] + 11 * unsigned_halves[i];
      integers = integers * 3 + static_cast<std::uint32_t>(step);
    }
    return total + static_cast<std::int32_t>(integers);
  }

private:
  KernelHarness harness_;
  std::vector<float> words;
  std::vector<std::uint8_t> bytes;
  std::vector<std::int8_t> signed_bytes;
  std::vector<std::int16_t> halves;
  std::vector<std::uint16_t> unsigned_halves;
  std::vector<double> doubles;
};

TEST_P(UniformKernels, LoadConstantsOfEverySizeAtUniformIndices) {
  Sums sums(GetParam());
  EXPECT_EQ(sums.run(3, 20), sums.expected(3, 20));
  EXPECT_EQ(sums.run(0, 32), sums.expected(0, 32));
  EXPECT_EQ(sums.run(31, 1), sums.expected(31, 1));
}

TEST_P(UniformKernels, PackParametersByPermutingBytes) {
  struct Pair {
    std::uint16_t low, high;
  };
  KernelHarness harness("uniform", GetParam(), "swapped");
  const std::uint64_t out = harness.buffer("out", std::vector<std::uint32_t>(32));
  harness.arguments(out, Pair{1, 0xabcd}, Pair{0x1234, 2}).run({}, {32, 1, 1});
  EXPECT_EQ(harness.read<std::uint32_t>(out, 32)[0], 0xabcd1234U);
  EXPECT_EQ(harness.read<std::uint32_t>(out, 32)[31], 0xabcd1234U + 31);
}

TEST_P(UniformKernels, MbarriersHoldEveryThreadForEachPhase) {
  for (const int threads : {1, 32, 96, 128}) {
    KernelHarness harness("mbarrier", GetParam(), "rotate");
    std::vector<int> data(static_cast<std::size_t>(threads));
    for (int i = 0; i < threads; ++i) {
      data[static_cast<std::size_t>(i)] = 100 * i;
    }
    const std::uint64_t address = harness.buffer("data", data);
    const int rounds = 7; // odd and more than two phases
    harness.arguments(address, rounds)
        .run({}, {static_cast<std::uint32_t>(threads), 1, 1}, 0, 1000000);
    const auto result = harness.read<int>(address, data.size());
    for (int i = 0; i < threads; ++i) {
      EXPECT_EQ(result[static_cast<std::size_t>(i)], 100 * ((i + rounds) % threads) + rounds)
          << threads << " threads";
    }
  }
}

} // namespace
} // namespace coulomb::functional::test
