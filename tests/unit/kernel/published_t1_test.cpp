// SPDX-License-Identifier: Apache-2.0
// Files in the shapes in which tuning suites publish theirs: what those have, and this simulator
// has no use for, must not keep it from reading them.
#include "base/kernel/space_enumeration.hpp"
#include "tests/unit/kernel/support.hpp"

namespace coulomb::kernel {
namespace {

using test::user_error;

/// A stencil with Python lists, constants of BenchmarkConfig, thread counts, and divisors.
constexpr const char* kStencil = R"json({
  "General": {"BenchmarkName": "stencil", "OutputFormat": "JSON", "FormatVersion": 1,
              "TimeUnit": "Microseconds", "OutputFile": "out"},
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "width", "Type": "int", "Values": "[2048]", "Default": 2048},
      {"Name": "bx", "Type": "int", "Values": "[1, 2, 4] + list(range(32, 128+1, 32))",
       "Default": 32},
      {"Name": "by", "Type": "uint", "Values": "[2**i for i in range(0, 4)]", "Default": 1},
      {"Name": "steps", "Type": "int", "Values": "list(range(1, 5))", "Default": [2]},
      {"Name": "unroll", "Type": "int", "Values": "[i for i in range(1, 4+1)]", "Default": 1},
      {"Name": "most", "Type": "int", "Values": "[4]", "Default": 1},
      {"Name": "weight", "Type": "float", "Values": "[0.25, 1]", "Default": 1},
      {"Name": "padded", "Type": "bool", "Values": "[True, False]", "Default": false},
      {"Name": "layout", "Type": "string", "Values": ["rows", "columns"], "Default": "columns"}
    ],
    "Conditions": [
      {"Expression": "bx*by>= 32", "Parameters": ["bx", "by"]},
      {"Expression": "bx * by <= MAX_THREADS", "Parameters": ["bx", "by"]},
      {"Expression": "steps % unroll == 0", "Parameters": ["steps", "unroll"]},
      {"Expression": "by in (1, 2, 4)", "Parameters": ["by"]},
      {"Expression": "layout == 'rows' or not padded", "Parameters": ["layout", "padded"]}
    ]
  },
  "Search": {"Name": "RandomSearch", "Attributes": [{"Name": "budget", "Value": "10"}]},
  "Budget": {"Type": "ConfigurationCount", "BudgetValue": 10},
  "BenchmarkConfig": {"iterations": 10, "MAX_THREADS": 256, "note": "text"},
  "KernelSpecification": {
    "Device": {"Id": 0, "Name": "any"},
    "Language": "CUDA",
    "CompilerOptions": ["-std=c++11"],
    "Profiling": false,
    "BenchmarkName": "stencil",
    "KernelName": "step_kernel",
    "KernelFile": "stencil.cu",
    "GlobalSizeType": "OpenCL",
    "LocalSize": {"X": "bx", "Y": "by", "Z": "1"},
    "GlobalSize": {"X": "2048", "Y": "2048"},
    "GridDivX": ["bx"],
    "GridDivY": ["by", "unroll"],
    "GridDivZ": null,
    "ProblemSize": [2048, 2048],
    "SharedMemory": 0,
    "SimulationInput": "results.json",
    "Stream": null,
    "Misc": {"jitify": true},
    "Arguments": [
      {"Name": "in", "Type": "float4", "Size": 1024, "TypeSize": 16, "MemoryType": "Vector",
       "AccessType": "ReadOnly", "FillType": "Random", "FillValue": 2.0, "RandomSeed": 9},
      {"Type": "double2", "Size": "width", "MemoryType": "Vector", "AccessType": "ReadWrite",
       "FillType": "Constant", "FillValue": 0.0, "Output": 1},
      {"Name": "raw", "Type": "int8", "Size": 4, "MemoryType": "Vector", "FillType": "BinaryRaw",
       "DataSource": "raw.bin"},
      {"Name": "table", "Type": "float", "Size": 8, "MemoryType": "Symbol", "FillType": "Constant"},
      {"Name": "c", "Type": "float", "MemoryType": "Scalar", "AccessType": "ReadOnly",
       "FillValue": 0.5}
    ],
    "Author": "somebody"
  },
  "verification": {"type": "reference", "path": "reference.cpp"}
})json";

TunableSpec stencil() {
  return TunableSpec::parse(kStencil, "/specs/stencil.json");
}

TEST(PublishedT1, PythonListsAreTheValues) {
  const TunableSpec spec = stencil();
  EXPECT_EQ(spec.parameters[1].values,
            (std::vector<ParameterValue>{std::int64_t{1}, std::int64_t{2}, std::int64_t{4},
                                         std::int64_t{32}, std::int64_t{64}, std::int64_t{96},
                                         std::int64_t{128}}));
  EXPECT_EQ(spec.parameters[2].values.size(), 4U);
  EXPECT_EQ(spec.default_configuration().key(),
            "width=2048 bx=32 by=1 steps=2 unroll=1 most=4 weight=1.0 padded=false layout=columns");
  EXPECT_EQ(spec.parameters[8].kind, ParameterKind::categorical);
}

