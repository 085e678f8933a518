// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/space_enumeration.hpp"

#include "base/random.hpp"
#include "tests/support/space_specs.hpp"
#include "tests/unit/kernel/support.hpp"

#include <limits>
#include <optional>

namespace coulomb::kernel {
namespace {

using test::add_restriction;
using test::integer_parameter;
using test::user_error;

TunableSpec spec_of(const std::vector<TunableParameter>& parameters,
                    const std::vector<std::string>& restrictions) {
  TunableSpec spec;
  spec.origin = "space";
  spec.parameters = parameters;
  for (const std::string& text : restrictions) {
    add_restriction(spec, text);
  }
  return spec;
}

/// The keys of the valid configurations, by testing every point of the product with the
/// interpreter; nothing if some point violates no restriction but fails one.
std::optional<std::vector<std::string>> by_testing_all(const TunableSpec& spec) {
  std::vector<std::string> keys;
  std::vector<Configuration::Entry> entries = spec.default_configuration().entries();
  std::vector<std::size_t> at(entries.size(), 0);
  while (true) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      entries[i].second = spec.parameters[i].values[at[i]];
    }
    const Configuration c(entries);
    const Scope scope = spec.scope(c);
    bool valid = true;
    bool failed = false;
    for (const Restriction& r : spec.restrictions) {
      try {
        valid = valid && r.expression.evaluate_bool(scope);
      } catch (const UserError&) {
        failed = true;
      }
    }
    if (valid && failed) {
      return std::nullopt;
    }
    if (valid) {
      keys.push_back(c.key());
    }
    std::size_t i = at.size();
    while (i > 0 && at[i - 1] + 1 == spec.parameters[i - 1].values.size()) {
      at[--i] = 0;
    }
    if (i == 0) {
      return keys;
    }
    ++at[i - 1];
  }
}

std::vector<std::string> enumerated(const TunableSpec& spec) {
  std::vector<std::string> keys;
  for (const Configuration& c : valid_configurations(spec)) {
    keys.push_back(c.key());
  }
  return keys;
}

