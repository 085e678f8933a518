// SPDX-License-Identifier: Apache-2.0
// A space without a valid configuration is a diagnosis, not a search that never begins:
// docs/complaints.md.
#include "base/error.hpp"
#include "base/kernel/space_enumeration.hpp"
#include "search/space/search_space.hpp"
#include "tests/support/space_specs.hpp"

#include <chrono>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

using ::testing::HasSubstr;

std::string diagnosis(const kernel::TunableSpec& spec) {
  try {
    (void)SearchSpace(spec);
  } catch (const UserError& e) {
    EXPECT_EQ(e.hint(), "widen the parameters' values or correct this restriction");
    return e.what();
  }
  return "not empty";
}

kernel::TunableSpec spec_of(const std::vector<std::string>& restrictions) {
  kernel::TunableSpec spec;
  spec.origin = "space";
  spec.parameters = {test::integer_parameter("a", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}),
                     test::integer_parameter("b", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})};
  for (const std::string& text : restrictions) {
    test::add_restriction(spec, text);
  }
  return spec;
}

TEST(EmptySpace, NamesTheRestrictionThatRulesOutMostWhereverItIsListed) {
  const std::string named = "space: no configuration satisfies the restrictions; \"a * b > 100\" "
                            "removed the most: 100 of 100";
  EXPECT_EQ(diagnosis(spec_of({"a * b > 100", "a > 8"})), named);
  EXPECT_EQ(diagnosis(spec_of({"a > 8", "a * b > 100"})), named)
      << "what an earlier one rules out, too, is no excuse for it";
  EXPECT_EQ(
      diagnosis(spec_of({"a > 4", "a <= 4", "a + b > 1"})),
      "space: no configuration satisfies the restrictions; \"a <= 4\" removed the most: 60 of "
      "100")
      << "of two that contradict each other the stricter one";
}

TEST(EmptySpace, OfManyPointsIsDiagnosedInBoundedTimeByASample) {
  kernel::TunableSpec spec = test::gemm_space(); // 163,840,000 points
  test::add_restriction(spec, "m_tile + n_tile > 1000");
  const auto start = std::chrono::steady_clock::now();
  const std::string message = diagnosis(spec);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(message, "gemm: no configuration satisfies the restrictions; \"m_tile + n_tile > "
                     "1000\" removed the most: about 163,840,000 of 163,840,000");
}

} // namespace
} // namespace coulomb::search
