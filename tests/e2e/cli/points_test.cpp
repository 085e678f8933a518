// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/coulomb_process.hpp"
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;

constexpr const char* kHeader = "chip,name,value,unit,tolerance,source\n";

TEST(ValidatePoints, MeasuresEachPointWithAnExecutedProbe) {
  const Workplace w;
  COULOMB_NEEDS_NVRTC(w);
  w.write("few.csv",
          std::string(kHeader) +
              "GA100+GA10x,IMAD dependent chain,4,cycles,0,NAK;PTXAS;HUERTA;ABD\n"
              "A100,DADD/DFMA dependent chain,9,cycles,-1,ABD\n"
              "GA100+GA10x,\"MOV to LDG address register, minimum stall\",5,cycles,0,NAK\n");
  const Result result = run(w, {"validate", "--points", "few.csv", "--json", "--jobs", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto j = result.json();
  EXPECT_EQ(j["passed"], 1);
  EXPECT_EQ(j["failed"], 1);
  EXPECT_EQ(j["not_runnable"], (nlohmann::json{{"stale reads not modelled", 1}}));
  EXPECT_EQ(j["points"][0]["simulated"], 4.0);
  EXPECT_EQ(j["points"][0]["verdict"], "passed");
  EXPECT_EQ(j["points"][0]["role"], "set");
  EXPECT_EQ(j["points"][0]["gpus"].size(), 2u);
  EXPECT_EQ(j["points"][1]["simulated"], 6.0);
  EXPECT_EQ(j["points"][1]["verdict"], "failed");
  EXPECT_EQ(j["points"][1]["role"], "check");
  EXPECT_EQ(j["points"][2]["simulated"], nullptr);
}

/// A point, a change of the mechanism that it is about, and the value that the changed GPU gives.
struct Perturbation {
  const char* row;
  const char* change;
  double as_shipped;
  double changed;
};

/// Each published value is what the shipped GPU gives, so that the verdict must flip.
constexpr Perturbation kPerturbations[] = {
    {"RTX_A6000,\"FMUL with both sources in one bank, extra bubbles\",1,cycles,0,X\n",
     "sm.register_file.read_ports=2", 1, 0},
    {"RTX_A6000,\"FFMA with three sources in one bank, extra bubbles\",2,cycles,0,X\n",
     "sm.register_file.read_window=4", 2, 1},
    {"RTX_A6000,constant operand L0 miss (next level hit) penalty,79,cycles,0,X\n",
     "sm.front_end.constant_miss_latency=60", 79, 60},
    {"RTX_A6000,\"steady issue interval of memory instructions per sub-core, active sub-cores = "
     "1\",4,cycles,0,X\n",
     "sm.lsu.address_interval=6", 4, 6},
    {"RTX_A6000,\"steady issue interval of memory instructions per sub-core, active sub-cores = "
     "4\",8,cycles,0,X\n",
     "sm.lsu.accept_interval=3", 8, 12},
    {"RTX_A6000,LDS.32 reg RAW (L1/const hit),24,cycles,0,X\n", "sm.lsu.shared_latency_32=30", 24,
     30},
    {"RTX_A6000,LDS.128 reg RAW (L1/const hit),26,cycles,0,X\n", "sm.lsu.shared_latency_128=33", 26,
     33},
    {"RTX_A6000,LDC.32 imm RAW (L1/const hit),26,cycles,0,X\n", "sm.lsu.constant_load_latency=31",
     26, 31},
    {"A100,HMMA.16816 initiation interval per sub-core,8,cycles,0,X\n",
     "sm.pipes.tensor.interval=10", 8, 10},
    {"A100,HMMA.1684.TF32 initiation interval per sub-core,4,cycles,0,X\n",
     "sm.pipes.tensor.interval=10", 4, 5},
    {"GA100+GA10x,VOTE throughput,64,lane-ops/clk/SM,5%,X\n", "sm.pipes.alu.interval=4", 64, 32},
    {"GA100+GA10x,MUFU independent issue interval per sub-core,8,cycles,0,X\n",
     "sm.pipes.xu.interval=11", 8, 11},
};

std::ostream& operator<<(std::ostream& out, const Perturbation& p) {
  return out << p.change;
}

class ValidateOnePoint : public testing::TestWithParam<Perturbation> {};

TEST_P(ValidateOnePoint, AChangedMechanismFlipsTheVerdict) {
  const Workplace w;
  COULOMB_NEEDS_NVRTC(w);
  const Perturbation& p = GetParam();
  w.write("one.csv", std::string(kHeader) + p.row);
  const auto shipped = run(w, {"validate", "--points", "one.csv", "--json"});
  ASSERT_EQ(shipped.exit_code, 0) << shipped.err;
  const auto before = shipped.json()["points"][0];
  EXPECT_NEAR(before["simulated"].get<double>(), p.as_shipped, 0.05 * p.as_shipped) << p.row;
  EXPECT_EQ(before["verdict"], "passed") << p.row;
  const auto changed = run(w, {"validate", "--points", "one.csv", "--set", p.change, "--json"});
  ASSERT_EQ(changed.exit_code, 0) << changed.err;
  const auto after = changed.json()["points"][0];
  EXPECT_NEAR(after["simulated"].get<double>(), p.changed, 0.05 * p.changed + 0.01) << p.change;
  EXPECT_EQ(after["verdict"], "failed") << p.change;
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, ValidateOnePoint, testing::ValuesIn(kPerturbations));

TEST(ValidatePoints, AWrongTableExitsWith2AndItsLine) {
  const Workplace w;
  w.write("bad.csv", std::string(kHeader) + "A100,x,none,cycles,0,NAK\n");
  const Result result = run(w, {"validate", "--points", "bad.csv", "--json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(error_of(result, "input")["message"],
            "bad.csv:2: value is \"none\", in which there is no number");
}

TEST(ValidatePoints, PointsAndSiliconExcludeEachOther) {
  const Workplace w;
  w.write("bad.csv", kHeader);
  const Result result = run(w, {"validate", "--points", "bad.csv", "--silicon", "x"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--points and --silicon are two questions; ask one"));
}

} // namespace
} // namespace coulomb::e2e
