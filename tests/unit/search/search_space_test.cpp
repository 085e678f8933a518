// SPDX-License-Identifier: Apache-2.0
#include "search/space/search_space.hpp"

#include "base/error.hpp"
#include "search/space/value_order.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <algorithm>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::search {
namespace {

using kernel::ParameterValue;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

std::vector<ParameterValue> integers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

/// The valid points of a 4 x 3 grid: all but (1,1), (1,2) and (2,1).
SearchSpace small_space() {
  std::vector<Dimension> dimensions = {{"a", integers({1, 2, 4, 8})}, {"b", integers({0, 1, 2})}};
  return {dimensions, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 0}, {2, 2}, {3, 0}, {3, 1}, {3, 2}}};
}

TEST(ValueOrder, SortsNumbersAndDropsRepeatedOnes) {
  EXPECT_EQ(ordered_values(integers({4, 1, 2, 4})), integers({1, 2, 4}));
  EXPECT_EQ(ordered_values({1.5, std::int64_t{1}}),
            (std::vector<ParameterValue>{std::int64_t{1}, 1.5}));
}

TEST(ValueOrder, KeepsWordsAsGiven) {
  const std::vector<ParameterValue> words = {std::string("row"), std::string("column")};
  EXPECT_EQ(ordered_values(words), words);
}

TEST(SearchSpace, EnumeratesTheValidConfigurationsOfASpec) {
  const auto spec = kernel::TunableSpec::parse(R"({
    "General": {"BenchmarkName": "toy"},
    "ConfigurationSpace": {
      "TuningParameters": [
        {"Name": "x", "Type": "int", "Values": [32, 8, 16], "Default": 8},
        {"Name": "y", "Type": "int", "Values": [1, 2], "Default": 1}],
      "Conditions": [{"Expression": "x * y <= 32", "Parameters": ["x", "y"]}]},
    "KernelSpecification": {
      "Language": "CUDA", "KernelName": "toy", "KernelFile": "toy.cu",
      "LocalSize": {"X": "x", "Y": "y", "Z": "1"}, "GlobalSize": {"X": "4", "Y": "1", "Z": "1"},
      "ProblemSize": [64, 64], "SharedMemory": 0, "Arguments": []}})",
                                               "toy.json");

  const SearchSpace space(spec);

  ASSERT_EQ(space.size(), 5U);
  EXPECT_EQ(space.dimensions()[0].values, integers({8, 16, 32}));
  EXPECT_EQ(space.configuration(0).key(), "x=32 y=1");
  EXPECT_EQ(space.configuration(4).key(), "x=16 y=2");
  EXPECT_EQ(space.find(spec.default_configuration()), std::optional<Point>(1));
}

TEST(SearchSpace, FindsEachOfItsPointsAndNoOther) {
  const SearchSpace space = small_space();
  for (Point p = 0; p < space.size(); ++p) {
    EXPECT_EQ(space.find(space.genes(p)), std::optional<Point>(p));
    EXPECT_EQ(space.find(space.configuration(p)), std::optional<Point>(p));
  }
  EXPECT_EQ(space.find(Genes{1, 1}), std::nullopt);
  EXPECT_EQ(space.find(kernel::Configuration({{"a", std::int64_t{1}}})), std::nullopt);
  EXPECT_EQ(space.find(kernel::Configuration({{"a", std::int64_t{1}}, {"c", std::int64_t{0}}})),
            std::nullopt);
}

TEST(SearchSpace, CallsAParameterWithOneValueInactive) {
  const SearchSpace space({{"a", integers({1, 2})}, {"b", integers({7})}}, {{0, 0}, {1, 0}});
  EXPECT_THAT(space.active(), ElementsAre(0U));
}

TEST(SearchSpace, ListsValidNeighboursNearestFirst) {
  const SearchSpace space = small_space();
  // (0,0): one step away are (1,0) and (0,1), two steps (2,0) and (0,2), three steps (3,0).
  EXPECT_THAT(space.neighbours(0), ElementsAre(3U, 1U, 4U, 2U, 6U));
}

TEST(SearchSpace, SamplesWithoutReplacement) {
  const SearchSpace space = small_space();
  RandomStream random(1, "sample", 0);
  const auto some = space.sample(4, random);
  EXPECT_EQ(std::set<Point>(some.begin(), some.end()).size(), 4U);
  EXPECT_THAT(space.sample(100, random), UnorderedElementsAreArray({0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(SearchSpace, SamplesUniformly) {
  const SearchSpace space = small_space();
  std::vector<int> drawn(space.size(), 0);
  for (std::uint64_t i = 0; i < 9000; ++i) {
    RandomStream random(3, "sample", i);
    ++drawn[space.sample(1, random).front()];
  }
  for (const int n : drawn) {
    EXPECT_NEAR(n, 1000, 150);
  }
}

TEST(SearchSpace, RefusesToBeEmpty) {
  try {
    const SearchSpace space({{"a", integers({1})}}, {});
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(),
                 "the search space is empty: no configuration satisfies the restrictions");
    EXPECT_EQ(e.hint(), "relax the Conditions of the spec, or add values to its TuningParameters");
  }
}

TEST(SearchSpace, RefusesPointsThatAreNotItsOwn) {
  const std::vector<Dimension> one = {{"a", integers({1, 2})}};
  EXPECT_THROW(SearchSpace(one, {{2}}), InternalError);
  EXPECT_THROW(SearchSpace(one, {{0, 0}}), InternalError);
  EXPECT_THROW(SearchSpace(one, {{0}, {0}}), InternalError);
}

} // namespace
} // namespace coulomb::search
