// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

std::string kernels_dir(const std::string& name) {
  return COULOMB_SOURCE_DIR "/kernels/" + name + "/" + name;
}

} // namespace

nlohmann::json shipped_spec(const std::string& name) {
  return nlohmann::json::parse(read_file(kernels_dir(name) + ".json"));
}

void write_spec(const Workplace& workplace,
                const std::string& name,
                const nlohmann::json& spec,
                const std::string& shipped) {
  workplace.write(name + ".json", spec.dump(2));
  workplace.write(shipped + ".cu", read_file(kernels_dir(shipped) + ".cu"));
}

void write_small_saxpy(const Workplace& workplace, std::int64_t elements) {
  auto spec = shipped_spec("saxpy");
  spec["KernelSpecification"]["ProblemSize"] = {elements};
  write_spec(workplace, "small", spec, "saxpy");
}

void write_tiny_convolution(const Workplace& workplace) {
  const std::map<std::string, std::string> narrowed = {
      {"block_size_x", "[16, 32]"}, {"block_size_y", "[8, 16]"}, {"tile_size_x", "[1]"},
      {"tile_size_y", "[1, 2]"},    {"read_only", "[0]"},        {"use_padding", "[0]"}};
  auto spec = shipped_spec("convolution");
  for (auto& parameter : spec["ConfigurationSpace"]["TuningParameters"]) {
    if (const auto at = narrowed.find(parameter["Name"]); at != narrowed.end()) {
      parameter["Values"] = at->second;
    }
  }
  write_spec(workplace, "tiny", spec, "convolution");
}

void write_kernel(const Workplace& workplace, const std::string& name, const std::string& body) {
  auto spec = shipped_spec("saxpy");
  spec["General"]["BenchmarkName"] = name;
  spec["ConfigurationSpace"] = nlohmann::json::parse(R"({
    "TuningParameters": [{"Name": "block_size", "Type": "int", "Values": "[64]", "Default": 64}],
    "Conditions": []})");
  auto& kernel = spec["KernelSpecification"];
  kernel["KernelName"] = name;
  kernel["KernelFile"] = name + ".cu";
  kernel["GlobalSize"]["X"] = "ProblemSize[0] // block_size";
  kernel["GridDivX"] = {"block_size"};
  kernel["ProblemSize"] = {4096};
  workplace.write(name + ".json", spec.dump(2));
  workplace.write(name + ".cu",
                  fmt::format("extern \"C\" __global__ void {}(int count, float alpha, const "
                              "float* x, float* y) {{\n"
                              "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                              "{}\n"
                              "}}\n",
                              name, body));
}

std::vector<std::string> keys(const nlohmann::json& json) {
  std::vector<std::string> names;
  for (const auto& item : json.items()) {
    names.push_back(item.key());
  }
  return names;
}

std::string read(const Workplace& workplace, const std::string& name) {
  return read_file(workplace.path(name));
}

nlohmann::json recorded_evaluations(const Workplace& workplace, const std::string& out) {
  const Result result = run(workplace, {"search", "export", out, "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  auto evaluations = result.json()["evaluations"];
  for (auto& evaluation : evaluations) {
    for (const char* host : {"compiler_s", "compile_s", "sim_s", "finished"}) {
      EXPECT_EQ(evaluation.erase(host), 1U) << host;
    }
  }
  return evaluations;
}

nlohmann::json error_of(const Result& result, const std::string& kind) {
  const auto json = result.json();
  EXPECT_THAT(keys(json), testing::ElementsAre("error"));
  if (!json.contains("error")) {
    return nlohmann::json::object();
  }
  EXPECT_THAT(keys(json["error"]), testing::UnorderedElementsAre("kind", "message", "hint"));
  EXPECT_EQ(json["error"].value("kind", ""), kind);
  return json["error"];
}

} // namespace coulomb::e2e
