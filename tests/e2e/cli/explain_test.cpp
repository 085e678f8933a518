// SPDX-License-Identifier: Apache-2.0
// What explains a run: hot instructions, the timeline, the comparison of two saved runs.
#include "base/text.hpp"
#include "tests/e2e/cli/specs.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace coulomb::e2e {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

// One of the stored cubins: these tests run without a compiler, too.
const Strings kConvolution = {"run",     "convolution",     "--gpu",          kGpu,
                              "--param", "block_size_x=32", "block_size_y=4", "tile_size_y=3",
                              "--json"};

Strings with(Strings args, const Strings& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

/// Runs `args` and saves what it printed as `name`.
Json save(const Workplace& workplace, const std::string& name, const Strings& args) {
  const Result result = run(workplace, args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  workplace.write(name, result.out);
  return result.json();
}

TEST(Hot, ListsTheInstructionsThatCostMost) {
  const Workplace workplace;
  Json j = run(workplace, with(kConvolution, {"--hot", "5"})).json();
  ASSERT_EQ(j["hot"].size(), 5U);
  double last = 1.0;
  for (const Json& i : j["hot"]) {
    EXPECT_THAT(keys(i), IsSupersetOf({"pc", "sass", "file", "line", "issued", "warp_cycles",
                                       "share", "top_reason", "stalls"}));
    EXPECT_LE(i["share"], last);
    last = i["share"];
    EXPECT_EQ(i["stalls"]["selected"], i["issued"]) << "a warp is selected once per instruction";
    EXPECT_THAT(i["file"].get<std::string>(), HasSubstr("convolution"));
    EXPECT_GT(i["line"], 0);
  }
}

TEST(Hot, AddsUpToTheStallsOfTheWholeRun) {
  const Workplace workplace;
  Json j = run(workplace, with(kConvolution, {"--hot", "1000000"})).json();
  std::map<std::string, double> cycles;
  double total = 0.0;
  double issued = 0.0;
  double shares = 0.0;
  for (const Json& i : j["hot"]) {
    for (const auto& [reason, n] : i["stalls"].items()) {
      cycles[reason] += n.get<double>();
      total += n.get<double>();
    }
    issued += i["issued"].get<double>();
    shares += i["share"].get<double>();
  }
  EXPECT_NEAR(shares, 1.0, 1e-9);
  EXPECT_EQ(issued, j["host"]["warp_insts"]);
  for (const auto& [reason, share] : j["stalls"].items()) {
    EXPECT_NEAR(cycles[reason] / total, share.get<double>(), 1e-12) << reason;
  }
  double lines = 0.0;
  for (const Json& l : j["hot_lines"]) {
    lines += l["share"].get<double>();
  }
  EXPECT_NEAR(lines, 1.0, 1e-9);
}

TEST(Hot, ChangesNoNumberOfTheRun) {
  const Workplace workplace;
  Json plain = run(workplace, kConvolution).json();
  Json explained =
      run(workplace, with(kConvolution, {"--hot", "3", "--timeline", "t.json"})).json();
  EXPECT_FALSE(plain.contains("hot"));
  EXPECT_FALSE(plain.contains("timeline"));
  for (const char* extra : {"hot", "hot_lines", "timeline", "host"}) {
    plain.erase(extra);
    explained.erase(extra);
  }
  EXPECT_EQ(plain, explained);
}

TEST(Hot, TellsPeopleThePlaceAndTheReason) {
  const Workplace workplace;
  Strings args = with(kConvolution, {"--hot", "3"});
  std::erase(args, "--json");
  const Result result = run(workplace, args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("  hot instructions (3 of "));
  EXPECT_THAT(result.out, HasSubstr("  hot source lines (3 of "));
  EXPECT_THAT(result.out, HasSubstr("convolution.cu:"));
  EXPECT_THAT(result.out, HasSubstr("execution pipe busy"));
}

TEST(Explain, RefusesWhatItCannotShow) {
  const Workplace workplace;
  const auto message = [&](const Strings& args) {
    return error_of(run(workplace, args), "input")["message"].get<std::string>();
  };
  EXPECT_EQ(message(with(kConvolution, {"--hot", "0"})),
            "run: --hot is 0; it must be at least 1 instruction");
  EXPECT_EQ(message(with(kConvolution, {"--hot", "3", "--functional"})),
            "run: --hot and --functional exclude each other");
  EXPECT_EQ(message(with(kConvolution, {"--timeline", "t.json", "--timeline-mb", "0"})),
            "run: --timeline-mb is 0; allowed: 1 to 1000 MB");
  EXPECT_EQ(message(with(kConvolution, {"--timeline", "none/t.json"})),
            "run: --timeline \"none/t.json\": there is no such folder");
}

/// Asserts that events of a track are in order, and that each lies beside or inside the one before.
void expect_well_formed(const Json& trace) {
  ASSERT_TRUE(trace["traceEvents"].is_array());
  std::map<std::pair<int, int>, std::vector<std::uint64_t>> open; // ends of enclosing slices
  std::map<std::pair<int, std::string>, std::uint64_t> counters;
  std::set<std::pair<int, int>> named;
  for (const Json& e : trace["traceEvents"]) {
    const std::string phase = e["ph"];
    const std::pair<int, int> track{e["pid"], e["tid"]};
    if (phase == "M") {
      named.insert(track);
      continue;
    }
    const std::uint64_t ts = e["ts"];
    if (phase == "C") {
      const auto [last, first] = counters.try_emplace({track.first, e["name"]}, ts);
      EXPECT_TRUE(first || ts > last->second) << e;
      last->second = ts;
      EXPECT_GE(e["args"].begin().value(), 0.0);
      continue;
    }
    ASSERT_EQ(phase, "X") << e;
    EXPECT_TRUE(named.contains(track)) << "track without a name: " << e;
    const std::uint64_t end = ts + e["dur"].get<std::uint64_t>();
    EXPECT_GT(end, ts) << e;
    auto& ends = open[track];
    while (!ends.empty() && ends.back() <= ts) {
      ends.pop_back();
    }
    EXPECT_TRUE(ends.empty() || end <= ends.back()) << "sticks out of its enclosing slice: " << e;
    EXPECT_EQ(ends.empty() ? "residency" : "stall", e["cat"]) << e;
    ends.push_back(end);
  }
  EXPECT_THAT(counters, testing::SizeIs(testing::Ge(4U)));
}

TEST(Timeline, IsATraceOfWarpsAndThroughput) {
  const Workplace workplace;
  Json j = run(workplace, with(kConvolution, {"--timeline", "t.json"})).json();
  const std::string text = read(workplace, "t.json");
  const Json trace = Json::parse(text);
  expect_well_formed(trace);
  EXPECT_EQ(j["timeline"]["file"], "t.json");
  EXPECT_EQ(j["timeline"]["bytes"], text.size());
  EXPECT_EQ(j["timeline"]["events"], trace["traceEvents"].size());
  EXPECT_EQ(j["timeline"]["left_out"], 0);
  EXPECT_LE(text.size(), 20'000'000U);
  std::set<std::string> names;
  std::uint64_t last = 0;
  for (const Json& e : trace["traceEvents"]) {
    names.insert(e["name"].get<std::string>());
    if (e["name"] == "issued IPC") {
      last = e["ts"];
    }
  }
  EXPECT_THAT(names,
              IsSupersetOf({"issued IPC", "L1 throughput", "L2 throughput", "DRAM throughput",
                            "process_name", "thread_name", "math_pipe_throttle"}));
  EXPECT_GT(last, 0U);
}

TEST(Timeline, HoldsEverySimulatedWarp) {
  const Workplace workplace;
  Json j = run(workplace, with(kConvolution, {"--timeline", "t.json"})).json();
  std::set<std::string> warps;
  const Json trace = Json::parse(read(workplace, "t.json"));
  for (const Json& e : trace["traceEvents"]) {
    if (e.value("cat", "") == "residency") {
      EXPECT_TRUE(warps.insert(e["name"]).second) << e;
    }
  }
  const auto warps_per_cta = 32U * 4U / 32U;
  EXPECT_EQ(warps.size(), j["fidelity"]["ctas_simulated"].get<std::size_t>() * warps_per_cta);
}

TEST(Timeline, FitsIntoTheSizeItMayHave) {
  const Workplace workplace;
  Json j =
      run(workplace, with(kConvolution, {"--timeline", "t.json", "--timeline-mb", "1"})).json();
  const std::string text = read(workplace, "t.json");
  EXPECT_LE(text.size(), 1'000'000U);
  EXPECT_GT(text.size(), 200'000U);
  expect_well_formed(Json::parse(text));
  EXPECT_THAT(j["timeline"]["note"].get<std::string>(),
              testing::ContainsRegex("slices shorter than [0-9]+ cycles are merged"));
}

TEST(Compare, FindsNothingBetweenTwoRunsOfTheSame) {
  const Workplace workplace;
  save(workplace, "a.json", kConvolution);
  save(workplace, "b.json", kConvolution);
  const Result text = run(workplace, {"compare", "a.json", "b.json", "--gate", "0"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("the inputs are the same"));
  EXPECT_THAT(text.out, HasSubstr("no counter differs"));
  Json j = run(workplace, {"compare", "a.json", "b.json", "--json"}).json();
  EXPECT_EQ(j["inputs"], Json::array());
  EXPECT_EQ(j["counters"], Json::array());
  EXPECT_EQ(j["cycles"]["change"], 0.0);
  EXPECT_EQ(j["gate"], nullptr);
}

TEST(Compare, SaysWhichChangedKeysTheRunsExercised) {
  const Workplace workplace;
  const Json a = save(workplace, "a.json", kConvolution);
  const Json b =
      save(workplace, "b.json",
           with(kConvolution, {"--set", "sm.pipes.fma.interval=4", "sm.pipes.tensor.latency=90"}));
  EXPECT_THAT(b["gpu_changed"].get<Strings>(),
              ElementsAre("sm.pipes.fma.interval", "sm.pipes.tensor.latency"));
  const Result result = run(workplace, {"compare", "a.json", "b.json", "--json", "--gate", "5"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("gate failed: B takes "));
  Json j = result.json();
  ASSERT_EQ(j["inputs"].size(), 2U) << j["inputs"];
  EXPECT_EQ(j["inputs"][0]["key"], "sm.pipes.fma.interval");
  EXPECT_EQ(j["inputs"][0]["b"], 4);
  EXPECT_EQ(j["inputs"][0]["use"], "exercised");
  EXPECT_EQ(j["inputs"][0]["counters"], Json({"sm__inst_executed_pipe_fma.sum"}));
  EXPECT_EQ(j["inputs"][1]["key"], "sm.pipes.tensor.latency");
  EXPECT_EQ(j["inputs"][1]["use"], "unused");
  EXPECT_FALSE(j["gate"]["passed"].get<bool>());
  // The contributions of the stall reasons are the difference, the largest first.
  double sum = 0.0;
  double largest = std::abs(j["stalls"][0]["cycles"].get<double>());
  for (const Json& s : j["stalls"]) {
    sum += s["cycles"].get<double>();
    EXPECT_LE(std::abs(s["cycles"].get<double>()), largest);
    largest = std::abs(s["cycles"].get<double>());
  }
  EXPECT_NEAR(sum, b["cycles"].get<double>() - a["cycles"].get<double>(), 1e-3);
  EXPECT_EQ(j["stalls"][0]["reason"], "math_pipe_throttle");
  const Result text = run(workplace, {"compare", "a.json", "b.json"});
  EXPECT_EQ(text.exit_code, 0) << "no gate was asked for";
  EXPECT_THAT(text.out, HasSubstr("exercised, says sm__inst_executed_pipe_fma.sum"));
  EXPECT_THAT(text.out, HasSubstr("not exercised: 0 sm__inst_executed_pipe_tensor.sum"));
}

TEST(Compare, KnowsTheCountersOfEveryGpuParameter) {
  const Workplace workplace;
  Json saved = save(workplace, "a.json", kConvolution);
  for (auto& [key, value] : saved["gpu_parameters"].items()) {
    value = "changed";
  }
  workplace.write("b.json", saved.dump());
  Json j = run(workplace, {"compare", "a.json", "b.json", "--json"}).json();
  EXPECT_EQ(j["inputs"].size(), saved["gpu_parameters"].size());
  std::set<std::string> unknown;
  std::map<std::string, std::size_t> counters;
  for (const Json& input : j["inputs"]) {
    EXPECT_EQ(input["kind"], "GPU parameter");
    counters[input["key"]] = input["counters"].size();
    if (input["use"] == "unknown") {
      unknown.insert(input["key"]);
    }
  }
  EXPECT_THAT(unknown,
              testing::UnorderedElementsAre(
                  "id", "product", "chip", "base_clock_mhz", "sm.lsu.constant_load_latency",
                  "sm.lsu.constant_load_release", "sm.lsu.constant_indexed_latency",
                  "sm.lsu.constant_indexed_release", "sm.lsu.special_register_latency"));
  const std::map<std::string, std::size_t> expected = {{"sms", 0},
                                                       {"memory_clock_mhz", 2},
                                                       {"sm.front_end.constant_miss_latency", 1},
                                                       {"sm.lsu.subcore_queue", 2},
                                                       {"sm.lsu.store_release_32", 1},
                                                       {"sm.l1.size", 3},
                                                       {"sm.l1.hit_latency_32", 1},
                                                       {"sm.shared.carveouts", 3},
                                                       {"sm.shared.max_per_cta", 2},
                                                       {"l2.hit_latency", 3},
                                                       {"dram.queue", 2}};
  for (const auto& [key, count] : expected) {
    EXPECT_EQ(counters.at(key), count) << key;
  }
}

TEST(Compare, SaysWhatIsWrongWithAFile) {
  const Workplace workplace;
  save(workplace, "a.json", kConvolution);
  workplace.write("text.json", "kernel     convolution\n");
  workplace.write("other.json", R"({"schema": 1, "kernel": "k", "gpu": "g"})");
  workplace.write("error.json", R"({"error":{"kind":"input","message":"no such GPU","hint":""}})");
  workplace.write("new.json", R"({"schema": 99})");
  Json untimed = Json::parse(read(workplace, "a.json"));
  untimed["cycles"] = nullptr;
  untimed["status"] = "timeout";
  workplace.write("untimed.json", untimed.dump());
  const std::map<std::string, std::string> messages = {
      {"text.json", "compare: text.json: malformed JSON at byte 1"},
      {"other.json", "compare: other.json: field \"status\" is missing"},
      {"error.json",
       "compare: error.json: it holds the error of a command that failed: no such GPU"},
      {"new.json", "compare: new.json: schema is 99, this program reads 1"},
      {"untimed.json",
       "compare: untimed.json: the run has no time; its status is timeout, its rung sampled"}};
  for (const auto& [file, message] : messages) {
    Json error = error_of(run(workplace, {"compare", "a.json", file, "--json"}), "input");
    EXPECT_EQ(error["message"], message);
  }
  Json error = error_of(run(workplace, {"compare", "a.json", "none.json", "--json"}), "input");
  EXPECT_THAT(error["message"].get<std::string>(), HasSubstr("none.json"));
  error = error_of(run(workplace, {"compare", "a.json", "--json"}), "input");
  EXPECT_EQ(error["message"], "compare: it takes two files, A.json and B.json");
  error =
      error_of(run(workplace, {"compare", "a.json", "a.json", "--gate", "-1", "--json"}), "input");
  EXPECT_EQ(error["message"], "compare: --gate is -1; it must be at least 0 per cent");
}

} // namespace
} // namespace coulomb::e2e
