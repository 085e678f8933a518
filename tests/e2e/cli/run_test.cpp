// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include <csignal>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;
using Json = nlohmann::json;

// One of the stored cubins: these tests run without a compiler, too.
const std::vector<std::string> kConvolution = {
    "run",           "convolution", "--gpu", kGpu, "--param", "block_size_x=32", "block_size_y=4",
    "tile_size_y=3", "--json"};

TEST(Run, PrintsEveryKeyOfTheContract) {
  const Workplace workplace;
  const Result result = run(workplace, kConvolution);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  Json j = result.json();
  EXPECT_THAT(keys(j), IsSupersetOf({"schema", "version", "kernel", "gpu", "params", "status",
                                     "launch", "time_ms", "launch_overhead_ms", "cycles", "ipc",
                                     "counters", "stalls", "output_check", "fidelity", "host"}));
  EXPECT_THAT(keys(j["launch"]), IsSupersetOf({"grid", "block", "registers", "shared_bytes",
                                               "spill_bytes", "occupancy"}));
  EXPECT_THAT(keys(j["launch"]["occupancy"]),
              IsSupersetOf({"ctas_per_sm", "warps_per_sm", "limiter"}));
  EXPECT_THAT(keys(j["output_check"]),
              IsSupersetOf({"checked", "passed", "max_rel_error", "compared"}));
  EXPECT_THAT(keys(j["fidelity"]), IsSupersetOf({"rung", "sms", "ctas_simulated", "ctas_total"}));
  EXPECT_THAT(keys(j["host"]), IsSupersetOf({"compile_s", "wall_s", "warp_insts",
                                             "warp_insts_per_s", "peak_rss_bytes"}));
  EXPECT_THAT(keys(j["counters"]),
              IsSupersetOf({"smsp__inst_executed.sum", "sm__cycles_elapsed.max",
                            "dram__bytes_read.sum", "lts__t_sectors_op_read.sum"}));
}

TEST(Run, EchoesAllParametersAndChecksTheOutput) {
  const Workplace workplace;
  Json j = run(workplace, kConvolution).json();
  EXPECT_EQ(j["status"], "ok");
  EXPECT_EQ(j["kernel"], "convolution");
  EXPECT_EQ(j["gpu"], kGpu);
  EXPECT_EQ(j["params"], Json::parse(R"({"block_size_x": 32, "block_size_y": 4, "tile_size_x": 1,
      "tile_size_y": 3, "read_only": 0, "use_padding": 0, "use_shmem": 1, "use_cmem": 1,
      "filter_height": 15, "filter_width": 15})"));
  EXPECT_EQ(j["launch"]["grid"], Json({128, 342, 1}));
  EXPECT_EQ(j["launch"]["block"], Json({32, 4, 1}));
  EXPECT_TRUE(j["output_check"]["passed"]);
  EXPECT_GT(j["output_check"]["compared"], 0);
  EXPECT_GT(j["cycles"], 0.0);
  EXPECT_DOUBLE_EQ(j["time_ms"].get<double>(), j["cycles"].get<double>() / 1'410'000.0)
      << "at 1,410 MHz";
  double stalls = 0.0;
  for (const auto& [reason, share] : j["stalls"].items()) {
    stalls += share.get<double>();
  }
  EXPECT_NEAR(stalls, 1.0, 1e-9);
}

TEST(Run, CacheStateAtLaunchDecidesWhatComesFromDram) {
  const Workplace workplace;
  write_small_saxpy(workplace, 1'048'576); // x and y have 4 MiB each: both fit L2
  const auto bytes_read = [&](const std::string& state) {
    const Result r =
        run(workplace, {"run", "small.json", "--gpu", kGpu, "--cache-state", state, "--json"});
    EXPECT_EQ(r.exit_code, 0) << r.err;
    const Json j = r.json();
    EXPECT_EQ(j["cache_state"], state);
    return j["counters"]["dram__bytes_read.sum"].get<double>();
  };
  EXPECT_EQ(bytes_read("warm"), 0.0);
  EXPECT_EQ(bytes_read("host-copy"), 0.0);
  EXPECT_NEAR(bytes_read("cold"), 8'388'608.0, 0.02 * 8'388'608.0);
  EXPECT_THAT(run(workplace, {"run", "small.json", "--gpu", kGpu, "--cache-state", "cold"}).out,
              HasSubstr("cold               L2 and TLBs at launch\n"));
}

