// SPDX-License-Identifier: Apache-2.0
#include "cli/comparison_report.hpp"

#include "base/text.hpp"
#include "cli/stall_words.hpp"

#include <cmath>
#include <fmt/ranges.h>
#include <string_view>

namespace coulomb::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kCounterLines = 20;
/// They are the section on stalls, in other units.
constexpr std::string_view kStallCounters = "smsp__warps_issue_stalled_";

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

Json side_json(const SavedRun& r) {
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

} // namespace

std::string comparison_text(const SavedRun& a, const SavedRun& b, const Comparison& c) {
  return head_text(a, b) + inputs_text(c) + stalls_text(a, b, c) + counters_text(c);
}

Json comparison_json(const SavedRun& a, const SavedRun& b, const Comparison& c) {
  Json j = {{"a", side_json(a)}, {"b", side_json(b)}};
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
  return j;
}

} // namespace coulomb::cli
