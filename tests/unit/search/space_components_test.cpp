// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/kernel/space_enumeration.hpp"
#include "search/space/search_space.hpp"
#include "search/strategy/seen_points.hpp"
#include "tests/support/space_specs.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace coulomb::search {
namespace {

using kernel::ParameterKind;
using kernel::ParameterValue;
using kernel::TunableSpec;
using test::add_restriction;
using test::integer_parameter;

/// Parameters whose components interleave, contain each other, or stand alone; lists not sorted.
TunableSpec random_spec(std::uint64_t seed) {
  RandomStream random(seed, "spec");
  TunableSpec spec;
  spec.origin = "random";
  const std::size_t parameters = 3 + random.below(4);
  for (std::size_t p = 0; p < parameters; ++p) {
    std::vector<std::int64_t> values;
    for (std::size_t v = 0; v < 1 + random.below(4); ++v) {
      values.push_back(static_cast<std::int64_t>((v * 5 + p + seed) % 7));
    }
    spec.parameters.push_back(integer_parameter(fmt::format("p{}", p), values));
  }
  for (std::size_t r = 0; r < random.below(3); ++r) {
    add_restriction(spec, fmt::format("(p{} + p{}) % 3 != {}", random.below(parameters),
                                      random.below(parameters), random.below(3)));
  }
  return spec;
}

TEST(SpaceComponents, NumberPointsInTheOrderOfTheValueLists) {
  int interleaved = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const TunableSpec spec = random_spec(seed);
    if (kernel::count_valid(spec) == 0) {
      continue;
    }
    const SearchSpace space(spec);
    const auto listed = kernel::valid_configurations(spec);
    ASSERT_EQ(space.size(), listed.size());
    for (Point p = 0; p < space.size(); ++p) {
      ASSERT_EQ(space.configuration(p).key(), listed[p].key()) << seed;
      ASSERT_EQ(space.find(space.genes(p)), p);
      ASSERT_EQ(space.find(listed[p]), p);
    }
    const auto& first = space.components()[0].dimensions();
    interleaved += first.back() - first.front() >= first.size() ? 1 : 0;
  }
  EXPECT_GT(interleaved, 30);
}

TEST(SpaceComponents, HaveTheNeighboursThatDifferInOneGene) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const TunableSpec spec = random_spec(seed);
    if (kernel::count_valid(spec) == 0) {
      continue;
    }
    const SearchSpace space(spec);
    RandomStream random(seed, "neighbours");
    const Point point = random.below(space.size());
    const Genes here = space.genes(point);
    std::multimap<std::size_t, Point> expected; // by distance
    for (const std::size_t d : space.active()) {
      for (std::size_t v = 0; v < space.dimensions()[d].values.size(); ++v) {
        Genes there = here;
        there[d] = static_cast<Gene>(v);
        if (const auto found = space.find(there); found && *found != point) {
          expected.emplace(distance(space.dimensions()[d], here[d], there[d]), *found);
        }
      }
    }
    std::vector<Point> in_order;
    for (const auto& [distance, neighbour] : expected) {
      in_order.push_back(neighbour);
    }
    ASSERT_EQ(space.neighbours(point), in_order) << seed;
  }
}

TEST(SpaceComponents, ASpaceOf10To15PointsIsSampledAndSearchedAtOnce) {
  TunableSpec spec = test::independent_space(15);
  const SearchSpace space(spec);
  ASSERT_EQ(space.size(), 500'000'000'000'000U);
  RandomStream random(1, "sample");
  const auto points = space.sample(2000, random);
  EXPECT_EQ(std::set<Point>(points.begin(), points.end()).size(), 2000U);
  std::vector<int> drawn(10, 0);
  for (const Point p : points) {
    const Genes genes = space.genes(p);
    ASSERT_EQ(space.find(genes), p);
    ASSERT_EQ((genes[0] + genes[1]) % 2, 0);
    ++drawn[genes[14]];
  }
  for (const int n : drawn) {
    EXPECT_NEAR(n, 200, 60);
  }
  EXPECT_EQ(space.neighbours(points[0]).size(), 4U + 4U + 13U * 9U);
}

