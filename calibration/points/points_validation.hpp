// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"
#include "calibration/points/published_point.hpp"
#include "calibration/points/reduction.hpp"
#include "calibration/points/role.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration::points {

enum class Verdict { passed, failed, not_runnable };
[[nodiscard]] const char* to_string(Verdict verdict);

/// One point on one simulated GPU.
struct PointOnGpu {
  std::string gpu;               ///< key of the plan's gpus
  std::vector<double> simulated; ///< one for each published value; fewer if a run failed
  std::string problem;
};

struct PointResult {
  PublishedPoint point;
  Verdict verdict = Verdict::not_runnable;
  std::string reason;       ///< not runnable: key of the plan's reasons, or "probe failed"
  std::string detail;       ///< what that means, or the message of the probe that failed
  std::optional<Role> role; ///< of points that ran
  std::vector<PointOnGpu> runs;
};

struct PointsReport {
  std::string table;
  std::string command;
  std::vector<PointResult> points; ///< in the table's order
  std::size_t probe_runs = 0;
  std::size_t finished_runs = 0;
  bool interrupted = false; ///< stopped before all probe runs had finished
};

/// Passed counts by role, and the rest.
struct PointCounts {
  std::size_t passed = 0;
  std::size_t failed = 0;
  std::map<Role, std::pair<std::size_t, std::size_t>> by_role; ///< passed, failed
  std::map<std::string, std::size_t> not_runnable;
};
[[nodiscard]] PointCounts count(const PointsReport& report);

/// A value lies in its band. It is rounded to 1/100 of the unit first: a probe of finite length
/// leaves that much of a difference of two runs.
[[nodiscard]] bool within(double simulated, const Band& band);

using ExecuteRuns = std::function<std::vector<ProbeResult>(const std::vector<ProbeRun>& runs)>;

/// Measures every point of `points` that the plan has a measurement for. `gpus` are the resolved
/// entries of the plan's gpus; `execute` answers all runs at once, in their order.
[[nodiscard]] PointsReport validate_points(const std::vector<PublishedPoint>& points,
                                           const MeasurementPlan& plan,
                                           const std::map<std::string, config::ResolvedGpu>& gpus,
                                           const ExecuteRuns& execute);

/// {passed, failed, not_runnable:{reason:count}, set, check, echo, points:[...]}: see
/// docs/points.md.
[[nodiscard]] std::string to_json_text(const PointsReport& report);
/// The same for people: counts, and every point that failed.
[[nodiscard]] std::string to_text(const PointsReport& report);

} // namespace coulomb::calibration::points
