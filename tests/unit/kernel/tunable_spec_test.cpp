// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/tunable_spec.hpp"

#include "tests/unit/kernel/support.hpp"

#include <nlohmann/json.hpp>

namespace coulomb::kernel {
namespace {

using test::user_error;

constexpr const char* kText = R"json({
  "General": {"BenchmarkName": "demo"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "bx", "Type": "int", "Values": "[16*i for i in range(1,5)]", "Default": 32},
      {"Name": "tile", "Type": "int", "Values": [1, 2, 3], "Default": [2]},
      {"Name": "scale", "Type": "float", "Values": [0.5, 1], "Default": 0.5},
      {"Name": "fast", "Type": "bool", "Values": [0, 1]},
      {"Name": "mode", "Type": "string", "Values": "['row', 'column']"}
    ],
    "Conditions": [
      {"Expression": "bx * tile <= 96", "Parameters": ["bx", "tile"]},
      {"Expression": "not fast or mode == 'row'"}
    ]
  },
  "KernelSpecification": {
    "Language": "CUDA",
    "CompilerOptions": ["-std=c++11"],
    "KernelName": "demo_kernel",
    "KernelFile": "../src/demo.cu",
    "GlobalSizeType": "CUDA",
    "LocalSize": {"X": "bx", "Y": 2},
    "GlobalSize": {"X": "1", "Y": "tile + 1"},
    "GridDivX": ["bx", "tile"],
    "ProblemSize": [1000, 20],
    "SharedMemory": "bx * 4",
    "Stream": null,
    "Arguments": [
      {"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
       "FillType": "Constant", "FillValue": 0.0, "Size": "ProblemSize[0] * max(tile)", "Output": 1},
      {"Name": "in", "Type": "uint8", "MemoryType": "Vector", "AccessType": "ReadOnly",
       "FillType": "Random", "FillValue": 1.0, "Size": "ProblemSize[0] * tile"},
      {"Name": "w", "Type": "float", "MemoryType": "Vector", "MemType": "Constant",
       "AccessType": "ReadOnly", "FillType": "Random", "FillValue": 2.0, "Size": 9},
      {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillValue": "ProblemSize[0] + tile"}
    ]
  },
  "Coulomb": {"Description": "a demo", "Oracle": "none",
              "Arguments": {"w": {"ConstantSymbol": "weights", "Passed": false}}}
})json";

TunableSpec demo() {
  return TunableSpec::parse(kText, "/kernels/demo/demo.json");
}

/// The demo's text with one piece replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = kText;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_after(const std::string& from, const std::string& to) {
  return user_error([&] { (void)TunableSpec::parse(changed(from, to), "demo.json"); });
}

TEST(TunableSpec, ReadsAT1File) {
  const TunableSpec spec = demo();
  EXPECT_EQ(spec.name, "demo");
  EXPECT_EQ(spec.kernel_name, "demo_kernel");
  EXPECT_EQ(spec.source_path, "/kernels/src/demo.cu");
  EXPECT_EQ(spec.compiler_options, std::vector<std::string>{"-std=c++11"});
  EXPECT_EQ(spec.description, "a demo");
  EXPECT_EQ(spec.oracle, "none");
  EXPECT_EQ(spec.problem_size, (std::vector<std::int64_t>{1000, 20}));
  ASSERT_EQ(spec.parameters.size(), 5U);
  EXPECT_EQ(spec.default_configuration().key(), "bx=32 tile=2 scale=0.5 fast=false mode=row");
  EXPECT_EQ(to_text(spec.parameters[2].values[1]), "1.0");
}

TEST(TunableSpec, ResolvesALaunch) {
  const Launch launch = demo().launch(demo().configuration({"bx=48", "tile=1"}));
  EXPECT_EQ(launch.block, (Dim3{48, 2, 1}));
  EXPECT_EQ(launch.grid, (Dim3{21, 2, 1})); // ceil(1000 / 48); y has no divisors, so GlobalSize
  EXPECT_EQ(launch.dynamic_shared_bytes, 192U);
  ASSERT_EQ(launch.arguments.size(), 4U);
  EXPECT_EQ(launch.arguments[0].count, 3000U); // max(tile) is over its values
  EXPECT_TRUE(launch.arguments[0].output);
  EXPECT_TRUE(launch.arguments[0].writable);
  EXPECT_EQ(launch.arguments[1].count, 1000U);
  EXPECT_EQ(launch.arguments[1].fill.kind, FillKind::uniform);
  EXPECT_EQ(launch.arguments[1].fill.value, 256.0);
  EXPECT_FALSE(launch.arguments[1].writable);
  EXPECT_EQ(launch.arguments[2].constant_symbol, "weights");
  EXPECT_FALSE(launch.arguments[2].passed);
  EXPECT_EQ(launch.arguments[2].fill.kind, FillKind::normal);
  EXPECT_NE(launch.arguments[2].fill.seed, launch.arguments[1].fill.seed);
  EXPECT_FALSE(launch.arguments[3].vector);
  EXPECT_EQ(launch.arguments[3].fill.value, 1001.0);
}