TEST(SpaceComponents, RefuseMoreThan2To62Points) {
  try {
    const SearchSpace space(test::independent_space(20));
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "the search space has more than 2^62 valid configurations");
    EXPECT_EQ(e.hint(), "give its parameters fewer values, or levels");
  }
  EXPECT_EQ(SearchSpace(test::independent_space(18)).size(), 500'000'000'000'000'000U);
}

TEST(SpaceDimension, CategoriesAreAllEquallyFarApart) {
  const Dimension d{
      "c", {std::string("a"), std::string("b"), std::string("c")}, ParameterKind::categorical};
  EXPECT_EQ(distance(d, 0, 2), 1U);
  EXPECT_EQ(change(d, 0, 2), 1.0);
  EXPECT_EQ(change(d, 1, 1), 0.0);
  EXPECT_EQ(steps(d, 1), (Genes{0, 2}));
}

TEST(SpaceDimension, APermutationStepsByOneSwapOfNeighbours) {
  Dimension d{"p", {}, ParameterKind::permutation};
  std::vector<int> items = {0, 1, 2, 3};
  std::map<std::vector<int>, Gene> rank;
  std::vector<std::vector<int>> orders;
  do {
    rank[items] = static_cast<Gene>(orders.size());
    orders.push_back(items);
    d.values.emplace_back(fmt::format("{}", fmt::join(items, ",")));
  } while (std::next_permutation(items.begin(), items.end()));
  for (Gene g = 0; g < 24; ++g) {
    std::set<Gene> expected;
    for (std::size_t i = 1; i < 4; ++i) {
      auto swapped = orders[g];
      std::swap(swapped[i - 1], swapped[i]);
      expected.insert(rank[swapped]);
    }
    const Genes found = steps(d, g);
    EXPECT_EQ(Genes(expected.begin(), expected.end()), found);
    for (const Gene other : found) {
      EXPECT_EQ(distance(d, g, other), 1U);
    }
  }
  EXPECT_EQ(distance(d, 0, 23), 6U) << "reversed: every pair";
  EXPECT_EQ(change(d, 0, 23), 1.0);
  const Dimension one{"p", {std::string("a")}, ParameterKind::permutation};
  EXPECT_EQ(steps(one, 0), Genes{});
  EXPECT_EQ(change(one, 0, 0), 0.0);
}

TEST(SpaceSeenPoints, ALargeSpaceIsNoBitmap) {
  SeenPoints seen(std::uint64_t{1} << 60);
  RandomStream random(1, "seen");
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(seen.add(seen.draw_unseen(random).value()));
  }
  EXPECT_EQ(seen.unseen(), (std::uint64_t{1} << 60) - 1000);
  EXPECT_TRUE(seen.add(7));
  EXPECT_FALSE(seen.add(7));
  EXPECT_TRUE(seen.contains(7));
}

TEST(SpaceSeenPoints, TheLastOfManyPointsAreDrawnUniformly) {
  constexpr std::uint64_t kPoints = 1'000'003;
  const std::set<Point> left = {0, 63, 64, 4095, 4096, 500'000, 1'000'002};
  SeenPoints seen(kPoints);
  for (Point p = 0; p < kPoints; ++p) {
    if (!left.contains(p)) {
      seen.add(p);
    }
  }
  std::map<Point, int> drawn;
  RandomStream random(2, "seen");
  for (int i = 0; i < 7000; ++i) {
    ++drawn[seen.draw_unseen(random).value()];
  }
  ASSERT_EQ(drawn.size(), left.size());
  for (const auto& [point, times] : drawn) {
    EXPECT_TRUE(left.contains(point));
    EXPECT_NEAR(times, 1000, 150);
  }
}

} // namespace
} // namespace coulomb::search
