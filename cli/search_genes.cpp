// SPDX-License-Identifier: Apache-2.0
#include "cli/search_genes.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <sstream>

namespace coulomb::cli {
namespace {

constexpr const char* kForm = "KEY=VALUE,VALUE,..., e.g. \"sm.l1.size=192 KiB,256 KiB\"";

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    const auto first = part.find_first_not_of(' ');
    const auto last = part.find_last_not_of(' ');
    parts.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return parts;
}

kernel::TunableParameter gene(const std::string& text, const config::ResolvedGpu& gpu) {
  const auto equals = text.find('=');
  kernel::TunableParameter parameter;
  parameter.name = text.substr(0, equals);
  parameter.type = "string";
  parameter.gpu_key = true;
  const auto values =
      equals == std::string::npos ? std::vector<std::string>() : split(text.substr(equals + 1));
  if (values.size() < 2) {
    throw UserError(
        fmt::format("search: --gene \"{}\" has {} values, needs 2 or more", text, values.size()),
        kForm);
  }
  for (const std::string& value : values) {
    if (std::find(parameter.values.begin(), parameter.values.end(),
                  kernel::ParameterValue(value)) != parameter.values.end()) {
      throw UserError(fmt::format("search: --gene \"{}\" has the value {} twice", text, value));
    }
    config::GpuConfig changed = gpu.config;
    if (config::apply_overrides(changed, {parameter.name + "=" + value}).empty()) {
      parameter.default_value = value; // the GPU's own
    }
    parameter.values.emplace_back(value);
  }
  if (std::find(parameter.values.begin(), parameter.values.end(), parameter.default_value) ==
      parameter.values.end()) {
    parameter.default_value = parameter.values.front();
  }
  return parameter;
}

} // namespace

void add_gpu_genes(const std::vector<std::string>& genes,
                   const config::ResolvedGpu& gpu,
                   kernel::TunableSpec& spec) {
  for (const std::string& text : genes) {
    auto parameter = gene(text, gpu);
    if (spec.find(parameter.name) != nullptr) {
      throw UserError(fmt::format("search: {} is a parameter already", parameter.name),
                      "name each key in one --gene");
    }
    if (std::find(gpu.changed.begin(), gpu.changed.end(), parameter.name) != gpu.changed.end()) {
      throw UserError(fmt::format("search: {} is both in --gene and in --set", parameter.name),
                      "leave --set out: the search chooses the value");
    }
    spec.parameters.push_back(std::move(parameter));
  }
}

} // namespace coulomb::cli
