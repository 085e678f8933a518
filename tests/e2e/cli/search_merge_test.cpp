// SPDX-License-Identifier: Apache-2.0
// Several searches made one, and a search that only estimates.
#include "tests/e2e/cli/specs.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

/// A blind search of recorded measurements, which takes no time.
Result blind(const Workplace& workplace, const std::string& out, const std::string& seed) {
  return run(workplace,
             {"search", "convolution", "--silicon", "replay:convolution/convolution_A100-PCIE-40GB",
              "--blind", "--strategy", "random", "--budget", "400", "--seed", seed, "--out", out});
}

TEST(SearchMerge, KeepsEachConfigurationOnceAndTheBestOfAll) {
  const Workplace workplace;
  ASSERT_EQ(blind(workplace, "a", "1").exit_code, 0);
  ASSERT_EQ(blind(workplace, "b", "2").exit_code, 0);
  const Result merged = run(workplace, {"search", "merge", "a", "b", "--out", "ab", "--json"});
  ASSERT_EQ(merged.exit_code, 0) << merged.err;
  std::set<std::string> configurations;
  double best = 1e9;
  for (const char* dir : {"a", "b"}) {
    for (const Json& e : recorded_evaluations(workplace, dir)) {
      configurations.insert(e["configuration"].dump());
      best = std::min(best, e.value("time_ms", 1e9));
    }
  }
  EXPECT_LT(configurations.size(), 800U) << "they have some in common";
  EXPECT_EQ(merged.json()["evaluations"], configurations.size());
  EXPECT_EQ(merged.json()["unique"], configurations.size());
  EXPECT_EQ(merged.json()["best"]["time_ms"], best);
  EXPECT_EQ(merged.json()["strategy"], "merged");
  EXPECT_EQ(merged.err, std::to_string(800 - configurations.size()) +
                            " evaluations were of configurations that an earlier directory has, "
                            "too\n");
  EXPECT_TRUE(std::filesystem::exists(workplace.path("ab/search.h5")));
  const auto evaluations = recorded_evaluations(workplace, "ab");
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    ASSERT_EQ(evaluations[i]["id"], i);
  }
}

TEST(SearchMerge, RefusesWhatDoesNotBelongTogether) {
  const Workplace workplace;
  ASSERT_EQ(blind(workplace, "a", "1").exit_code, 0);
  const Result other = run(workplace, {"search", "convolution", "--silicon",
                                       "replay:convolution/convolution_RTX-A4000_2023-12",
                                       "--blind", "--budget", "3", "--out", "b"});
  ASSERT_EQ(other.exit_code, 0) << other.err;
  const Result merged = run(workplace, {"search", "merge", "a", "b", "--out", "ab"});
  EXPECT_EQ(merged.exit_code, 2);
  EXPECT_THAT(merged.err, HasSubstr("b cannot be merged with a:\n  gpu: recorded a100-pcie-40gb, "
                                    "now rtx-a4000"));
  EXPECT_FALSE(std::filesystem::exists(workplace.path("ab")));
  const Result one = run(workplace, {"search", "merge", "a", "--out", "ab"});
  EXPECT_EQ(one.exit_code, 2);
  EXPECT_THAT(one.err, HasSubstr("found 1 directories, needs 2 or more"));
  const Result nowhere = run(workplace, {"search", "merge", "a", "a"});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("--out is missing"));
  const Result onto = run(workplace, {"search", "merge", "a", "b", "--out", "a"});
  EXPECT_EQ(onto.exit_code, 2);
}

TEST(SearchDryRun, EstimatesAndStoresNothing) {
  Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  const Result result = run(workplace, {"search", "small.json", "--gpu", kGpu, "--budget", "1000",
                                        "--out", "none", "--dry-run", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json json = result.json();
  EXPECT_EQ(json["probes"]["count"], 8);
  EXPECT_EQ(json["probes"]["ok"], 8);
  EXPECT_EQ(json["evaluations"], json["space_size"]) << "no more than there are";
  EXPECT_GT(json["wall_s"], 0.0);
  EXPECT_GT(json["sim_s"], 0.0);
  EXPECT_FALSE(std::filesystem::exists(workplace.path("none")));
  EXPECT_THAT(run(workplace, {"search", "small.json", "--gpu", kGpu, "--dry-run"}).out,
              HasSubstr("give or take"));
}

} // namespace
} // namespace coulomb::e2e
