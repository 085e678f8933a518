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
  w.write("few.csv", std::string(kHeader) +
                         "GA100+GA10x,IMAD dependent chain,4,cycles,0,NAK;PTXAS;HUERTA;ABD\n"
                         "A100,DADD/DFMA dependent chain,9,cycles,-1,ABD\n"
                         "RTX_A6000,\"yield bit set, single warp: bubble\",1,cycles,0,HUERTA\n");
  const Result result = run(w, {"validate", "--points", "few.csv", "--json", "--jobs", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto j = result.json();
  EXPECT_EQ(j["passed"], 1);
  EXPECT_EQ(j["failed"], 1);
  EXPECT_EQ(j["not_runnable"], (nlohmann::json{{"needs hand-written SASS", 1}}));
  EXPECT_EQ(j["points"][0]["simulated"], 4.0);
  EXPECT_EQ(j["points"][0]["verdict"], "passed");
  EXPECT_EQ(j["points"][0]["role"], "set");
  EXPECT_EQ(j["points"][0]["gpus"].size(), 2u);
  EXPECT_EQ(j["points"][1]["simulated"], 6.0);
  EXPECT_EQ(j["points"][1]["verdict"], "failed");
  EXPECT_EQ(j["points"][1]["role"], "check");
  EXPECT_EQ(j["points"][2]["simulated"], nullptr);
}

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
