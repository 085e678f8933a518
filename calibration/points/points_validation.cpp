// SPDX-License-Identifier: Apache-2.0
#include "calibration/points/points_validation.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::calibration::points {
namespace {

constexpr const char* kNoProbe = "no probe";
constexpr const char* kProbeFailed = "probe failed";
constexpr const char* kInterrupted = "interrupted";
constexpr const char* kNoGpu = "chip without a GPU file";
constexpr const char* kNoTolerance = "tolerance is no number";

std::vector<std::string> gpus_of(const MeasurementPlan& plan, const PointPlan& point) {
  if (!point.gpu.empty()) {
    return {point.gpu};
  }
  const auto found = plan.chips.find(point.chip);
  return found == plan.chips.end() ? std::vector<std::string>{} : found->second;
}

void refuse(PointResult& result, const std::string& reason, const std::string& detail) {
  result.verdict = Verdict::not_runnable;
  result.reason = reason;
  result.detail = detail;
}

/// Decides whether the point can be measured, and on what; adds the runs that it needs.
void prepare(PointResult& result, const MeasurementPlan& plan, std::set<ProbeRun>& runs) {
  const PublishedPoint& p = result.point;
  const PointPlan* entry = plan.find(p.chip, p.name);
  if (entry == nullptr) {
    return refuse(result, kNoProbe, "kernels/probes/points.csv has no row of this chip and name");
  }
  if (entry->measures.empty()) {
    return refuse(result, entry->reason, plan.reasons.at(entry->reason));
  }
  const auto gpus = gpus_of(plan, *entry);
  if (gpus.empty()) {
    return refuse(result, kNoGpu, fmt::format("configs/gpu has no product with {}", p.chip));
  }
  if (p.bands.empty()) {
    return refuse(result, kNoTolerance, fmt::format("the tolerance is \"{}\"", p.tolerance));
  }
  for (const auto& gpu : gpus) {
    result.runs.push_back({gpu, {}, {}});
    for (const auto& m : entry->measures) {
      add_runs(plan, m, gpu, runs);
    }
  }
}

void measure(PointOnGpu& run,
             const MeasurementPlan& plan,
             const PointPlan& entry,
             const config::GpuConfig& gpu,
             const FindResult& find) {
  try {
    for (const auto& name : entry.measures) {
      const std::string& key = plan.measurements.at(name).config;
      const auto values = key.empty() ? std::vector<double>{reduce(plan, name, run.gpu, gpu, find)}
                                      : configured(gpu, key);
      run.simulated.insert(run.simulated.end(), values.begin(), values.end());
    }
  } catch (const UserError& e) {
    run.problem = e.what();
  }
}

/// Values of a list such as "46 / 62" name no order: they are compared sorted.
bool all_within(std::vector<double> simulated, std::vector<Band> bands) {
  std::sort(simulated.begin(), simulated.end());
  std::sort(bands.begin(), bands.end(), [](const Band& a, const Band& b) { return a.low < b.low; });
  return simulated.size() == bands.size() &&
         std::equal(simulated.begin(), simulated.end(), bands.begin(), within);
}

void judge(PointResult& result) {
  result.verdict = Verdict::passed;
  for (const auto& run : result.runs) {
    if (!run.problem.empty()) {
      return refuse(result, kProbeFailed, fmt::format("{}: {}", run.gpu, run.problem));
    }
    if (!all_within(run.simulated, result.point.bands)) {
      result.verdict = Verdict::failed;
    }
  }
}

bool is_echo(const MeasurementPlan& plan, const PointPlan& entry) {
  return std::any_of(entry.measures.begin(), entry.measures.end(), [&](const std::string& m) {
    const Measurement& measurement = plan.measurements.at(m);
    return measurement.echo || !measurement.config.empty();
  });
}

/// Of several GPUs the weakest claim counts.
Role role_of(const PointResult& result,
             const MeasurementPlan& plan,
             const PointPlan& entry,
             const std::map<std::string, config::ResolvedGpu>& gpus) {
  Role role = Role::check;
  for (const auto& run : result.runs) {
    role = std::min(role, classify(result.point, entry, is_echo(plan, entry),
                                   gpus.at(run.gpu).provenance, plan.sources));
  }
  return role;
}

} // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
  case Verdict::passed:
    return "passed";
  case Verdict::failed:
    return "failed";
  case Verdict::not_runnable:
    return "not_runnable";
  }
  throw InternalError("verdict of no name");
}

bool within(double simulated, const Band& band) {
  constexpr double kSlack = 1e-9; // of the decimal fractions themselves
  const double rounded = std::round(simulated * 100.0) / 100.0;
  return rounded >= band.low - kSlack && rounded <= band.high + kSlack;
}

PointCounts count(const PointsReport& report) {
  PointCounts counts;
  for (const PointResult& r : report.points) {
    if (r.verdict == Verdict::not_runnable) {
      ++counts.not_runnable[r.reason];
      continue;
    }
    const bool passed = r.verdict == Verdict::passed;
    ++(passed ? counts.passed : counts.failed);
    auto& of_role = counts.by_role[*r.role];
    ++(passed ? of_role.first : of_role.second);
  }
  return counts;
}

PointsReport validate_points(const std::vector<PublishedPoint>& points,
                             const MeasurementPlan& plan,
                             const std::map<std::string, config::ResolvedGpu>& gpus,
                             const ExecuteRuns& execute) {
  PointsReport report;
  std::set<ProbeRun> wanted;
  for (const PublishedPoint& p : points) {
    report.points.push_back({p, Verdict::not_runnable, {}, {}, {}, {}});
    prepare(report.points.back(), plan, wanted);
  }
  const std::vector<ProbeRun> runs(wanted.begin(), wanted.end());
  const auto results = execute(runs);
  report.probe_runs = runs.size();
  report.finished_runs = static_cast<std::size_t>(std::ranges::count_if(
      results, [](const ProbeResult& result) { return !result.interrupted; }));
  report.interrupted = report.finished_runs < runs.size();
  bool cut_short = false; // the point that is being measured
  const FindResult find = [&](const ProbeRun& run) -> const ProbeResult& {
    const auto at = std::lower_bound(runs.begin(), runs.end(), run);
    const ProbeResult& result = results.at(static_cast<std::size_t>(at - runs.begin()));
    cut_short = cut_short || result.interrupted;
    return result;
  };
  for (PointResult& r : report.points) {
    if (r.runs.empty()) {
      continue;
    }
    const PointPlan& entry = *plan.find(r.point.chip, r.point.name);
    cut_short = false;
    for (PointOnGpu& run : r.runs) {
      measure(run, plan, entry, gpus.at(run.gpu).config, find);
    }
    r.role = role_of(r, plan, entry, gpus);
    judge(r);
    if (cut_short) {
      refuse(r, kInterrupted, "a probe run of it had not finished");
    }
  }
  return report;
}

} // namespace coulomb::calibration::points
