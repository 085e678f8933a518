// SPDX-License-Identifier: Apache-2.0
#include "search/engine/reference_output.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <filesystem>

namespace coulomb::search {
namespace {

constexpr const char* kReference = "the default configuration's output";

/// An output whose size depends on a tunable parameter has no common reference.
bool has_one_size(const kernel::TunableSpec& spec, const std::string& count) {
  const auto names = kernel::Expression::parse(count).names();
  return std::none_of(names.begin(), names.end(),
                      [&](const std::string& name) { return spec.find(name) != nullptr; });
}

std::vector<std::string> output_names(const kernel::TunableSpec& spec) {
  std::vector<std::string> marked;
  std::vector<std::string> writable;
  for (const auto& t : spec.argument_templates) {
    const kernel::Argument& a = t.argument;
    if (!has_one_size(spec, t.count_expression)) {
      continue;
    }
    if (a.vector && a.passed && a.output) {
      marked.push_back(a.name);
    }
    if (a.vector && a.passed && a.writable) {
      writable.push_back(a.name);
    }
  }
  return marked.empty() ? writable : marked;
}

} // namespace

bool needs_reference(const kernel::TunableSpec& spec) {
  return spec.oracle.empty() && !spec.parameters.empty() && !output_names(spec).empty();
}

ReferenceOutput run_default_configuration(const kernel::TunableSpec& spec,
                                          const config::GpuConfig& gpu,
                                          EvaluatorOptions options,
                                          const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    throw EnvironmentError(fmt::format("cannot make {}: {}", directory, error.message()));
  }
  options.jobs = 1;
  options.pool = nullptr; // its evaluator ends before a shared pool would
  options.fidelity = {};
  options.fidelity.rung = "functional";
  options.check_output = false;
  options.expected.clear();
  options.checks.clear();
  options.outputs.clear();
  const std::filesystem::path folder = std::filesystem::absolute(directory);
  ReferenceOutput reference;
  for (const std::string& name : output_names(spec)) {
    const std::string path = (folder / (name + ".npy")).string();
    options.outputs.push_back({name, path, {}});
    reference.expected.push_back({name, path, -1.0, false, kReference});
  }
  Evaluator evaluator(spec, gpu, options);
  evaluator.evaluate({{0, spec.default_configuration()}}, [&](const Evaluation& e) {
    if (e.status != eval::EvalStatus::ok) {
      reference.problem = fmt::format("the default configuration, which is to be the reference, is "
                                      "{}: {}",
                                      eval::to_string(e.status), e.message);
    }
  });
  if (!reference.problem.empty()) {
    reference.expected.clear();
  }
  return reference;
}

} // namespace coulomb::search
