// SPDX-License-Identifier: Apache-2.0
// The spaces and launches of the kernels in kernels/, and their lookup.
#include "base/kernel/space_enumeration.hpp"
#include "base/kernel/spec_lookup.hpp"

#include "kernels/oracles.hpp"
#include "tests/unit/kernel/support.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>

namespace coulomb::kernel {
namespace {

using test::user_error;

const std::string kKernels = std::string(COULOMB_SOURCE_DIR) + "/kernels";

TEST(Kernels, AreFoundByNameAndListed) {
  EXPECT_EQ(list_kernels(kKernels),
            (std::vector<std::string>{"convolution", "convolution_bat", "dedispersion",
                                      "elementwise", "hgemm", "saxpy", "sgemm"}));
  EXPECT_EQ(find_spec("sgemm", kKernels).name, "sgemm");
  EXPECT_EQ(find_spec(kKernels + "/saxpy/saxpy.json", kKernels).name, "saxpy");
  EXPECT_EQ(user_error([] { (void)find_spec("convolutoin", kKernels); }),
            "unknown kernel \"convolutoin\" (did you mean \"convolution\"?); kernels: convolution, "
            "convolution_bat, dedispersion, elementwise, hgemm, saxpy, sgemm");
  EXPECT_EQ(user_error([] { (void)list_kernels("/nonexistent"); }),
            "cannot list kernels in /nonexistent: No such file or directory");
}

TEST(Kernels, EachHasSourceOracleAndDescription) {
  const auto oracles = kernels::oracle_names();
  for (const std::string& name : list_kernels(kKernels)) {
    const TunableSpec spec = find_spec(name, kKernels);
    EXPECT_EQ(spec.name, name);
    EXPECT_TRUE(std::filesystem::exists(spec.source_path)) << spec.source_path;
    EXPECT_FALSE(spec.description.empty()) << name;
    EXPECT_TRUE(std::count(oracles.begin(), oracles.end(), spec.oracle)) << name;
    EXPECT_EQ(spec.violated_restriction(spec.default_configuration()), std::nullopt) << name;
  }
}

/// Sizes of the published brute-forced tables: 4362 and 11130 rows (A100), 6768 and 17956 rows (RTX
/// 3090).
TEST(Kernels, SpacesHaveTheSizesOfThePublishedTables) {
  EXPECT_EQ(count_valid(find_spec("convolution", kKernels)), 4362U);
  EXPECT_EQ(count_valid(find_spec("convolution_bat", kKernels)), 6768U);
  EXPECT_EQ(count_valid(find_spec("dedispersion", kKernels)), 11130U);
  EXPECT_EQ(count_valid(find_spec("sgemm", kKernels)), 17956U);
  EXPECT_EQ(count_valid(find_spec("saxpy", kKernels)), 72U);
  EXPECT_EQ(count_valid(find_spec("hgemm", kKernels)), 762U);
}

TEST(Kernels, ConvolutionLaunch) {
  const TunableSpec spec = find_spec("convolution", kKernels);
  const Launch launch = spec.launch(
      spec.configuration({"block_size_x=48", "block_size_y=2", "tile_size_x=3", "tile_size_y=4"}));
  EXPECT_EQ(launch.grid, (Dim3{29, 512, 1}));
  EXPECT_EQ(launch.block, (Dim3{48, 2, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 0U);
  ASSERT_EQ(launch.arguments.size(), 3U);
  EXPECT_EQ(launch.arguments[0].count, 4096U * 4096U);
  EXPECT_EQ(launch.arguments[1].count, 4110U * 4110U);
  EXPECT_EQ(launch.arguments[2].count, 225U);
  EXPECT_EQ(launch.arguments[2].constant_symbol, "d_filter");
  EXPECT_TRUE(launch.arguments[2].passed);
}

/// The published measurements divided the grid by the block alone: surplus blocks exit.
TEST(Kernels, DedispersionLaunchCoversTheProblemWhateverTheTile) {
  const TunableSpec spec = find_spec("dedispersion", kKernels);
  const Launch launch = spec.launch(spec.configuration(
      {"block_size_x=16", "block_size_y=40", "tile_size_x=3", "tile_size_y=8", "tile_stride_x=1"}));
  EXPECT_EQ(launch.grid, (Dim3{1563, 52, 1}));
  EXPECT_EQ(launch.block, (Dim3{16, 40, 1}));
  ASSERT_EQ(launch.arguments.size(), 3U);
  EXPECT_EQ(launch.arguments[0].count, 1536U * 25650U);
  EXPECT_EQ(launch.arguments[0].type, ElementType::u8);
  EXPECT_EQ(launch.arguments[1].count, 2048U * 25000U);
  EXPECT_TRUE(launch.arguments[1].output);
  EXPECT_EQ(launch.arguments[2].count, 1536U);
}

/// 4148.808 s * (1 / 1425^2 - 1 / 1724.8046875^2) / 40.96 us = 15.8335 samples per unit of DM.
TEST(Kernels, DedispersionDelaysFallFromTheLowestFrequencyToNothingAtTheHighest) {
  const TunableSpec spec = find_spec("dedispersion", kKernels);
  const Launch launch = spec.launch(spec.default_configuration());
  const std::vector<std::uint8_t> bytes = initial_contents(launch.arguments[2]);
  std::vector<float> shifts(1536);
  ASSERT_EQ(bytes.size(), shifts.size() * sizeof(float));
  std::memcpy(shifts.data(), bytes.data(), bytes.size());
  EXPECT_NEAR(shifts.front(), 15.83346F, 1e-5F);
  EXPECT_EQ(shifts.back(), 0.0F);
  EXPECT_TRUE(std::is_sorted(shifts.rbegin(), shifts.rend()));
}

TEST(Kernels, SgemmLaunch) {
  const TunableSpec spec = find_spec("sgemm", kKernels);
  const Launch launch = spec.launch(spec.configuration({"MWG=128", "NWG=32"}));
  EXPECT_EQ(launch.grid, (Dim3{32, 128, 1}));
  EXPECT_EQ(launch.block, (Dim3{16, 16, 1}));
  EXPECT_EQ(launch.arguments[2].fill.value, 4096.0);
}

TEST(Kernels, HgemmLaunch) {
  const TunableSpec spec = find_spec("hgemm", kKernels);
  const Launch launch =
      spec.launch(spec.configuration({"BLOCK_M=256", "BLOCK_N=64", "WARPS_M=4", "STAGES=3"}));
  EXPECT_EQ(launch.grid, (Dim3{64, 16, 1}));
  EXPECT_EQ(launch.block, (Dim3{256, 1, 1}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 3U * 2U * 32U * (256U + 64U));
  ASSERT_EQ(launch.arguments.size(), 5U);
  EXPECT_EQ(launch.arguments[2].type, ElementType::f16);
  EXPECT_EQ(launch.arguments[4].count, 4096U * 4096U);
  EXPECT_EQ(spec.violated_restriction(spec.configuration({"WARPS_M=1"})),
            "(BLOCK_M // WARPS_M) * (BLOCK_N // WARPS_N) <= 4096");
}

TEST(SpaceEnumeration, AgreesWithTestingEveryPointOfTheProduct) {
  const TunableSpec spec = find_spec("saxpy", kKernels);
  std::set<std::string> expected;
  for (const auto& block : spec.parameters[0].values) {
    for (const auto& elements : spec.parameters[1].values) {
      for (const auto& width : spec.parameters[2].values) {
        const Configuration c(
            {{"block_size", block}, {"elements_per_thread", elements}, {"vector_width", width}});
        if (!spec.violated_restriction(c)) {
          expected.insert(c.key());
        }
      }
    }
  }
  std::set<std::string> found;
  for (const Configuration& c : valid_configurations(spec)) {
    EXPECT_TRUE(found.insert(c.key()).second) << "twice: " << c.key();
  }
  EXPECT_EQ(found, expected);
  EXPECT_EQ(cartesian_size(spec), 90U);
}

TEST(SpaceEnumeration, AnEmptySpaceNamesTheRestrictionThatRemovedTheMost) {
  const auto spec = TunableSpec::parse(R"({
    "ConfigurationSpace": {
      "TuningParameters": [{"Name": "a", "Type": "int", "Values": [1, 2, 3, 4]},
                           {"Name": "b", "Type": "int", "Values": [1, 2]}],
      "Conditions": [{"Expression": "a > 3"}, {"Expression": "a * b > 100"}]},
    "KernelSpecification": {"KernelName": "k", "KernelFile": "k.cu"}})",
                                       "e.json");
  EXPECT_EQ(count_valid(spec), 0U);
  EXPECT_EQ(user_error([&] { (void)valid_configurations(spec); }),
            "e.json: no configuration satisfies the restrictions; \"a * b > 100\" removed the "
            "most: 8 of 8");
}

} // namespace
} // namespace coulomb::kernel