TEST(SpaceEnumeration, KeepsTheOrderOfTheListsWhereComponentsInterleave) {
  const TunableSpec spec = spec_of({integer_parameter("a", {2, 1}), integer_parameter("b", {5, 6}),
                                    integer_parameter("c", {1, 2}), integer_parameter("d", {0, 9})},
                                   {"a <= c", "b + d != 14"});
  const auto components = valid_components(spec);
  ASSERT_EQ(components.size(), 2U);
  EXPECT_EQ(components[0].parameters, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(components[0].rows, (std::vector<std::uint16_t>{0, 1, 1, 0, 1, 1}));
  EXPECT_EQ(components[1].parameters, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(components[1].size(), 3U);
  EXPECT_EQ(enumerated(spec), by_testing_all(spec));
  EXPECT_EQ(enumerated(spec).front(), "a=2 b=5 c=2 d=0");
  EXPECT_EQ(count_valid(spec), 9U);
}

/// A restriction over a few of the parameters p0, p1, ...; some fail somewhere.
std::string random_restriction(RandomStream& random, std::size_t parameters) {
  const auto p = [&] { return fmt::format("p{}", random.below(parameters)); };
  const auto n = [&] { return random.below(9); };
  switch (random.below(9)) {
  case 0:
    return fmt::format("{} <= {}", p(), n());
  case 1:
    return fmt::format("{} % ({} + 1) == 0", p(), p());
  case 2:
    return fmt::format("{} * {} <= {} * {}", p(), p(), n(), n());
  case 3:
    return fmt::format("{} != {} or {} > {}", p(), p(), p(), n());
  case 4:
    return fmt::format("({} + {} + {} + {}) % 3 != 1", p(), p(), p(), p());
  case 5:
    return fmt::format("{} in [0, {}, {}]", p(), n(), p());
  case 6:
    return fmt::format("{} // {} < {}", p(), p(), n()); // fails where the divisor is 0
  case 7:
    return fmt::format("{} % {} != 1", n(), p());
  default: // is interpreted
    return fmt::format("sum([i for i in range({})]) < {} + {}", p(), p(), n());
  }
}

TEST(SpaceEnumeration, AgreesWithTestingAllPointsInRandomSpaces) {
  int full = 0;
  int failing = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    RandomStream random(5, "spaces", i);
    std::vector<TunableParameter> parameters;
    const std::size_t count = 1 + random.below(5);
    for (std::size_t p = 0; p < count; ++p) {
      std::vector<std::int64_t> values;
      for (std::size_t v = 0; v < 1 + random.below(4); ++v) {
        values.push_back(static_cast<std::int64_t>((v * 7 + p * 3 + i) % 11));
      }
      parameters.push_back(integer_parameter(fmt::format("p{}", p), values));
    }
    std::vector<std::string> restrictions(random.below(5));
    for (std::string& r : restrictions) {
      r = random_restriction(random, count);
    }
    const TunableSpec spec = spec_of(parameters, restrictions);
    const auto expected = by_testing_all(spec);
    if (!expected) {
      ++failing;
      EXPECT_NE(user_error([&] { (void)valid_components(spec); }).find("division by zero"),
                std::string::npos);
    } else if (!expected->empty()) {
      ++full;
      EXPECT_EQ(enumerated(spec), *expected) << i;
      EXPECT_EQ(count_valid(spec), expected->size());
    }
  }
  EXPECT_GT(full, 150);
  EXPECT_GT(failing, 20);
}

TEST(SpaceEnumeration, AnErrorCountsOnlyWhereNoOtherRestrictionRulesThePointOut) {
  const auto a = integer_parameter("a", {0, 1, 2});
  const auto b = integer_parameter("b", {0, 1, 2});
  EXPECT_EQ(enumerated(spec_of({a, b}, {"b % a == 0", "a > 0"})).size(), 5U);
  EXPECT_EQ(user_error([&] {
              (void)valid_components(spec_of({a, b}, {"b % a == 0"}));
            }),
            "expression \"b % a == 0\", column 3: division by zero");
  EXPECT_EQ(user_error([&] {
              (void)valid_components(spec_of({a, b}, {"1 // a == 1", "b > 1"}));
            }),
            "expression \"1 // a == 1\", column 3: division by zero");
}

TEST(SpaceEnumeration, AValueThatIsListedTwiceCountsOnce) {
  const TunableSpec spec = spec_of({integer_parameter("a", {3, 1, 3})}, {});
  EXPECT_EQ(enumerated(spec), (std::vector<std::string>{"a=3", "a=1"}));
  EXPECT_EQ(count_valid(spec), 2U);
}

TEST(SpaceEnumeration, NeverWalksTheProductOfComponents) {
  const TunableSpec spec = test::independent_space(12);
  EXPECT_EQ(cartesian_size(spec), 1'000'000'000'000U);
  EXPECT_EQ(count_valid(spec), 500'000'000'000U);
  EXPECT_EQ(valid_components(spec).size(), 11U);
  EXPECT_EQ(count_valid(test::independent_space(40)), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(user_error([&] { (void)valid_configurations(spec); }),
            "independent: 500,000,000,000 valid configurations cannot be listed; allowed: "
            "33,554,432");
}

TEST(SpaceEnumeration, TakesRestrictionsThatJoinAllParameters) {
  const TunableSpec spec = test::gemm_space();
  EXPECT_EQ(cartesian_size(spec), 163'840'000U);
  const auto components = valid_components(spec);
  ASSERT_EQ(components.size(), 1U);
  EXPECT_EQ(components[0].size(), count_valid(spec));
  // Each is valid, and the order is lexicographic.
  for (std::size_t row = 0; row < components[0].size(); row += 997) {
    Configuration c = spec.default_configuration();
    for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
      c.set(spec.parameters[p].name,
            spec.parameters[p].values[components[0].rows[row * spec.parameters.size() + p]]);
    }
    EXPECT_EQ(spec.violated_restriction(c), std::nullopt) << c.key();
  }
}

TEST(SpaceEnumeration, AnEmptySpaceOfManyPointsNamesTheRestrictionByASample) {
  TunableSpec spec = test::gemm_space();
  add_restriction(spec, "m_tile > 1000");
  EXPECT_EQ(count_valid(spec), 0U);
  const std::string message = user_error([&] { (void)valid_components(spec); });
  EXPECT_NE(message.find("gemm: no configuration satisfies the restrictions; "), std::string::npos);
  EXPECT_NE(message.find(" removed the most: about "), std::string::npos) << message;
  EXPECT_EQ(user_error([&] {
              (void)valid_components(spec_of({integer_parameter("a", {1, 2})}, {"1 > 2"}));
            }),
            "space: no configuration satisfies the restrictions; \"1 > 2\" removed the most: 2 of "
            "2");
}

} // namespace
} // namespace coulomb::kernel