TEST(TunableSpec, AnAxisWithoutDivisorsOrGlobalSizeIsDividedByOne) {
  const auto spec =
      TunableSpec::parse(changed(R"({"X": "1", "Y": "tile + 1"})", R"({"X": "1"})"), "demo.json");
  EXPECT_EQ(spec.launch(spec.default_configuration()).grid, (Dim3{16, 20, 1}));
}

TEST(TunableSpec, OpenClGlobalSizesCountThreads) {
  std::string text = changed("\"GlobalSizeType\": \"CUDA\"", "\"GlobalSizeType\": \"OpenCL\"");
  const std::string divisors = "\"GridDivX\": [\"bx\", \"tile\"],";
  text.replace(text.find(divisors), divisors.size(), "");
  const std::string global = R"({"X": "1", "Y": "tile + 1"})";
  text.replace(text.find(global), global.size(), R"({"X": 1000, "Y": 4})");
  const auto spec = TunableSpec::parse(text, "demo.json");
  EXPECT_EQ(spec.launch(spec.default_configuration()).grid, (Dim3{32, 2, 1}));
}

TEST(TunableSpec, MacrosCarryEveryParameter) {
  EXPECT_EQ(
      demo().macro_options(demo().configuration({"fast=1", "scale=1"})),
      (std::vector<std::string>{"-Dbx=32", "-Dtile=2", "-Dscale=1.0", "-Dfast=1", "-Dmode=row"}));
}

TEST(TunableSpec, AssignmentsAreChecked) {
  const TunableSpec spec = demo();
  const auto error = [&](const std::vector<std::string>& a) {
    return user_error([&] { (void)spec.configuration(a); });
  };
  EXPECT_EQ(error({"tiel=2"}), "kernel demo has no parameter \"tiel\" (did you mean \"tile\"?); it "
                               "has: bx, tile, scale, fast, mode");
  EXPECT_EQ(error({"bx=33"}), "bx=33 is not a value of kernel demo; allowed: 16, 32, 48, 64");
  EXPECT_EQ(error({"bx"}), "\"bx\" is not of the form name=value");
  EXPECT_EQ(error({"bx=16", "bx=32"}), "parameter \"bx\" is given twice");
  EXPECT_EQ(spec.configuration({"mode=column", "fast=True", "scale=1"}).key(),
            "bx=32 tile=2 scale=1.0 fast=true mode=column");
}

TEST(TunableSpec, NamesTheFirstViolatedRestriction) {
  const TunableSpec spec = demo();
  EXPECT_EQ(spec.violated_restriction(spec.default_configuration()), std::nullopt);
  EXPECT_EQ(spec.violated_restriction(spec.configuration({"bx=64"})), "bx * tile <= 96");
  EXPECT_EQ(spec.violated_restriction(spec.configuration({"bx=48"})), std::nullopt); // exactly 96
  EXPECT_EQ(spec.violated_restriction(spec.configuration({"fast=1", "mode=column"})),
            "not fast or mode == 'row'");
}

TEST(TunableSpec, MalformedJsonIsReportedWithLineAndColumn) {
  EXPECT_NE(user_error([] {
              (void)TunableSpec::parse("{\n  \"a\": 1,,\n}", "x.json");
            }).find("x.json:2:10: malformed JSON: syntax error"),
            std::string::npos);
  EXPECT_NE(user_error([] {
              (void)TunableSpec::parse("{", "x.json");
            }).find("x.json:1:2: malformed JSON: "),
            std::string::npos);
  EXPECT_NE(
      user_error([] { (void)TunableSpec::parse("", "x.json"); }).find("x.json:1:1: malformed"),
      std::string::npos);
}

