// SPDX-License-Identifier: Apache-2.0
// Several runs by --axis, and a run against a saved one.
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

Strings small(const Strings& more) {
  Strings args = {"run", "small.json", "--gpu", kGpu};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

/// What does not depend on the host.
Json without_host(Json run) {
  run.erase("host");
  run.erase("axis");
  return run;
}

class RunAxis : public testing::Test {
protected:
  void SetUp() override {
    COULOMB_NEEDS_NVRTC(workplace);
    write_small_saxpy(workplace);
  }
  Workplace workplace;
};

TEST_F(RunAxis, GivesForEachValueWhatARunOfItsOwnGives) {
  const Result result = run(workplace, small({"--axis", "l2.hit_latency=150:350:100", "--axis",
                                              "block_size=128,256", "--jobs", "2", "--json"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json all = result.json();
  ASSERT_EQ(all.size(), 6U);
  std::size_t i = 0;
  for (const int latency : {150, 250, 350}) {
    for (const int block : {128, 256}) {
      const Json expected = {{"l2.hit_latency", latency}, {"block_size", block}};
      EXPECT_EQ(all[i]["axis"], expected) << "the last axis runs fastest";
      EXPECT_EQ(all[i]["status"], "ok");
      ++i;
    }
  }
  const Json one =
      run(workplace, small({"--set", "l2.hit_latency=250", "--param", "block_size=256", "--json"}))
          .json();
  EXPECT_EQ(without_host(all[3]), without_host(one));
  const Json alone = run(workplace, small({"--axis", "l2.hit_latency=250", "--axis",
                                           "block_size=256", "--jobs", "1", "--json"}))
                         .json();
  EXPECT_EQ(without_host(alone[0]), without_host(one)) << "whatever the jobs";
}

TEST_F(RunAxis, PrintsATableAndTheCommandOfTheFastest) {
  const Strings args = small({"--axis", "sm_clock_mhz=1 GHz, 1.4 GHz", "--param", "block_size=64"});
  const Result result = run(workplace, args);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("kernel     saxpy   block_size=64 elements_per_thread=4 "
                                     "vector_width=4\ngpu        a100-pcie-40gb\n\n"));
  EXPECT_THAT(
      result.out,
      ContainsRegex(
          "\n  sm_clock_mhz +time +cycles +speed-up +power +energy  limiter +top stall\n"
          "         1 GHz +[0-9.]+ us +[0-9,]+     1\\.000 +[0-9]+ W +[0-9.]+ mJ  [a-zA-Z0-9 ]+ "
          "[0-9.]+ %\n"
          "       1\\.4 GHz +[0-9.]+ us +[0-9,]+     1\\.[0-9]+  "));
  EXPECT_THAT(result.out, HasSubstr("\nfastest    coulomb run small.json --gpu a100-pcie-40gb "
                                    "--param block_size=64 --set 'sm_clock_mhz=1.4 GHz'\n"
                                    "reproduce  coulomb run small.json --gpu a100-pcie-40gb --axis "
                                    "'sm_clock_mhz=1 GHz, 1.4 GHz' --param block_size=64\n"));
}

TEST_F(RunAxis, SaysWhichRunsAreNotOk) {
  const Result result =
      run(workplace, small({"--axis", "elements_per_thread=1,4", "--axis", "vector_width=4"}));
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.err, "1 of 2 runs are not ok\n");
  EXPECT_THAT(result.out,
              ContainsRegex("\n +1 +4 +- +- +- +- +- +- +- +restricted\n +4 +4 .* us .*  ok\n"));
  EXPECT_THAT(result.out, HasSubstr("\nline 1      violates the restriction elements_per_thread % "
                                    "vector_width == 0\n"));
}

TEST_F(RunAxis, NamesEveryWrongValueAtOnce) {
  const Result result =
      run(workplace, small({"--axis", "l2.hit_latncy=150", "--axis", "block_size=100,256", "--axis",
                            "sm.l1.size=64 KiB:1 MiB:64 KiB", "--axis", "dram.channels=0,x",
                            "--axis", "sms=1:9:0", "--axis", "sms=3", "--axis", "l2.slices",
                            "--axis", "seed=1:9999:1"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "error: --axis l2.hit_latncy=150: \"l2.hit_latncy\" is neither a parameter of kernel "
            "saxpy nor a configuration key (did you mean \"l2.hit_latency\"?)\n"
            "error: --axis block_size=100 is not a value of kernel saxpy; allowed: 32, 64, 128, "
            "256, 512, 1024\n"
            "error: --axis sm.l1.size: FROM, TO and STEP have the units \"KiB\", \"MiB\" and "
            "\"KiB\"; give all the same\n"
            "error: --axis dram.channels: out of range; allowed: 1 to 1024; found \"0\"\n"
            "error: --axis dram.channels: expected a whole number, e.g. 80; found \"x\"\n"
            "error: --axis sms: steps of 0 do not lead from 1 to 9\n"
            "error: --axis sms is given twice\n"
            "error: --axis l2.slices: expected KEY=V1,V2,... or KEY=FROM:TO:STEP, e.g. "
            "l2.hit_latency=150:300:50\n"
            "error: --axis seed=1:9999:1: \"seed\" is neither a parameter of kernel saxpy nor a "
            "configuration key\n"
            "  keys of the GPU: coulomb config list; parameters of a kernel: coulomb kernels show "
            "NAME\n");
}

TEST_F(RunAxis, BoundsTheNumberOfRuns) {
  const auto error = [&](const Strings& axes) { return run(workplace, small(axes)).err; };
  EXPECT_THAT(error({"--axis", "l2.hit_latency=1:9999:1"}),
              StartsWith("error: --axis l2.hit_latency: 1 to 9999 in steps of 1 are 9999 values; "
                         "allowed: 1 to 4096\n"));
  EXPECT_THAT(error({"--axis", "l2.hit_latency=100:199:1", "--axis", "dram.channels=1:42:1"}),
              StartsWith("error: --axis asks for 4200 runs; allowed: 1 to 4096\n"));
}

TEST_F(RunAxis, NamesRelationsThatARunWouldBreak) {
  const Result result =
      run(workplace, small({"--axis", "sm.l1.size=64 KiB,192 KiB", "--axis", "block_size=64,128"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "error: after --set sm.l1.size=64 KiB: sm.shared.carveouts: the largest, "
                        "167936, leaves nothing of sm.l1.size = 65536 to L1\n"
                        "  all keys: coulomb config list; one key: coulomb config explain KEY\n");
}

TEST_F(RunAxis, RefusesWhatIsAboutOneRun) {
  const auto error = [&](const Strings& more) { return run(workplace, small(more)).err; };
  EXPECT_EQ(error({"--axis", "sms=4", "--timeline", "t.json"}),
            "error: run: --timeline and --axis exclude each other\n"
            "  it is about one run, and --axis makes several\n");
  EXPECT_EQ(error({"--axis", "sms=4", "--against", "a.json"}),
            "error: run: --against and --axis exclude each other\n"
            "  it is about one run, and --axis makes several\n");
  EXPECT_EQ(error({"--axis", "sms=4", "--hot", "3"}),
            "error: run: --hot with --axis needs --json\n  the table has no room for it\n");
  EXPECT_EQ(error({"--jobs", "2"}),
            "error: run: --jobs goes with --axis\n  a single run is one process\n");
  EXPECT_EQ(error({"--axis", "l2.hit_latency=100", "--jobs", "0"}),
            "error: run: --jobs is 0; allowed: 1 to 1024\n");
  EXPECT_EQ(error({"--axis", "l2.hit_latency=100", "--set", "l2.hit_latency=120"}),
            "error: run: --axis l2.hit_latency and --set l2.hit_latency exclude each other\n"
            "  leave one of them out\n");
  EXPECT_EQ(error({"--axis", "block_size=64", "--param", "block_size=32"}),
            "error: parameter \"block_size\" is given twice\n");
}

TEST_F(RunAxis, SweepsFunctionalRunsWithTheirFindings) {
  const Result result =
      run(workplace, {"run", "small.json", "--check", "all", "--axis", "block_size=64,128"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\n  block_size  warp instructions  findings\n"));
}

TEST_F(RunAxis, AgainstASavedRunSaysWhatDiffers) {
  const Result saved = run(workplace, small({"--json"}));
  ASSERT_EQ(saved.exit_code, 0) << saved.err;
  workplace.write("a.json", saved.out);
  const Strings args = small({"--set", "l2.hit_latency=400", "--against", "a.json"});
  const Result text = run(workplace, args);
  ASSERT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, StartsWith("kernel     saxpy   "));
  EXPECT_THAT(text.out, HasSubstr("\nA          a.json   saxpy on a100-pcie-40gb   sampled\n"
                                  "B          this run   saxpy on a100-pcie-40gb   sampled\n"));
  EXPECT_THAT(text.out, HasSubstr("    GPU parameter      l2.hit_latency                   207 -> "
                                  "400   exercised"));
  Strings json = args;
  json.push_back("--json");
  const Result now = run(workplace, json);
  workplace.write("b.json", now.out);
  Json against = now.json()["against"];
  Json compared = run(workplace, {"compare", "a.json", "b.json", "--json"}).json();
  EXPECT_EQ(against["inputs"], compared["inputs"]);
  EXPECT_EQ(against["time_ms"], compared["time_ms"]);
  EXPECT_EQ(against["counters"], compared["counters"]);
}

TEST_F(RunAxis, AgainstRefusesWhatHasNoTime) {
  EXPECT_EQ(run(workplace, small({"--against", "none.json"})).err,
            "error: run: --against: cannot read none.json: No such file or directory\n"
            "  save one with: coulomb run SPEC --gpu GPU --json > FILE.json\n");
  EXPECT_EQ(run(workplace, small({"--functional", "--against", "none.json"})).err,
            "error: run: --against and --functional exclude each other\n"
            "  it compares times, and --functional times nothing\n");
}

} // namespace
} // namespace coulomb::e2e
