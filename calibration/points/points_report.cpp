// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/points_validation.hpp"

#include "base/error.hpp"

#include <cmath>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::calibration::points {
namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) {
  return std::round(value * 1e4) / 1e4;
}

/// One number as a number, several as an array.
Json values(const std::vector<double>& simulated) {
  if (simulated.empty()) {
    return nullptr;
  }
  if (simulated.size() == 1) {
    return rounded(simulated.front());
  }
  Json list = Json::array();
  for (const double v : simulated) {
    list.push_back(rounded(v));
  }
  return list;
}

/// Of several GPUs the one that decides: the first outside the band, else the first.
const PointOnGpu* deciding(const PointResult& r) {
  for (const auto& run : r.runs) {
    if (r.verdict == Verdict::failed && run.simulated.size() == 1 &&
        !within(run.simulated.front(), r.point.bands.front())) {
      return &run;
    }
  }
  return r.runs.empty() ? nullptr : &r.runs.front();
}

Json point_json(const PointResult& r) {
  const PointOnGpu* shown = deciding(r);
  Json j = {{"name", r.point.name},
            {"chip", r.point.chip},
            {"published", r.point.published},
            {"simulated", shown != nullptr ? values(shown->simulated) : Json(nullptr)},
            {"unit", r.point.unit},
            {"tolerance", r.point.tolerance},
            {"verdict", to_string(r.verdict)},
            {"role", r.role ? Json(to_string(*r.role)) : Json(nullptr)},
            {"source", r.point.source},
            {"line", r.point.line}};
  if (r.verdict == Verdict::not_runnable) {
    j["reason"] = r.reason;
    j["detail"] = r.detail;
  }
  j["gpus"] = Json::array();
  for (const auto& run : r.runs) {
    j["gpus"].push_back({{"gpu", run.gpu}, {"simulated", values(run.simulated)}});
  }
  return j;
}

std::string values_text(const std::vector<double>& simulated) {
  std::vector<std::string> texts;
  for (const double v : simulated) {
    texts.push_back(fmt::format("{:.6g}", std::round(v * 100.0) / 100.0));
  }
  return fmt::format("{}", fmt::join(texts, " / "));
}

std::pair<std::size_t, std::size_t> of_role(const PointCounts& counts, Role role) {
  const auto found = counts.by_role.find(role);
  return found == counts.by_role.end() ? std::pair<std::size_t, std::size_t>{} : found->second;
}

} // namespace

std::string to_json_text(const PointsReport& report) {
  const PointCounts counts = count(report);
  Json j = {{"schema", 1},
            {"table", report.table},
            {"passed", counts.passed},
            {"failed", counts.failed},
            {"not_runnable", Json::object()}};
  for (const auto& [reason, n] : counts.not_runnable) {
    j["not_runnable"][reason] = n;
  }
  for (const Role role : {Role::set, Role::check, Role::echo}) {
    const auto [passed, failed] = of_role(counts, role);
    j[to_string(role)] = {{"passed", passed}, {"failed", failed}};
  }
  j["interrupted"] = report.interrupted;
  j["finished_runs"] = report.finished_runs;
  j["probe_runs"] = report.probe_runs;
  j["command"] = report.command;
  j["points"] = Json::array();
  for (const PointResult& r : report.points) {
    j["points"].push_back(point_json(r));
  }
  return j.dump(2);
}

std::string to_text(const PointsReport& report) {
  const PointCounts counts = count(report);
  std::string text = fmt::format("points     {}   {} points, {} probe runs\n\n", report.table,
                                 report.points.size(), report.probe_runs);
  if (report.interrupted) {
    text += fmt::format("PARTIAL    interrupted: {} of {} probe runs finished\n\n",
                        report.finished_runs, report.probe_runs);
  }
  text += "  role         passed   failed\n";
  for (const Role role : {Role::check, Role::set, Role::echo}) {
    const auto [passed, failed] = of_role(counts, role);
    text += fmt::format("  {:<10} {:8} {:8}\n", to_string(role), passed, failed);
  }
  text += fmt::format("  {:<10} {:8} {:8}\n", "all", counts.passed, counts.failed);
  text += "\n  not runnable\n";
  for (const auto& [reason, n] : counts.not_runnable) {
    text += fmt::format("  {:8}   {}\n", n, reason);
  }
  text += "\n  failed\n";
  for (const PointResult& r : report.points) {
    if (r.verdict == Verdict::failed) {
      const PointOnGpu& run = *deciding(r);
      text += fmt::format("  {} ({}, {}): published {} {} within {}, simulated {}\n", r.point.name,
                          run.gpu, to_string(*r.role), r.point.published, r.point.unit,
                          r.point.tolerance, values_text(run.simulated));
    }
  }
  return text + fmt::format("\nreproduce  {}\n", report.command);
}

} // namespace coulomb::calibration::points
