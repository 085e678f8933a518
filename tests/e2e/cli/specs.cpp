// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include "base/results/csv.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

std::string kernels_dir(const std::string& name) {
  return COULOMB_SOURCE_DIR "/kernels/" + name + "/" + name;
}

bool matches(const results::CsvTable& table,
             const std::vector<std::string>& row,
             const Cells& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& cell) {
    const auto column = table.find_column(cell.first);
    return column && row[*column] == cell.second;
  });
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

void write_table(const Workplace& workplace,
                 const std::string& directory,
                 const std::string& name,
                 const std::vector<Cells>& wanted) {
  const std::string shipped = COULOMB_SOURCE_DIR "/data/silicon/" + directory + "/" + name;
  const auto table = results::read_csv(shipped + ".csv.gz");
  std::string text = fmt::format("{}\n", fmt::join(table.columns, ","));
  for (const auto& row : table.rows) {
    if (std::any_of(wanted.begin(), wanted.end(),
                    [&](const Cells& cells) { return matches(table, row, cells); })) {
      text += fmt::format("{}\n", fmt::join(row, ","));
    }
  }
  workplace.write(name + ".csv", text);
  workplace.write(name + ".toml", read_file(shipped + ".toml"));
}

std::string write_a100_table(const Workplace& workplace) {
  const std::string name = "convolution_A100-PCIE-40GB";
  const Cells small = {{"tile_size_x", "1"}, {"tile_size_y", "1"}, {"read_only", "0"},
                       {"use_padding", "0"}, {"use_shmem", "1"},   {"clock_state", "base"}};
  const Cells failing = {{"block_size_x", "64"}, {"block_size_y", "16"}, {"tile_size_x", "2"},
                         {"tile_size_y", "1"},   {"use_shmem", "0"},     {"read_only", "1"}};
  write_table(workplace, "convolution", name, {small, failing});
  return name + ".csv";
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
