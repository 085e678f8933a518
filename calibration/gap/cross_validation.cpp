// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/cross_validation.hpp"

#include <cmath>
#include <fmt/format.h>
#include <map>

namespace coulomb::calibration {
namespace {

constexpr double kNinety = 1.6449; ///< 90 % of a normal distribution lie within +- so many sd

using Group = std::pair<std::string, std::string>; ///< board, spec

/// Times of one group, element i of all being one observation.
struct Times {
  std::vector<double> silicon;
  std::vector<double> noise;
  std::vector<double> simulated;
  std::vector<double> corrected;
};

std::map<Group, Times> by_group(const std::vector<Observation>& observations,
                                const std::vector<std::optional<double>>& corrected) {
  std::map<Group, Times> groups;
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (const auto& time = corrected[i]) {
      const Observation& o = observations[i];
      Times& t = groups[{o.board, o.spec}];
      t.silicon.push_back(o.silicon_ms);
      t.noise.push_back(o.silicon_noise);
      t.simulated.push_back(o.sim_ms);
      t.corrected.push_back(*time);
    }
  }
  return groups;
}

AccuracyFigures figures(const Times& times, const std::vector<double>& predicted) {
  return accuracy_figures(times.silicon, predicted, times.noise, {.replicates = 0}, "gap");
}

/// Observations within a model's interval, by group.
class Coverage {
public:
  /// Predicted times [ms] of `asked`; notes which silicon times lie within the interval.
  std::vector<double> predict(const GapModel& model, const std::vector<Observation>& asked) {
    std::vector<GapQuery> queries;
    for (const Observation& o : asked) {
      queries.push_back(query_of(o));
    }
    const std::vector<GapPrediction> predictions = model.predict(queries);
    std::vector<double> times;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const Observation& o = asked[i];
      const GapPrediction& p = predictions[i];
      const double deviation = std::hypot(p.deviation, o.silicon_noise);
      const bool within = std::abs(o.log_ratio() - p.log_ratio) <= kNinety * deviation;
      covered_[{o.board, o.spec}] += within ? 1.0 : 0.0;
      times.push_back(corrected_ms(p, o.sim_ms));
    }
    return times;
  }

  [[nodiscard]] double of(const Group& group) const { return covered_.at(group); }

private:
  std::map<Group, double> covered_;
};

std::vector<CrossValidationRow>
rows_of(HeldOut what, const std::map<Group, Times>& groups, const Coverage& coverage) {
  std::vector<CrossValidationRow> rows;
  for (const auto& [group, times] : groups) {
    const auto n = static_cast<double>(times.silicon.size());
    rows.push_back({.held_out = what,
                    .board = group.first,
                    .spec = group.second,
                    .before = figures(times, times.simulated),
                    .after = figures(times, times.corrected),
                    .covered = coverage.of(group) / n});
  }
  return rows;
}

} // namespace

std::string_view to_string(HeldOut what) {
  switch (what) {
  case HeldOut::configuration:
    return "configuration";
  case HeldOut::kernel:
    return "kernel";
  case HeldOut::board:
    return "board";
  }
  return {};
}

std::vector<CrossValidationRow> predicted_rows(const GapModel& model,
                                               const std::vector<Observation>& asked) {
  Coverage coverage;
  const std::vector<double> times = coverage.predict(model, asked);
  return rows_of(HeldOut::configuration, by_group(asked, {times.begin(), times.end()}), coverage);
}

CrossValidation cross_validate(const std::vector<Observation>& observations,
                               const KernelIdentity& identity,
                               const HeldOutSettings& split,
                               const GapSettings& settings) {
  CrossValidation out;
  for (const HeldOut what : {HeldOut::configuration, HeldOut::kernel, HeldOut::board}) {
    Coverage coverage;
    const auto corrected = held_out_times(
        observations, what, identity, split, [&](const auto& known, const auto& asked) {
          return coverage.predict(GapModel::fit(known, settings), asked);
        });
    const auto rows = rows_of(what, by_group(observations, corrected), coverage);
    if (rows.empty()) {
      out.impossible.push_back(what);
    }
    out.rows.insert(out.rows.end(), rows.begin(), rows.end());
  }
  return out;
}

} // namespace coulomb::calibration
