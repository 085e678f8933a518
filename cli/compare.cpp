// SPDX-License-Identifier: Apache-2.0
#include "cli/compare.hpp"

#include "base/error.hpp"
#include "cli/command_line.hpp"
#include "cli/comparison_report.hpp"
#include "cli/json_output.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <optional>
#include <sstream>

namespace coulomb::cli {
namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr const char* kAbout = "usage: coulomb compare A.json B.json [options]\n\n"
                               "Compares two saved outputs of `coulomb run ... --json`: which "
                               "inputs differ, what that did to\n"
                               "time, stalls and counters, and whether the runs used the GPU "
                               "parameters that were changed.\n\n";
constexpr const char* kExamples =
    "\nExample\n"
    "  coulomb run saxpy --gpu a100-pcie-40gb --json > a.json\n"
    "  coulomb run saxpy --gpu a100-pcie-40gb --set l2.hit_latency=300 --json > b.json\n"
    "  coulomb compare a.json b.json --gate 1\n"
    "\nExit codes: 0 fine, 1 the gate failed, 2 wrong input\n";

po::options_description describe_options() {
  po::options_description options("Options");
  auto add = options.add_options();
  add("a", po::value<std::string>(), "A.json, if it is not given as a word");
  add("b", po::value<std::string>(), "B.json, if it is not given as a word");
  add("gate", po::value<double>(), "exit with 1 if B takes more than so many per cent longer");
  add("json", "print one JSON object");
  add("help,h", "print this help");
  return options;
}

/// What --gate decided.
struct Gate {
  double percent = 0.0;
  bool passed = true;
  std::string reason; ///< why it failed
};

std::optional<Gate> read_gate(const po::variables_map& values) {
  if (values.count("gate") == 0) {
    return std::nullopt;
  }
  const double percent = values["gate"].as<double>();
  if (!(percent >= 0.0) || !std::isfinite(percent)) {
    throw UserError(fmt::format("compare: --gate is {}; it must be at least 0 per cent", percent));
  }
  return Gate{percent, true, {}};
}

void judge(Gate& gate, const SavedRun& a, const SavedRun& b) {
  if (b.status != "ok") {
    gate.passed = false;
    gate.reason = fmt::format("the status of B is {}", b.status);
  } else if (b.time_ms > a.time_ms * (1.0 + gate.percent / 100.0)) {
    gate.passed = false;
    gate.reason = fmt::format("B takes {:.2f} % longer than A, allowed are {} %",
                              100.0 * (b.time_ms / a.time_ms - 1.0), gate.percent);
  }
}

Json gate_json(const std::optional<Gate>& gate) {
  if (!gate) {
    return nullptr;
  }
  return {{"limit", gate->percent / 100.0},
          {"passed", gate->passed},
          {"reason", gate->passed ? Json(nullptr) : Json(gate->reason)}};
}

std::string help_text() {
  std::ostringstream out;
  out << kAbout << describe_options() << kExamples;
  return out.str();
}

} // namespace

int run_compare(const std::vector<std::string>& args) {
  const auto values = parse_options("compare", args, describe_options(), {"a", "b"});
  if (values.count("help") > 0) {
    fmt::print("{}", help_text());
    return 0;
  }
  if (values.count("a") == 0 || values.count("b") == 0) {
    throw UserError("compare: it takes two files, A.json and B.json",
                    "save each with: coulomb run SPEC --gpu GPU --json > FILE.json");
  }
  std::optional<Gate> gate = read_gate(values);
  const SavedRun a = read_saved_run(values["a"].as<std::string>(), "compare");
  const SavedRun b = read_saved_run(values["b"].as<std::string>(), "compare");
  const Comparison comparison = compare_runs(a, b);
  if (gate) {
    judge(*gate, a, b);
  }
  if (values.count("json") > 0) {
    Json json = {{"schema", kJsonSchema}};
    json.update(comparison_json(a, b, comparison));
    json["gate"] = gate_json(gate);
    fmt::print("{}\n", json.dump(2));
  } else {
    fmt::print("{}", comparison_text(a, b, comparison));
  }
  std::fflush(stdout);
  if (gate && !gate->passed) {
    fmt::print(stderr, "gate failed: {}\n", gate->reason);
    return 1;
  }
  return 0;
}

} // namespace coulomb::cli
