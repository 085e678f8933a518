// SPDX-License-Identifier: Apache-2.0
#include "cli/compare.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/command_line.hpp"
#include "cli/comparison.hpp"
#include "cli/json_output.hpp"
#include "cli/stall_words.hpp"

#include <cmath>
#include <cstdio>
#include <fmt/ranges.h>
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

constexpr std::size_t kCounterLines = 20;
/// They are the section on stalls, in other units.
constexpr std::string_view kStallCounters = "smsp__warps_issue_stalled_";

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

std::string number(double value) {
  constexpr double kFractionsMatterBelow = 1000.0;
  const bool whole = value == std::floor(value) || value >= kFractionsMatterBelow;
  return whole && value >= 0.0 && value < 1e18
             ? with_thousands(static_cast<std::uint64_t>(std::llround(value)))
             : fmt::format("{:.4g}", value);
}

std::string cycles_text(double value) {
  return with_thousands(static_cast<std::uint64_t>(std::llround(std::abs(value))));
}

std::string change_text(double a, double b) {
  return a == 0.0 ? std::string("from 0") : fmt::format("{:+.2f} %", 100.0 * (b - a) / a);
}

std::string plain(const nlohmann::json& value) {
  return value.is_null() ? "(none)" : value.is_string() ? value.get<std::string>() : value.dump();
}

std::string use_text(const KeyUse& use) {
  switch (use.verdict) {
  case KeyUse::Verdict::exercised:
    return use.counters.empty() ? "exercised by every run"
                                : fmt::format("exercised, says {}", fmt::join(use.counters, ", "));
  case KeyUse::Verdict::unused:
    return fmt::format("not exercised: 0 {}", fmt::join(use.counters, ", "));
  case KeyUse::Verdict::unknown:
    break;
  }
  return "no counter tells whether it is exercised";
}

std::string head_text(const SavedRun& a, const SavedRun& b) {
  std::string text;
  const auto run = [&](const char* name, const SavedRun& r) {
    text += fmt::format("{}          {}   {} on {}   {}{}\n", name, r.path, r.kernel, r.gpu, r.rung,
                        r.status == "ok" ? "" : "   status " + r.status);
  };
  run("A", a);
  run("B", b);
  text +=
      fmt::format("\n  {:<10} {:>14} -> {:<14} {}\n", "time", fmt::format("{:.6g} ms", a.time_ms),
                  fmt::format("{:.6g} ms", b.time_ms), change_text(a.time_ms, b.time_ms));
  text += fmt::format("  {:<10} {:>14} -> {:<14} {}\n", "cycles", cycles_text(a.cycles),
                      cycles_text(b.cycles), change_text(a.cycles, b.cycles));
  return text;
}

std::string inputs_text(const Comparison& c) {
  if (c.inputs.empty()) {
    return "\n  the inputs are the same\n";
  }
  std::string text = "\n  inputs that differ\n";
  for (const auto& input : c.inputs) {
    text += fmt::format("    {:<18} {:<32} {} -> {}", to_string(input.kind), input.key,
                        plain(input.a), plain(input.b));
    text += input.use ? fmt::format("   {}\n", use_text(*input.use)) : "\n";
  }
  return text;
}

std::string stalls_text(const SavedRun& a, const SavedRun& b, const Comparison& c) {
  std::string text =
      fmt::format("\n  where the difference of {}{} cycles went (shares of warp-cycles times "
                  "cycles)\n",
                  b.cycles < a.cycles ? "-" : "+", cycles_text(b.cycles - a.cycles));
  for (const auto& s : c.stalls) {
    if (std::llround(s.cycles) != 0) {
      text +=
          fmt::format("    {:<28} {:>5.1f} % -> {:>5.1f} %   {}{} cycles\n", stall_words(s.reason),
                      100.0 * s.a, 100.0 * s.b, s.cycles < 0 ? "-" : "+", cycles_text(s.cycles));
    }
  }
  return text;
}

std::string counters_text(const Comparison& c) {
  std::string text = "\n  counters that differ, by relative difference\n";
  std::size_t shown = 0;
  std::size_t more = 0;
  for (const auto& counter : c.counters) {
    if (counter.name.starts_with(kStallCounters)) {
      continue;
    }
    if (shown == kCounterLines) {
      ++more;
      continue;
    }
    ++shown;
    text += fmt::format("    {:<52} {:>16} -> {:<16} {}\n", counter.name, number(counter.a),
                        number(counter.b), change_text(counter.a, counter.b));
  }
  if (shown == 0) {
    return "\n  no counter differs\n";
  }
  return text + (more > 0 ? fmt::format("    and {} more, in --json\n", more) : "");
}

Json run_json(const SavedRun& r) {
  return {{"file", r.path},     {"kernel", r.kernel}, {"gpu", r.gpu},        {"rung", r.rung},
          {"status", r.status}, {"cycles", r.cycles}, {"time_ms", r.time_ms}};
}

Json change_json(double a, double b) {
  return {{"a", a}, {"b", b}, {"change", a == 0.0 ? Json(nullptr) : Json((b - a) / a)}};
}

Json input_json(const Comparison::Input& input) {
  Json j = {{"kind", to_string(input.kind)}, {"key", input.key}};
  j["a"] = Json(input.a);
  j["b"] = Json(input.b);
  if (input.use) {
    j["use"] = to_string(input.use->verdict);
    j["counters"] = Json(input.use->counters);
  }
  return j;
}

Json comparison_json(const SavedRun& a,
                     const SavedRun& b,
                     const Comparison& c,
                     const std::optional<Gate>& gate) {
  Json j = {{"schema", kJsonSchema}, {"a", run_json(a)}, {"b", run_json(b)}};
  j["time_ms"] = change_json(a.time_ms, b.time_ms);
  j["cycles"] = change_json(a.cycles, b.cycles);
  j["inputs"] = Json::array();
  for (const auto& input : c.inputs) {
    j["inputs"].push_back(input_json(input));
  }
  j["stalls"] = Json::array();
  for (const auto& s : c.stalls) {
    j["stalls"].push_back({{"reason", s.reason}, {"a", s.a}, {"b", s.b}, {"cycles", s.cycles}});
  }
  j["counters"] = Json::array();
  for (const auto& counter : c.counters) {
    Json row = {{"name", counter.name}};
    row.update(change_json(counter.a, counter.b));
    j["counters"].push_back(std::move(row));
  }
  j["gate"] = nullptr;
  if (gate) {
    j["gate"] = {{"limit", gate->percent / 100.0}, {"passed", gate->passed}};
    j["gate"]["reason"] = gate->passed ? Json(nullptr) : Json(gate->reason);
  }
  return j;
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
  const SavedRun a = read_saved_run(values["a"].as<std::string>());
  const SavedRun b = read_saved_run(values["b"].as<std::string>());
  const Comparison comparison = compare_runs(a, b);
  if (gate) {
    judge(*gate, a, b);
  }
  if (values.count("json") > 0) {
    fmt::print("{}\n", comparison_json(a, b, comparison, gate).dump(2));
  } else {
    fmt::print("{}{}{}{}", head_text(a, b), inputs_text(comparison), stalls_text(a, b, comparison),
               counters_text(comparison));
  }
  std::fflush(stdout);
  if (gate && !gate->passed) {
    fmt::print(stderr, "gate failed: {}\n", gate->reason);
    return 1;
  }
  return 0;
}

} // namespace coulomb::cli