TEST(PublishedT1, NumbersOfTheBenchmarkAreNamesOfConditions) {
  const TunableSpec spec = stencil();
  // 10 pairs bx, by: 32, 64, 96, 128 with 1, 2 and the first two with 4; of steps and unroll 8; and
  // 3 of layout and padded; 2 weights.
  EXPECT_EQ(count_valid(spec), 10U * 8U * 3U * 2U);
  EXPECT_EQ(spec.violated_restriction(spec.configuration({"bx=96", "by=4"})),
            "bx * by <= MAX_THREADS");
}

TEST(PublishedT1, ArgumentsMayBeSmallVectorsAndNameless) {
  const Launch launch = stencil().launch(stencil().default_configuration());
  ASSERT_EQ(launch.arguments.size(), 5U);
  EXPECT_EQ(launch.arguments[0].type, ElementType::f32);
  EXPECT_EQ(launch.arguments[0].count, 4096U);
  EXPECT_EQ(launch.arguments[0].fill.seed, 9U);
  EXPECT_EQ(launch.arguments[1].name, "arg1");
  EXPECT_EQ(launch.arguments[1].type, ElementType::f64);
  EXPECT_EQ(launch.arguments[1].count, 4096U);
  EXPECT_TRUE(launch.arguments[1].output);
  EXPECT_EQ(launch.arguments[2].type, ElementType::i8);
  EXPECT_EQ(launch.arguments[2].fill.path, "/specs/raw.bin");
  EXPECT_EQ(launch.arguments[3].constant_symbol, "table");
  EXPECT_EQ(launch.grid, (Dim3{64, 2048, 1}));
}

TEST(PublishedT1, WhatIsIgnoredIsAWarning) {
  EXPECT_EQ(stencil().warnings,
            (std::vector<std::string>{
                "/specs/stencil.json: KernelSpecification: unknown key \"Author\" is ignored",
                "/specs/stencil.json: default 1 of \"most\" is not its only value, 4, which is "
                "used instead"}));
}

TEST(PublishedT1, ASpaceOfAnotherLanguageCanBeLookedAtButNotLaunched) {
  // The sizes name parameters that there are not, as such files do.
  const TunableSpec spec = TunableSpec::parse(R"json({
    "General": {"BenchmarkName": "product"},
    "ConfigurationSpace": {
      "TuningParameters": [
        {"Name": "MT", "Type": "int", "Values": "[16, 32, 64]", "Default": 32},
        {"Name": "MD", "Type": "int", "Values": "[8, 16, 32]", "Default": 8},
        {"Name": "NT", "Type": "int", "Values": "[16, 32]", "Default": 16}],
      "Conditions": [{"Expression": "MT % ((MD * NT)/16) == 0", "Parameters": ["MT", "MD", "NT"]}]},
    "KernelSpecification": {
      "Language": "OpenCL", "KernelName": "product", "KernelFile": "product.opencl",
      "LocalSize": {"X": "block_size_x", "Y": "block_size_y", "Z": "1"},
      "GlobalSize": {"X": "4096", "Y": "4096", "Z": "1"},
      "GridDivX": ["MT"], "GridDivY": ["NT"], "ProblemSize": [4096, 4096], "SharedMemory": 0,
      "Arguments": []}})json",
                                              "product.json");
  EXPECT_EQ(count_valid(spec), 14U);
  EXPECT_EQ(user_error([&] { (void)spec.launch(spec.default_configuration()); }),
            "kernel product cannot be launched: product.json: language \"OpenCL\" cannot be "
            "compiled; allowed: CUDA");
}

TEST(PublishedT1, ASpaceNeedsNoKernelsSizes) {
  const TunableSpec spec = TunableSpec::parse(R"json({
    "ConfigurationSpace": {
      "TuningParameters": [
        {"Name": "BLOCK", "Type": "int", "Values": "list(range(32, 1024+1, 32))", "Default": 128},
        {"Name": "WORK", "Type": "int", "Values": "list(range(1, 17))", "Default": 1}]},
    "KernelSpecification": {
      "Language": "CUDA", "KernelName": "triad", "KernelFile": "triad.cu",
      "GlobalSize": {"X": "(4096//BLOCK//WORK) + 1"}, "LocalSize": {"X": "BLOCK"},
      "Arguments": [
        {"Name": "A", "Type": "double", "Size": 4096, "TypeSize": 1, "FillType": "Generator",
         "DataSource": "i", "AccessType": "ReadOnly", "MemoryType": "Vector"}]}})json",
                                              "triad.json");
  EXPECT_EQ(count_valid(spec), 512U);
  const Launch launch = spec.launch(spec.configuration({"WORK=2"}));
  EXPECT_EQ(launch.grid, (Dim3{17, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(spec.warnings, std::vector<std::string>{});
}

} // namespace
} // namespace coulomb::kernel
