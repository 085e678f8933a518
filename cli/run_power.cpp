// SPDX-License-Identifier: Apache-2.0
#include "cli/run_power.hpp"

#include "base/eval/character.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace coulomb::cli {
namespace {

using Json = nlohmann::ordered_json;
using Limit = power::ClockChoice::Limit;

std::string line(const std::string& name, const std::string& value, const std::string& note) {
  return fmt::format("  {:<21} {:<19}{}\n", name, value, note);
}

/// The three components that take most: "28 % sm active, 25 % register file, ...".
std::string largest(const power::PowerEstimate& estimate) {
  std::vector<std::pair<double, std::string>> parts;
  for (std::size_t c = 0; c < power::kComponents; ++c) {
    std::string name(power::component_name(static_cast<power::Component>(c)));
    std::ranges::replace(name, '_', ' ');
    parts.emplace_back(estimate.watts[c], std::move(name));
  }
  std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (std::size_t i = 0; i < 3; ++i) {
    text += fmt::format("{}{:.0f} % {}", i == 0 ? "" : ", ",
                        100.0 * parts[i].first / estimate.total_w, parts[i].second);
  }
  return text;
}

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

} // namespace

bool RunPower::throttled() const {
  return settled.limit != Limit::none;
}

std::optional<RunPower> run_power(const eval::SimOutcome& outcome, const config::GpuConfig& gpu) {
  if (!(outcome.cycles > 0.0)) {
    return std::nullopt;
  }
  const auto activity = power::activity_of(outcome.counters, outcome.time_ms, gpu.sm_clock_mhz);
  const auto retiming = power::retiming_of(gpu, activity, eval::core_utilization(outcome, gpu));
  return RunPower{estimate_power(gpu, activity, power::default_point(gpu)), retiming,
                  settle(gpu, activity, retiming, gpu.sm_clock_mhz, gpu.power.limit.board_w)};
}

std::string run_power_text(const RunPower& run, const config::GpuConfig& gpu) {
  const power::PowerEstimate& p = run.at_clock;
  std::string text = line("power", fmt::format("{:.0f} W", p.total_w),
                          fmt::format("{}; its sensor reads {:.0f} W", largest(p), p.reading_w));
  text +=
      line("energy", fmt::format("{:.4g} mJ", 1000.0 * p.energy_j),
           fmt::format("die {:.0f} C in the steady state, {:.3f} V", p.temperature_c, p.voltage_v));
  if (run.throttled()) {
    text += line("clock limit", fmt::format("{:.0f} MHz", run.settled.sm_clock_mhz),
                 fmt::format("where {} holds it: {:.4g} ms ({})",
                             run.settled.limit == Limit::power
                                 ? fmt::format("the limit of {:.0f} W", gpu.power.limit.board_w)
                                 : fmt::format("{:.0f} C", gpu.power.thermal.slowdown_c),
                             1000.0 * run.settled.time_s,
                             run.retiming.exact ? "same cycles"
                                                : "estimate; --set sm_clock_mhz simulates it"));
  }
  return text;
}

Json run_power_json(const std::optional<RunPower>& run) {
  if (!run) {
    return nullptr;
  }
  const power::PowerEstimate& p = run->at_clock;
  Json components = Json::object();
  for (std::size_t c = 0; c < power::kComponents; ++c) {
    components[std::string(power::component_name(static_cast<power::Component>(c)))] = p.watts[c];
  }
  constexpr std::array kLimits = {"none", "power", "temperature"};
  return {{"power_w", finite(p.total_w)},
          {"reading_w", finite(p.reading_w)},
          {"energy_mj", finite(1000.0 * p.energy_j)},
          {"temperature_c", finite(p.temperature_c)},
          {"voltage_v", p.voltage_v},
          {"busy_sm_w", finite(p.busy_sm_w)},
          {"components_w", std::move(components)},
          {"settled",
           {{"limit", kLimits[static_cast<std::size_t>(run->settled.limit)]},
            {"sm_clock_mhz", run->settled.sm_clock_mhz},
            {"time_ms", 1000.0 * run->settled.time_s},
            {"power_w", finite(run->settled.power.total_w)},
            {"cycles_of_every_clock", run->retiming.exact}}}};
}

} // namespace coulomb::cli
