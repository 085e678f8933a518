// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/objective/objective_settings.hpp"
#include "search/store/evaluation_record.hpp"

namespace coulomb::search {

/// A weighted sum of ratios to a baseline, larger is better: ipc / its baseline, the baseline's
/// power / power, the baseline's time / time; the baseline itself has the sum of the weights.
///
/// Known traps, why `time` is the default: IPC rises with useless instructions, and much weight on
/// power early leads to slow configurations that a search then does not leave (docs/search.md).
class WeightedReward {
public:
  explicit WeightedReward(RewardSchedule schedule) : schedule_(std::move(schedule)) {}

  /// Names of the metrics of the terms that weigh anything.
  [[nodiscard]] std::vector<std::string> metrics() const;
  /// Why an ok evaluation cannot be rewarded: a metric that is missing or not above 0; else empty.
  [[nodiscard]] std::string problem(const EvaluationRecord& record) const;

  void set_baseline(const EvaluationRecord& record) { baseline_ = record; }
  /// `progress` 0 to 1: how much of the budget is spent. Throws InternalError without a baseline,
  /// or for an evaluation that has no such metric.
  [[nodiscard]] double reward(const EvaluationRecord& record, double progress) const;

private:
  RewardSchedule schedule_;
  EvaluationRecord baseline_;
};

} // namespace coulomb::search
