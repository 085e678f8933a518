// SPDX-License-Identifier: Apache-2.0
// Searches that the simulator leads and silicon follows.
#include "base/text.hpp"
#include "tests/e2e/cli/specs.hpp"

#include <csignal>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

class LadderSearch : public testing::Test {
protected:
  void SetUp() override {
    write_small_saxpy(workplace);
    const Json spec = Json::parse(read_file(workplace.path("small.json")));
    // Silicon on which a row's time is its number, except that the last one failed.
    Strings names;
    std::vector<std::string> rows = {""};
    for (const auto& parameter : spec["ConfigurationSpace"]["TuningParameters"]) {
      names.push_back(parameter["Name"]);
      std::vector<std::string> longer;
      for (const std::string& row : rows) {
        for (const auto& value : Json::parse(parameter["Values"].get<std::string>())) {
          longer.push_back(row + value.dump() + ",");
        }
      }
      rows = longer;
    }
    std::string csv = fmt::format("{},status,median_ms\n", fmt::join(names, ","));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      csv += i + 1 < rows.size() ? fmt::format("{}ok,{}\n", rows[i], i + 1) : rows[i] + "error,\n";
    }
    workplace.write("silicon.csv", csv);
    workplace.write("silicon.toml",
                    fmt::format(R"(schema = 1
[board]
gpu = "a100-pcie-40gb"
sm_clock_mhz = 765.0
memory_clock_mhz = 1215.0
clock_note = "a test"
[kernel]
spec = "saxpy"
problem_size = [{}]
parameters = ["{}"]
[kernel.defaults]
[time]
column = "median_ms"
statistic = "a test"
cache_state = "warm"
[status]
column = "status"
[status.words]
ok = "ok"
error = "launch_invalid"
[provenance]
repository = "a test"
commit = "0"
file = "silicon.csv"
licence = "MIT"
copyright = "nobody"
measured = "2026-01-01"
changes = "none"
notes = ["a test"]
)",
                                spec["KernelSpecification"]["ProblemSize"][0].dump(),
                                fmt::join(names, "\", \"")));
  }

  [[nodiscard]] static Strings words(const Strings& more) {
    Strings args = {"search",           "small.json", "--silicon", "replay:silicon.csv",
                    "--silicon-budget", "3",          "--budget",  "6"};
    args.insert(args.end(), more.begin(), more.end());
    return args;
  }
  [[nodiscard]] Result search(const Strings& more) const { return run(workplace, words(more)); }
  [[nodiscard]] std::string refusal(const Strings& args) const {
    const Result result = run(workplace, args);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    return result.err;
  }

  Workplace workplace;
};

/// What a result says of silicon.
Json silicon_of(const Result& result) {
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.json()["silicon"];
}

TEST_F(LadderSearch, MeasuresTheCandidatesThatTheSimulatorFindsBestAndSaysHowNearTheTableTheyCame) {
  COULOMB_NEEDS_NVRTC(workplace);
  const Result result = search({"--robust", "2", "--json", "--out", "a"});
  const Json silicon = silicon_of(result);
  EXPECT_THAT(silicon["device"].get<std::string>(), HasSubstr("silicon.csv"));
  EXPECT_EQ(silicon["budget"], 3);
  EXPECT_LE(silicon["runs"], 3);
  EXPECT_EQ(silicon["optimum_ms"], 1.0);
  EXPECT_DOUBLE_EQ(silicon["regret"].get<double>(), silicon["best_ms"].get<double>() - 1.0);
  EXPECT_EQ(silicon["curve"].back()[1], silicon["best_ms"]);
  EXPECT_EQ(silicon["measured"].size(), silicon["runs"].get<std::size_t>());
  EXPECT_EQ(silicon["rungs"][0]["name"], "sampled");
  EXPECT_EQ(silicon["rungs"][1]["name"], "robust");
  EXPECT_EQ(silicon["rungs"][1]["cost"], 2.0);
  EXPECT_EQ(silicon["agreement"].size(), 4U);
  EXPECT_EQ(silicon["extreme_sizes"].size(), 3U);
  EXPECT_EQ(silicon["gap_model"]["of_this_table"], 0);
  EXPECT_EQ(result.json()["evaluations"], 6);
  EXPECT_THAT(result.err, HasSubstr("none of saxpy on a100-pcie-40gb"));
}

