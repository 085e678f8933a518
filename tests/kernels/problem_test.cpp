// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/problem.hpp"

#include <gtest/gtest.h>

namespace coulomb::kernels_test {
namespace {

/// What is wrong if the first buffer holds `now` after the launch.
template <class T>
std::string judge(const Problem& problem, const std::vector<T>& now) {
  return problem.arguments().front().check(reinterpret_cast<const std::uint8_t*>(now.data()));
}

TEST(Problem, TellsEachElementThatDiffers) {
  Problem problem;
  problem.output(std::vector<int>{0, 0, 0}, std::vector<int>{1, 2, 3});
  EXPECT_EQ(judge(problem, std::vector<int>{1, 2, 3}), "");
  EXPECT_EQ(judge(problem, std::vector<int>{1, 7, 3}),
            "1 of 3 elements differ: [1] is 7 (0x7), not 2 (0x2)");
}

TEST(Problem, HoldsFloatsToTheirBound) {
  Problem problem;
  problem.output(std::vector<float>{0.0F}, std::vector<double>{1.0}, {.ulps = 1.0});
  EXPECT_EQ(judge(problem, std::vector<float>{1.0F + 0x1p-23F}), "");
  EXPECT_EQ(judge(problem, std::vector<float>{1.0F + 0x1p-22F}),
            "1 of 1 elements differ: [0] is 1.00000024, not 1");
}

TEST(Problem, WithoutABoundWantsTheRoundedValue) {
  Problem problem;
  problem.output(std::vector<float>{0.0F}, std::vector<double>{1.0 / 3.0});
  EXPECT_EQ(judge(problem, std::vector<float>{1.0F / 3.0F}), "");
  EXPECT_EQ(judge(problem, std::vector<float>{std::nextafterf(1.0F / 3.0F, 1.0F)}),
            "1 of 1 elements differ: [0] is 0.333333373, not 0.333333333");
}

TEST(Problem, TakesNoNumberForANan) {
  Problem problem;
  problem.output(std::vector<float>{0.0F}, std::vector<double>{1.0}, {.absolute = 1e30});
  EXPECT_EQ(judge(problem, std::vector<float>{std::nanf("")}),
            "1 of 1 elements differ: [0] is nan, not 1");
}

TEST(Problem, TellsAnOverwrittenInput) {
  Problem problem;
  problem.input(std::vector<int>{4, 5});
  EXPECT_EQ(judge(problem, std::vector<int>{4, 5}), "");
  EXPECT_EQ(judge(problem, std::vector<int>{4, 6}), "an input was overwritten");
}

} // namespace
} // namespace coulomb::kernels_test