TEST(Run, RefusesAnUnknownCacheState) {
  const Workplace workplace;
  const Result r = run(workplace, {"run", "saxpy", "--gpu", kGpu, "--cache-state", "clod"});
  EXPECT_EQ(r.exit_code, 2);
  EXPECT_THAT(r.err, HasSubstr("run: --cache-state is \"clod\" (did you mean \"cold\"?); allowed: "
                               "warm, cold, host-copy"));
}

TEST(Run, GivesTheSameEveryTime) {
  const Workplace workplace;
  Json first = run(workplace, kConvolution).json();
  Json second = run(workplace, kConvolution).json();
  first.erase("host");
  second.erase("host");
  EXPECT_EQ(first, second);
}

TEST(Run, TellsPeopleTheSame) {
  const Workplace workplace;
  const Result result = run(workplace, {"run", "convolution", "--gpu", kGpu, "--param",
                                        "block_size_x=32", "block_size_y=4", "tile_size_y=3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("launch     grid 128 x 342 x 1   block 32 x 4 x 1"));
  EXPECT_THAT(result.out, HasSubstr("result check          passed"));
  EXPECT_THAT(result.out, HasSubstr("reproduce  coulomb run convolution --gpu " + kGpu));
  EXPECT_EQ(result.err, "");
}

TEST(Run, NamesTheSpecAsItWasGivenInTheNextStep) {
  const Workplace workplace;
  write_small_saxpy(workplace);
  const Result result = run(workplace, {"run", "small.json", "--gpu", kGpu});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("coulomb search small.json --gpu " + kGpu));
}

TEST(Run, SlowsDownWithTheClock) {
  const Workplace workplace;
  write_small_saxpy(workplace);
  const std::vector<std::string> args = {"run", "small.json", "--gpu", kGpu, "--json"};
  auto slower = args;
  slower.insert(slower.end(), {"--set", "sm_clock_mhz=705"});
  const Json fast = run(workplace, args).json();
  const Json slow = run(workplace, slower).json();
  EXPECT_GT(slow["time_ms"], fast["time_ms"]);
}

TEST(Run, TriesAgainWhenItsWorkerIsKilled) {
  const Workplace workplace;
  write_small_saxpy(workplace, 4'194'304);
  Process process(workplace, {"run", "small.json", "--gpu", kGpu, "--json"});
  std::vector<pid_t> first;
  const auto has_worker = [&] {
    first = children(process.pid(), "coulomb-sim-worker");
    return !first.empty();
  };
  ASSERT_TRUE(eventually(has_worker));
  ::kill(first.front(), SIGKILL);
  const auto has_another = [&] {
    const auto now = children(process.pid(), "coulomb-sim-worker");
    return !now.empty() && now.front() != first.front();
  };
  EXPECT_TRUE(eventually(has_another));
  const Result result = process.wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  Json j = result.json();
  EXPECT_EQ(j["status"], "ok");
  EXPECT_TRUE(j["output_check"]["passed"]);
}

TEST(Run, SaysCrashedWhenEveryWorkerIsKilled) {
  const Workplace workplace;
  write_small_saxpy(workplace, 4'194'304);
  Process process(workplace, {"run", "small.json", "--gpu", kGpu, "--json"});
  const auto kill_all_workers_until_it_ends = [&] {
    for (const pid_t worker : children(process.pid(), "coulomb-sim-worker")) {
      ::kill(worker, SIGKILL);
    }
    return !process.running();
  };
  ASSERT_TRUE(eventually(kill_all_workers_until_it_ends));
  const Result result = process.wait();
  EXPECT_EQ(result.exit_code, 4);
  Json j = result.json();
  EXPECT_EQ(j["status"], "crashed");
  EXPECT_EQ(j["message"], "simulation worker killed by signal 9 (SIGKILL), as the system does when "
                          "memory runs out, on each of 2 tries");
  EXPECT_EQ(j["time_ms"], nullptr);
}

} // namespace
} // namespace coulomb::e2e
