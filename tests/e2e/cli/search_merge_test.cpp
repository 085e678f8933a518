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
  EXPECT_THAT(run(workplace, {"search", "status", "ab"}).out,
              HasSubstr("\nnext       coulomb run convolution"))
      << "a merge cannot be continued";
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

/// Kernel and GPU are searched together; the clock moves time in proportion and nothing else.
TEST(SearchGenes, AreKeysOfTheGpuFileThatTheSearchSets) {
  Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  const Strings args = {"search",   "small.json",
                        "--gpu",    kGpu,
                        "--gene",   "sm.l1.size=192 KiB,256 KiB",
                        "--gene",   "sm_clock_mhz=705 MHz,1410 MHz",
                        "--budget", "24",
                        "--out",    "genes",
                        "--json"};
  const Result result = run(workplace, args);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto evaluations = recorded_evaluations(workplace, "genes");
  EXPECT_EQ(evaluations[0]["configuration"]["sm.l1.size"], "192 KiB") << "the GPU's own is first";
  EXPECT_EQ(evaluations[0]["configuration"]["sm_clock_mhz"], "1410 MHz");
  std::set<std::string> clocks;
  for (const Json& e : evaluations) {
    ASSERT_EQ(e["status"], "ok") << e.dump();
    clocks.insert(e["configuration"]["sm_clock_mhz"]);
    const double mhz = e["configuration"]["sm_clock_mhz"] == "705 MHz" ? 705.0 : 1410.0;
    EXPECT_NEAR(e["cycles"].get<double>() / e["time_ms"].get<double>(), mhz * 1e3, 1.0);
  }
  EXPECT_EQ(clocks.size(), 2U);
  // The command that repeats the best sets the keys, and finds the same.
  const std::string status = run(workplace, {"search", "status", "genes"}).out;
  EXPECT_THAT(status, HasSubstr("--set 'sm.l1.size="));
  const Json best = result.json()["best"];
  Strings repeat = {"run", "small.json", "--gpu", kGpu, "--json"};
  for (const auto& [name, value] : best["params"].items()) {
    const bool gene = name == "sm.l1.size" || name == "sm_clock_mhz";
    repeat.insert(repeat.end(),
                  {gene ? "--set" : "--param",
                   name + "=" + (value.is_string() ? value.get<std::string>() : value.dump())});
  }
  EXPECT_EQ(run(workplace, repeat).json()["time_ms"], best["time_ms"]);
}

TEST(SearchGenes, ThatAreWrongAreRefused) {
  Workplace workplace;
  write_small_saxpy(workplace);
  const auto refused = [&](const std::string& gene) {
    const Result result = run(workplace, {"search", "small.json", "--gpu", kGpu, "--gene", gene,
                                          "--set", "sm.l1.miss_status_entries=64"});
    EXPECT_EQ(result.exit_code, 2) << gene;
    return result.err;
  };
  EXPECT_THAT(refused("sm.l1.sise=1 KiB,2 KiB"), HasSubstr("sm.l1.size"));
  EXPECT_THAT(refused("sm.l1.size=192 KiB"), HasSubstr("has 1 values, needs 2 or more"));
  EXPECT_THAT(refused("sm.l1.size"), HasSubstr("has 0 values"));
  EXPECT_THAT(refused("sm.l1.size=64 KiB,192 KiB"), HasSubstr("leaves nothing"));
  EXPECT_THAT(refused("sm.l1.size=192 KiB,big"), HasSubstr("sm.l1.size"));
  EXPECT_THAT(refused("sm.l1.size=192 KiB,192 KiB"), HasSubstr("has the value 192 KiB twice"));
  EXPECT_THAT(refused("sm.l1.miss_status_entries=32,64"), HasSubstr("both in --gene and in --set"));
}

} // namespace
} // namespace coulomb::e2e
