// SPDX-License-Identifier: Apache-2.0
#include "calibration/alignment.hpp"

#include "base/kernel/spec_lookup.hpp"
#include "synthetic.hpp"

#include <gmock/gmock.h>

namespace coulomb::calibration {
namespace {

using kernel::ParameterValue;
using testing::message_of;

kernel::TunableSpec two_parameter_spec() {
  kernel::TunableSpec spec;
  spec.name = "saxpy";
  spec.origin = "kernels/saxpy/saxpy.json";
  spec.problem_size = {1024};
  spec.parameters.push_back({"mode", "bool", {ParameterValue{false}, ParameterValue{true}}, false});
  spec.parameters.push_back({"x",
                             "int",
                             {ParameterValue{std::int64_t{1}}, ParameterValue{std::int64_t{2}}},
                             std::int64_t{1}});
  return spec;
}

results::SiliconTable table_with_defaults() {
  auto table = testing::synthetic_table(3, 1, 0);
  table.metadata.problem_size = {1024};
  table.metadata.defaults = {{"mode", std::int64_t{1}}};
  for (auto& row : table.rows) {
    auto entries = row.parameters.entries();
    entries.emplace_back("mode", std::int64_t{1});
    row.parameters = kernel::Configuration(entries);
  }
  return table;
}

TEST(Alignment, WritesRowsAsTheSpecDoes) {
  const auto table = align(table_with_defaults(), two_parameter_spec());
  for (const auto& row : table.rows) {
    if (row.time_ms == 2.0) {
      EXPECT_EQ(row.parameters.key(), "mode=true x=2");
      EXPECT_EQ(row.exclusion, "");
    }
  }
}

TEST(Alignment, ExcludesRowsOutsideTheSpecsLists) {
  const auto table = align(table_with_defaults(), two_parameter_spec());
  EXPECT_EQ(table.eligible_count(), 2u);             // x = 3 is not listed
  EXPECT_EQ(table.excluded().at(kOutsideSpace), 2u); // nor x = 0 of the failing row
}

TEST(Alignment, RefusesAnotherProblemSize) {
  auto table = table_with_defaults();
  table.metadata.problem_size = {2048, 2};
  EXPECT_EQ(message_of([&] { (void)align(table, two_parameter_spec()); }),
            "dir/synthetic.csv.gz was measured on problem size [2048, 2], but "
            "kernels/saxpy/saxpy.json has "
            "[1024]");
}

TEST(Alignment, RefusesParametersThatOneSideLacks) {
  auto table = table_with_defaults();
  table.metadata.defaults.clear();
  EXPECT_EQ(message_of([&] { (void)align(table, two_parameter_spec()); }),
            "dir/synthetic.toml says nothing about parameter mode of saxpy");
  table = table_with_defaults();
  table.metadata.parameters.push_back("moode");
  EXPECT_EQ(message_of([&] { (void)align(table, two_parameter_spec()); }),
            "dir/synthetic.toml: moode is not a parameter of saxpy (did you mean \"mode\"?)");
}

/// Every shipped table lies in the space of the shipped kernel that it names, and breaks none of
/// its restrictions.
TEST(Alignment, FindsEveryRowOfTheShippedTablesInItsSpec) {
  const std::string home = COULOMB_SOURCE_DIR;
  for (const char* name : {"convolution_A100-PCIE-40GB", "convolution_RTX-A4000_2023-12",
                           "dedispersion_A100-PCIE-40GB", "bat_convolution_RTX-3090",
                           "bat_gemm_RTX-3090_half", "elementwise_A100-PCIE-40GB"}) {
    auto table =
        results::SiliconTable::load(results::find_silicon_table(name, home + "/data/silicon"));
    const auto spec = kernel::find_spec(table.metadata.spec, home + "/kernels");
    table = align(std::move(table), spec);
    EXPECT_EQ(table.excluded().count(kOutsideSpace), 0u) << name;
    for (const auto& row : table.rows) {
      ASSERT_EQ(spec.violated_restriction(row.parameters), std::nullopt)
          << name << " row " << row.row;
    }
  }
}

} // namespace
} // namespace coulomb::calibration
