// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/least_squares.hpp"

#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using Vector = std::vector<double>;

TEST(LeastSquares, FindsTheLineThroughPoints) {
  // By hand, from the normal equations 4 a + 7 b = 29, 7 a + 21 b = 78.
  const std::vector<Vector> columns = {{1, 1, 1, 1}, {0, 1, 2, 4}};
  const Vector target = {3, 4, 7, 15};
  const Vector weights = least_squares(columns, target);
  EXPECT_NEAR(weights[0], 63.0 / 35.0, 1e-12);
  EXPECT_NEAR(weights[1], 109.0 / 35.0, 1e-12);
  const Vector left = residual(columns, weights, target);
  EXPECT_NEAR(left[0] + left[1] + left[2] + left[3], 0.0, 1e-12);
  EXPECT_NEAR(left[1] + 2.0 * left[2] + 4.0 * left[3], 0.0, 1e-12);
}

TEST(LeastSquares, LeavesOutColumnsThatOthersMakeUp) {
  const std::vector<Vector> columns = {{1, 0, 0}, {0, 0, 0}, {2, 0, 0}, {1, 1, 0}};
  const Vector weights = least_squares(columns, {5, 3, 7});
  EXPECT_EQ(weights, (Vector{2, 0, 0, 3}));
  EXPECT_EQ(norm(residual(columns, weights, {5, 3, 7})), 7.0);
}

TEST(LeastSquares, OfNoColumnsHasNoWeights) {
  EXPECT_TRUE(least_squares({}, {1, 2}).empty());
  EXPECT_EQ(norm({3, 4}), 5.0);
}

} // namespace
} // namespace coulomb::calibration
