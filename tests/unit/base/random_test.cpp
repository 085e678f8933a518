// SPDX-License-Identifier: Apache-2.0
#include "base/random.hpp"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace coulomb {
namespace {

std::vector<std::uint64_t> draw(RandomStream stream, std::size_t n) {
  std::vector<std::uint64_t> values(n);
  for (auto& v : values) {
    v = stream.next();
  }
  return values;
}

// Expected values: an independent Python implementation of splitmix64 and xoshiro256**.
TEST(RandomStream, GivesTheKnownNumbersOfItsName) {
  EXPECT_EQ(draw(RandomStream(1, "mutation"), 4),
            (std::vector<std::uint64_t>{0x3326d5e1c7ff4349, 0x05eb784535950d77, 0x16d23cad90108ec8,
                                        0x1bd245fefd67fbbd}));
  EXPECT_EQ(draw(RandomStream(1, "mutation", 7), 4),
            (std::vector<std::uint64_t>{0x03c2253468f21338, 0xac3bcd906d47f67a, 0x8ff0ba8aead8902f,
                                        0x5982d31854d575ea}));
}

TEST(RandomStream, UniformUsesTheUpper53Bits) {
  RandomStream stream(1, "mutation");
  EXPECT_EQ(stream.uniform(), 0.19981133234250326);
  EXPECT_EQ(stream.uniform(), 0.023124234101107644);
}

TEST(RandomStream, DoesNotDependOnOtherStreams) {
  RandomStream alone(3, "selection", 5);
  RandomStream first(3, "selection", 5);
  RandomStream other(3, "mutation", 5);
  for (int i = 0; i < 100; ++i) {
    (void)other.next();
    ASSERT_EQ(first.next(), alone.next());
    (void)other.normal();
  }
}

TEST(RandomStream, DiffersInSeedPurposeAndIndex) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const char* purpose : {"a", "b", "ab"}) {
      for (std::uint64_t index = 0; index < 100; ++index) {
        seen.insert(RandomStream(seed, purpose, index).next());
      }
    }
  }
  EXPECT_EQ(seen.size(), 3000U);
}

TEST(RandomStream, NeighbouringIndicesAreUncorrelated) {
  constexpr int kPairs = 20000;
  double sum = 0.0;
  for (std::uint64_t i = 0; i < kPairs; ++i) {
    RandomStream a(1, "noise", i);
    RandomStream b(1, "noise", i + 1);
    sum += (a.uniform() - 0.5) * (b.uniform() - 0.5);
  }
  // Standard error of a correlation of 20,000 pairs is 0.007; five of them.
  EXPECT_LT(std::abs(sum / kPairs * 12.0), 0.035);
}

TEST(RandomStream, BelowCoversItsRangeEvenly) {
  RandomStream stream(1, "below");
  std::array<int, 6> counts{};
  for (int i = 0; i < 60000; ++i) {
    ++counts.at(stream.below(6));
  }
  for (const int n : counts) {
    EXPECT_NEAR(n, 10000, 460); // five standard deviations
  }
}

TEST(RandomStream, BelowOneIsAlwaysZero) {
  RandomStream stream(1, "one");
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(stream.below(1), 0U);
  }
}

TEST(RandomStream, UniformStaysInItsHalfOpenRange) {
  RandomStream stream(2, "range");
  for (int i = 0; i < 100000; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
  }
}

TEST(RandomStream, NormalHasMeanZeroAndVarianceOne) {
  RandomStream stream(1, "normal");
  constexpr int kDraws = 100000;
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = stream.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / kDraws, 0.0, 0.016);
  EXPECT_NEAR(squares / kDraws, 1.0, 0.023);
}

TEST(RandomStream, ChanceZeroNeverAndOneAlways) {
  RandomStream stream(1, "chance");
  for (int i = 0; i < 1000; ++i) {
    ASSERT_FALSE(stream.chance(0.0));
    ASSERT_TRUE(stream.chance(1.0));
  }
}

} // namespace
} // namespace coulomb