TEST(TunableSpec, UnknownNamesInExpressionsGetASuggestion) {
  EXPECT_EQ(error_after("bx * tile <= 96", "bx * tlie <= 96"),
            "demo.json: ConfigurationSpace.Conditions[0].Expression: \"bx * tlie <= 96\" uses the "
            "unknown name \"tlie\" (did you mean \"tile\"?); known: bx, tile, scale, fast, mode, "
            "ProblemSize");
  EXPECT_NE(error_after("ProblemSize[0] * tile\"", "ProblemSise[0]\"")
                .find("Arguments[1].Size: \"ProblemSise[0]\" uses the unknown name \"ProblemSise\" "
                      "(did you mean \"ProblemSize\"?)"),
            std::string::npos);
  EXPECT_NE(error_after("\"X\": \"bx\"", "\"X\": \"by\"").find("LocalSize.X: \"by\" uses"),
            std::string::npos);
}

TEST(TunableSpec, WrongStructureIsReportedWithItsPlace) {
  EXPECT_EQ(error_after("\"KernelName\": \"demo_kernel\",", ""),
            "demo.json: KernelSpecification: \"KernelName\" is missing (did you mean "
            "\"KernelFile\"?)");
  EXPECT_EQ(
      error_after("\"Default\": 32", "\"Default\": 33"),
      "demo.json: ConfigurationSpace.TuningParameters[0].Default: default 33 of \"bx\" is not "
      "one of its values: 16, 32, 48, 64");
  EXPECT_EQ(error_after("[1, 2, 3]", "[1, 2.5, 3]"),
            "demo.json: ConfigurationSpace.TuningParameters[1].Values: 2.5 is not of type int");
  EXPECT_NE(
      error_after("\"Type\": \"uint8\"", "\"Type\": \"uint9\"")
          .find("Arguments[1].Type: unknown element type \"uint9\" (did you mean \"uint8\"?)"),
      std::string::npos);
  EXPECT_NE(error_after("\"Oracle\"", "\"Orcale\"")
                .find("Coulomb: unknown key \"Orcale\" (did you mean \"Oracle\"?)"),
            std::string::npos);
  EXPECT_NE(
      error_after("\"w\": {\"Con", "\"v\": {\"Con").find("Coulomb.Arguments: unknown key \"v\""),
      std::string::npos);
  EXPECT_NE(
      error_after("[16*i for i in range(1,5)]", "16").find("expected a list, \"16\" is one value"),
      std::string::npos);
}

TEST(TunableSpec, GeneratorsSeeOnlyTheElementsIndex) {
  const std::string from = R"("FillType": "Random", "FillValue": 1.0)";
  EXPECT_EQ(
      error_after(from, R"("FillType": "Generator", "DataSource": "i + j")"),
      "demo.json: KernelSpecification.Arguments[1].DataSource: \"i + j\" uses the unknown name "
      "\"j\"; known: i (the element's index)");
  const auto spec = TunableSpec::parse(
      changed(from, R"("FillType": "Generator", "DataSource": "i % 7")"), "demo.json");
  EXPECT_EQ(spec.argument_templates[1].argument.fill.expression, "i % 7");
}

TEST(TunableSpec, ALaunchThatCannotBeIsAUserError) {
  const auto spec = TunableSpec::parse(
      changed("\"SharedMemory\": \"bx * 4\"", "\"SharedMemory\": \"bx - 40\""), "demo.json");
  EXPECT_EQ(user_error([&] { (void)spec.launch(spec.default_configuration()); }),
            "kernel demo: dynamic shared memory is -8 bytes; allowed: 0 to 2147483647");
  const auto empty = TunableSpec::parse(changed("\"Y\": 2", "\"Y\": \"tile - 2\""), "demo.json");
  EXPECT_EQ(user_error([&] { (void)empty.launch(empty.default_configuration()); }),
            "kernel demo: block size y is 0; allowed: 1 to 2147483647");
}

TEST(Configuration, KeyJsonAndSet) {
  Configuration c = demo().default_configuration();
  c.set("bx", std::int64_t{64});
  EXPECT_EQ(c.json().dump(), R"({"bx":64,"fast":false,"mode":"row","scale":0.5,"tile":2})");
  EXPECT_EQ(c.find("nothing"), nullptr);
  EXPECT_THROW(c.set("nothing", true), InternalError);
  EXPECT_FALSE(c == demo().default_configuration());
}

} // namespace
} // namespace coulomb::kernel
