// SPDX-License-Identifier: Apache-2.0
#include "base/config/describe.hpp"

#include "base/error.hpp"

#include <cctype>
#include <gtest/gtest.h>
#include <set>
#include <utility>

namespace coulomb::config {
namespace {

/// Converts to whatever a member is, to find out how many members an aggregate has.
struct Anything {
  template <class T>
  operator T() const; // NOLINT: never defined, never called
};

template <class T, class... Members>
consteval std::size_t member_count() {
  if constexpr (requires { T{Members{}..., Anything{}}; }) {
    return member_count<T, Members..., Anything>();
  } else {
    return sizeof...(Members);
  }
}

struct CallCounter {
  std::size_t calls = 0;
  template <class M>
  void field(const FieldSpec&, M&) {
    ++calls;
  }
  template <class M>
  void group(std::string_view, M&) {
    ++calls;
  }
};

template <class T>
std::size_t described_members() {
  CallCounter counter;
  const T config{};
  describe(counter, config);
  return counter.calls;
}

template <class T>
class Describe : public ::testing::Test {};
using Structs = ::testing::Types<FrontEndConfig,
                                 RegisterFileConfig,
                                 PipeConfig,
                                 PipesConfig,
                                 LsuConfig,
                                 L1PrefetchConfig,
                                 L1Config,
                                 SharedMemoryConfig,
                                 SmConfig,
                                 L2Config,
                                 DramConfig,
                                 VoltageConfig,
                                 StaticPowerConfig,
                                 EnergyConfig,
                                 PowerLimitConfig,
                                 PowerSensorConfig,
                                 ThermalConfig,
                                 PowerConfig,
                                 AreaConfig,
                                 GpuConfig>;
TYPED_TEST_SUITE(Describe, Structs);

TYPED_TEST(Describe, NamesEveryMember) {
  EXPECT_EQ(described_members<TypeParam>(), member_count<TypeParam>());
}

TEST(MemberCount, CountsTheMembersOfAKnownStruct) {
  EXPECT_EQ(member_count<PipeConfig>(), 3U);
}

TEST(Fields, EachPointToAMemberOfTheirOwn) {
  GpuConfig config;
  std::set<const void*> places;
  std::set<std::string> names;
  const auto all = fields(config);
  for (const Field& f : all) {
    places.insert(
        std::visit([](auto* member) { return static_cast<const void*>(member); }, f.member));
    names.insert(f.key);
  }
  EXPECT_EQ(places.size(), all.size());
  EXPECT_EQ(names.size(), all.size());
}

TEST(Fields, AreWrittenThroughTheirPointers) {
  GpuConfig config;
  *std::get<std::uint32_t*>(field(config, "sm.l1.size").member) = 7;
  EXPECT_EQ(config.sm.l1.size, 7U);
}

TEST(Fields, EachHaveADescriptionARangeAndASnakeCaseName) {
  GpuConfig config;
  for (const Field& f : fields(config)) {
    SCOPED_TRACE(f.key);
    EXPECT_FALSE(f.spec.doc.empty());
    for (const char c : f.spec.name) {
      EXPECT_TRUE(std::islower(c) != 0 || std::isdigit(c) != 0 || c == '_');
    }
    if (f.spec.unit != Unit::text && f.spec.unit != Unit::flag) {
      EXPECT_LT(f.spec.min, f.spec.max);
    }
  }
}

TEST(Fields, FloatingPointNamesCarryTheirUnit) {
  GpuConfig config;
  for (const Field& f : fields(config)) {
    const std::string_view name = f.spec.name;
    EXPECT_EQ(f.spec.unit == Unit::nanoseconds, name.ends_with("_ns")) << f.key;
    EXPECT_EQ(f.spec.unit == Unit::microseconds, name.ends_with("_us")) << f.key;
    EXPECT_EQ(f.spec.unit == Unit::megahertz, name.ends_with("_mhz")) << f.key;
  }
}

TEST(Fields, KeepTheOrderOfTheStructs) {
  const auto all = keys();
  EXPECT_EQ(all.front(), "id");
  EXPECT_EQ(all.back(), "area.error_band");
  EXPECT_EQ(all.size(), 237U);
}

TEST(Field, UnknownKeyNamesTheNearest) {
  GpuConfig config;
  try {
    (void)field(config, "sm.l1.siez");
    FAIL() << "no error";
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(),
                 "unknown configuration key \"sm.l1.siez\" (did you mean \"sm.l1.size\"?)");
    EXPECT_EQ(e.hint(), "all keys: coulomb config list");
  }
}

} // namespace
} // namespace coulomb::config
