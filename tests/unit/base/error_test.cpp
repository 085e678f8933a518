// SPDX-License-Identifier: Apache-2.0
#include "base/dim3.hpp"
#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb {
namespace {

TEST(Error, KindsMapToTheirWordsAndExitCodes) {
  const UserError user("a", "do this");
  const EnvironmentError environment("b");
  const UnsupportedError unsupported("c");
  const InternalError internal("d");
  EXPECT_EQ(user.kind(), "input");
  EXPECT_EQ(user.exit_code(), 2);
  EXPECT_EQ(user.hint(), "do this");
  EXPECT_EQ(environment.kind(), "environment");
  EXPECT_EQ(environment.exit_code(), 3);
  EXPECT_EQ(unsupported.kind(), "unsupported");
  EXPECT_EQ(unsupported.exit_code(), 4);
  EXPECT_EQ(internal.kind(), "internal");
  EXPECT_EQ(internal.exit_code(), 70);
}

TEST(Check, NamesTheConditionThePlaceAndTheValues) {
  const int cycle = 7;
  try {
    COULOMB_CHECK(cycle < 5, "queue overflows at {}", cycle);
    FAIL() << "no error";
  } catch (const InternalError& e) {
    EXPECT_THAT(e.what(),
                ::testing::MatchesRegex("internal check failed: cycle < 5 \\(.*error_test.cpp:"
                                        "[0-9]+\\): queue overflows at 7"));
  }
}

TEST(Check, DoesNothingWhenTheConditionHolds) {
  COULOMB_CHECK(true, "never");
}

TEST(Dim3, LinearPositionsRunFastestInX) {
  const Dim3 extent{3, 4, 5};
  EXPECT_EQ(extent.volume(), 60U);
  EXPECT_EQ(extent.at(0), (Dim3{0, 0, 0}));
  EXPECT_EQ(extent.at(2), (Dim3{2, 0, 0}));
  EXPECT_EQ(extent.at(3), (Dim3{0, 1, 0}));
  EXPECT_EQ(extent.at(59), (Dim3{2, 3, 4}));
}

TEST(Dim3, VolumeDoesNotOverflow32Bits) {
  EXPECT_EQ((Dim3{2147483647, 65535, 2}).volume(), 281470681612290U);
}

} // namespace
} // namespace coulomb
