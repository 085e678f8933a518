// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"

#include <gtest/gtest.h>

namespace coulomb {
namespace {

// The published XXH3 values of the empty input.
TEST(Hash, OfNothingIsTheReferenceValue) {
  EXPECT_EQ(hash64(""), 0x2d06800538d394c2ULL);
  EXPECT_EQ(hash128_hex(""), "99aa06d3014798d86001c324468d497f");
}

TEST(Hash, ChecksumIsTheLowHalf) {
  EXPECT_EQ(checksum32("coulomb"), 0x43aecb2bU);
  EXPECT_EQ(checksum32("coulomb"), static_cast<std::uint32_t>(hash64("coulomb")));
}

TEST(Hash, DependsOnTheSeedAndOnEveryByte) {
  EXPECT_NE(hash64("coulomb", 1), hash64("coulomb", 2));
  EXPECT_NE(hash64("coulomb"), hash64("coulomB"));
  EXPECT_NE(hash64(std::string_view("a\0", 2)), hash64("a"));
}

} // namespace
} // namespace coulomb
