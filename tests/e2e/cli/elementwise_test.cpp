// SPDX-License-Identifier: Apache-2.0
// The element-wise kernel on data that differ, and the error that a run expects of itself.
#include "tests/e2e/cli/specs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using Json = nlohmann::json;

/// Two full CTAs and a rest of 276 elements. The shipped kernel computes zeros, as it was measured;
/// random ones tell elements apart. Powers need bases that are not negative.
void write_small_elementwise(const Workplace& workplace, const std::string& operation) {
  Json spec = shipped_spec("elementwise");
  Json& elements = spec["ConfigurationSpace"]["TuningParameters"][1];
  elements["Values"] = Json::array({1300});
  elements["Default"] = 1300;
  Json& arguments = spec["KernelSpecification"]["Arguments"];
  const bool power = operation.starts_with("pow");
  arguments[2]["FillType"] = power ? "Uniform" : "Random";
  arguments[2]["FillValue"] = 2.0;
  arguments[3]["FillType"] = "Random";
  arguments[3]["FillValue"] = 1.0;
  write_spec(workplace, "small", spec, "elementwise");
}

class Elementwise : public testing::TestWithParam<const char*> {};

TEST_P(Elementwise, ComputesEveryElementOfFullAndPartialCtas) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const std::string operation = GetParam();
  write_small_elementwise(workplace, operation);
  const Result result = run(workplace, {"run", "small.json", "--functional", "--json", "--param",
                                        "operation=" + operation});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json j = result.json();
  EXPECT_EQ(j["output_check"]["passed"], true) << j["output_check"];
  EXPECT_EQ(j["output_check"]["compared"], 1300);
  EXPECT_EQ(j["launch"]["grid"], Json::array({3, 1, 1}));
  EXPECT_EQ(j["expected_error"], nullptr) << "it has no time";
}

INSTANTIATE_TEST_SUITE_P(
    Operations,
    Elementwise,
    testing::Values(
        "add", "addu", "mul", "mulu", "div", "divu", "pow", "powu", "tanh", "relu", "gelu"));

TEST(ExpectedErrorOfARun, IsStatedWithItsCharacterAndItsSources) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const Json j = run(workplace, {"run", "elementwise", "--gpu", kGpu, "--param",
                                 "elements=62726204", "--json"})
                     .json();
  const Json& expected = j["expected_error"];
  EXPECT_EQ(expected["character"]["limiter"], "DRAM");
  EXPECT_EQ(expected["character"]["local_memory"], false);
  EXPECT_GE(expected["measured"].get<int>(), 5);
  EXPECT_GT(expected["median"].get<double>(), 0.0);
  EXPECT_GE(expected["p90"].get<double>(), expected["median"].get<double>());
  EXPECT_TRUE(expected["sources"].contains("elementwise on a100-pcie-40gb")) << expected;
  const Result text =
      run(workplace, {"run", "elementwise", "--gpu", kGpu, "--param", "elements=62726204"});
  EXPECT_NE(text.out.find("  expected error"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("elementwise on a100-pcie-40gb (DRAM-bound)"), std::string::npos)
      << text.out;
}

TEST(ExpectedErrorOfARun, IsNotKnownForAGpuThatIsNoProduct) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const std::vector<std::string> args = {"run", "elementwise", "--gpu",
                                         kGpu,  "--set",       "dram.queue=16"};
  const Result text = run(workplace, args);
  const auto at = text.out.find("  expected error");
  ASSERT_NE(at, std::string::npos) << text.out;
  const std::string line = text.out.substr(at, text.out.find('\n', at) - at);
  EXPECT_NE(line.find("not known"), std::string::npos) << line;
  EXPECT_NE(line.find("a GPU changed with --set has no board to be measured on"), std::string::npos)
      << line;
  auto with_json = args;
  with_json.push_back("--json");
  const Json expected = run(workplace, with_json).json()["expected_error"];
  EXPECT_EQ(expected["measured"], 0);
  EXPECT_EQ(expected["median"], nullptr);
}

} // namespace
} // namespace coulomb::e2e