TEST_F(LadderSearch, FindsTheSameWithAnyNumberOfWorkersAndContinuesWithoutAnotherRun) {
  COULOMB_NEEDS_NVRTC(workplace);
  const Json one = silicon_of(search({"--robust", "2", "--jobs", "1", "--json", "--out", "one"}));
  const Json two = silicon_of(search({"--robust", "2", "--jobs", "2", "--json", "--out", "two"}));
  EXPECT_EQ(one, two);
  const auto journal = [this] { return read_file(workplace.path("one/silicon.journal")); };
  const std::string before = journal();
  EXPECT_EQ(silicon_of(search({"--robust", "2", "--json", "--out", "one", "--resume"})), one);
  EXPECT_EQ(journal(), before) << "every run was known";
  const Result other = search({"--robust", "2", "--gap-penalty", "1", "--out", "one", "--resume"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("way to silicon: recorded "));
}

TEST_F(LadderSearch, PrintsItsRungsForAReader) {
  COULOMB_NEEDS_NVRTC(workplace);
  const Result result = search({"--robust", "2", "--without", "gap"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\nrungs      rung         candidates    simulations\n"));
  EXPECT_THAT(result.out, HasSubstr("agreement  sampled    to robust     Spearman"));
  EXPECT_THAT(result.out, HasSubstr("other size smallest"));
  EXPECT_THAT(result.out, HasSubstr("above the table's best, 1 ms"));
}

TEST_F(LadderSearch, WithoutTheSimulatorSiliconAloneLeads) {
  const Result result = search({"--without", "simulator", "--json"});
  const Json silicon = silicon_of(result);
  EXPECT_EQ(silicon["runs"], 3);
  EXPECT_EQ(result.json()["evaluations"], 0);
  // Its runs are nobody else's.
  EXPECT_THAT(refusal(words({"--without", "simulator"})),
              HasSubstr("holds 3 silicon runs already"));
  EXPECT_EQ(silicon_of(search({"--without", "simulator", "--json", "--resume"})), silicon);
}

TEST_F(LadderSearch, AFailureOnSiliconIsARunAndNoNumber) {
  const Json silicon =
      silicon_of(run(workplace, {"search", "small.json", "--silicon", "replay:silicon.csv",
                                 "--silicon-budget", "100", "--without", "simulator",
                                 "--gap-penalty", "0", "--without", "ladder", "--json"}));
  std::size_t failed = 0;
  for (const Json& run : silicon["measured"]) {
    if (run["ms"].is_null()) {
      ++failed;
      EXPECT_THAT(run["problem"].get<std::string>(), StartsWith("launch_invalid"));
    }
  }
  EXPECT_LE(failed, 1U);
  EXPECT_EQ(silicon["best_ms"], 1.0) << "all that promise anything were measured";
}

TEST_F(LadderSearch, RefusesWhatMakesNoSense) {
  EXPECT_THAT(
      refusal(words({"--without", "luck"})),
      StartsWith("error: search: --without luck; there are: simulator, gap, noise, ladder"));
  EXPECT_THAT(refusal(words({"--without", "gap", "--without", "simulator"})),
              HasSubstr("nothing is left to choose by"));
  EXPECT_THAT(refusal(words({"--gap-penalty", "-1"})),
              StartsWith("error: search: --gap-penalty is -1; allowed: 0 to 10"));
  EXPECT_THAT(refusal(words({"--objective", "cycles"})), HasSubstr("the objective must be time"));
  EXPECT_THAT(refusal(words({"--blind"})), HasSubstr("leave one of them out"));
  EXPECT_THAT(refusal({"search", "small.json", "--gpu", kGpu, "--silicon-budget", "3"}),
              StartsWith("error: search: --silicon-budget needs silicon\n"));
  EXPECT_THAT(refusal({"search", "small.json", "--gpu", kGpu, "--gap-penalty", "1"}),
              StartsWith("error: search: --gap-penalty belongs to --silicon-budget\n"));
  EXPECT_THAT(refusal({"search", "small.json", "--silicon", "replay:silicon.csv"}),
              StartsWith("error: search: what is --silicon for?\n"));
  EXPECT_THAT(refusal(words({"--gap-model", "none.json"})), HasSubstr("none.json"));
  EXPECT_THAT(refusal(words({"--gpu", "rtx-3090"})),
              HasSubstr("was measured with saxpy on a100-pcie-40gb, not with saxpy on rtx-3090"));
}

TEST_F(LadderSearch, NeedsADriverForAGpu) {
  const Result result = run(workplace, {"search", "small.json", "--gpu", kGpu, "--silicon",
                                        "device:0", "--silicon-budget", "2", "--budget", "2"});
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.err, HasSubstr("no NVIDIA driver"));
}

} // namespace
} // namespace coulomb::e2e
