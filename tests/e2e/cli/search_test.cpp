// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

Strings search(const std::string& spec, const std::string& out, const Strings& more) {
  Strings args = {"search", spec, "--gpu", kGpu, "--out", out, "--json"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

void expect_independent_of_jobs(const Workplace& workplace,
                                const std::string& spec,
                                const std::string& budget) {
  const Result one =
      run(workplace, search(spec, "one", {"--budget", budget, "--seed", "7", "--jobs", "1"}));
  const Result two =
      run(workplace, search(spec, "two", {"--budget", budget, "--seed", "7", "--jobs", "2"}));
  ASSERT_EQ(one.exit_code, 0) << one.err;
  ASSERT_EQ(two.exit_code, 0) << two.err;
  EXPECT_EQ(one.json()["best"], two.json()["best"]);
  EXPECT_EQ(one.json()["statuses"], two.json()["statuses"]);
  EXPECT_EQ(one.json()["evaluations"], std::stoi(budget));
  const Json evaluations = recorded_evaluations(workplace, "one");
  EXPECT_EQ(evaluations.size(), std::stoul(budget));
  EXPECT_EQ(evaluations, recorded_evaluations(workplace, "two"))
      << "configurations, times, counters and stalls in the same order";
}

TEST(Search, FindsTheSameOfSaxpyWithOneJobAndWithTwo) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  expect_independent_of_jobs(workplace, "small.json", "40");
}

TEST(Search, FindsTheSameOfConvolutionWithOneJobAndWithTwo) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_tiny_convolution(workplace);
  expect_independent_of_jobs(workplace, "tiny.json", "8");
}

TEST(Search, PrintsEveryKeyOfTheContract) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  const Result result = run(workplace, search("small.json", "out", {"--budget", "6"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  Json j = result.json();
  EXPECT_THAT(keys(j),
              IsSupersetOf({"schema",  "version",     "spec",       "gpu",      "budget",
                            "jobs",    "seed",        "out",        "best",     "evaluations",
                            "unique",  "simulations", "space_size", "strategy", "lookahead",
                            "origins", "stopped_by",  "statuses",   "fidelity", "host"}));
  EXPECT_THAT(keys(j["best"]), IsSupersetOf({"params", "time_ms", "cycles", "id", "origin"}));
  EXPECT_THAT(
      keys(j["statuses"]),
      IsSupersetOf({"ok", "restricted", "compile_failed", "compile_timeout", "launch_invalid",
                    "unsupported", "wrong_result", "deadlock", "timeout", "crashed"}));
  EXPECT_EQ(j["space_size"], 72);
  EXPECT_EQ(j["stopped_by"], "budget");
  EXPECT_EQ(j["statuses"]["ok"], 6);
  EXPECT_EQ(recorded_evaluations(workplace, "out")[0]["configuration"],
            Json::parse(R"({"block_size": 256, "elements_per_thread": 4, "vector_width": 4})"))
      << "the spec's defaults come first";
  EXPECT_EQ(result.out, read(workplace, "out/result.json"));
  EXPECT_TRUE(std::filesystem::exists(workplace.path("out/search.h5")));
}

TEST(Search, OfAnExhaustedSpaceEvaluatesEachConfigurationOnce) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  const Result result = run(workplace, search("small.json", "out", {"--budget", "1000"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  Json j = result.json();
  EXPECT_EQ(j["stopped_by"], "exhausted");
  EXPECT_EQ(j["evaluations"], 72);
  EXPECT_EQ(j["unique"], 72);
}

TEST(Search, BestIsWhatARunOfItMeasures) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  ASSERT_EQ(run(workplace, search("small.json", "out", {"--budget", "12"})).exit_code, 0);
  Json best = run(workplace, {"search", "best", "out", "--json"}).json()["best"][0];
  Strings args = {"run", "small.json", "--gpu", kGpu, "--json"};
  for (const auto& [name, value] : best["params"].items()) {
    args.insert(args.end(), {"--param", name + "=" + value.dump()});
  }
  const Json again = run(workplace, args).json();
  EXPECT_EQ(again["params"], best["params"]);
  EXPECT_EQ(again["time_ms"], best["time_ms"]);
}

TEST(Search, TellsPeopleTheNextStep) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  const Result result =
      run(workplace, {"search", "small.json", "--gpu", kGpu, "--out", "out", "--budget", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("3 of 3 evaluations"));
  EXPECT_THAT(result.out, HasSubstr("saved      out\n"));
  EXPECT_THAT(result.out, HasSubstr("next       coulomb run small.json --gpu " + kGpu));
}

TEST(SearchExport, GivesOneLineOrResultPerEvaluation) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  ASSERT_EQ(run(workplace, search("small.json", "out", {"--budget", "5"})).exit_code, 0);
  const Result csv = run(workplace, {"search", "export", "out", "--format", "csv"});
  EXPECT_EQ(csv.exit_code, 0) << csv.err;
  EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 6) << "with the header";
  EXPECT_THAT(csv.out, HasSubstr("id,origin,status,time_ms,cycles,block_size,"
                                 "elements_per_thread,vector_width,"));
  const Result t4 = run(workplace, {"search", "export", "out", "--format", "t4", "-o", "t4.json"});
  EXPECT_EQ(t4.exit_code, 0) << t4.err;
  EXPECT_EQ(t4.out, "saved t4.json\n");
  const Json results = Json::parse(read(workplace, "t4.json"));
  EXPECT_THAT(keys(results), IsSupersetOf({"schema_version", "results"}));
  ASSERT_EQ(results["results"].size(), 5U);
  EXPECT_EQ(results["results"][0]["invalidity"], "correct");
}

TEST(SearchExport, RefusesAnUnknownFormat) {
  const Workplace workplace;
  const Result result = run(workplace, {"search", "export", "out", "--format", "t5"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("search export: unknown format t5"));
  EXPECT_THAT(result.err, HasSubstr("one of: csv, json, t4, features, h5"));
}

TEST(SearchStatus, OfADirectoryWithoutASearchSaysHowToStartOne) {
  const Workplace workplace;
  Json error = error_of(run(workplace, {"search", "status", "nowhere", "--json"}), "input");
  EXPECT_EQ(error["message"], "nowhere holds no search: there is no nowhere/search.journal");
  EXPECT_EQ(error["hint"], "start one with: coulomb search SPEC --gpu GPU --out DIR");
}

} // namespace
} // namespace coulomb::e2e
