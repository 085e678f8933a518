// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/objective/objective.hpp"
#include "search/objective/objective_settings.hpp"
#include "search/objective/weighted_reward.hpp"
#include "search/strategy/fitness.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// Makes fitnesses of evaluations.
class Scorer {
public:
  /// Throws what Objective::parse throws; UserError if there is no objective, one is given twice,
  /// or a reward stands beside others. Whether evaluations have metrics() is the caller's to check.
  explicit Scorer(const ObjectiveSettings& settings);

  [[nodiscard]] std::vector<std::string> names() const;
  /// Names of all metrics that are read.
  [[nodiscard]] std::vector<std::string> metrics() const;
  [[nodiscard]] bool maximised(std::size_t index) const {
    return reward_ || objectives_[index].maximised();
  }
  [[nodiscard]] std::size_t count() const { return reward_ ? 1 : objectives_.size(); }
  /// "ms", "mJ"; empty if the objective has none.
  [[nodiscard]] const char* unit(std::size_t index) const {
    return reward_ ? "" : objectives_[index].unit();
  }
  /// A search by time alone, which needs no other words than milliseconds.
  [[nodiscard]] bool by_time() const;
  /// The fitnesses depend on how much of the budget is spent.
  [[nodiscard]] bool changes() const { return reward_.has_value(); }

  /// Why an ok evaluation has no value that a search could use (not a finite number); empty: it
  /// has.
  [[nodiscard]] std::string problem(const EvaluationRecord& record) const;
  /// To be told of the evaluations in the order of their ids: the first ok one is the baseline.
  void observe(const EvaluationRecord& record);
  /// Fitnesses can be made: a reward needs a baseline first.
  [[nodiscard]] bool ready() const { return !reward_ || has_baseline_; }
  /// Of an observed evaluation, or once ready() of any; `progress` 0 to 1 of the budget.
  [[nodiscard]] Fitness fitness(const EvaluationRecord& record, double progress) const;
  /// A fitness's value of objective `index` in the objective's own sense, with its unit.
  [[nodiscard]] std::string value_text(const Fitness& fitness, std::size_t index) const;
  /// The same as a number.
  [[nodiscard]] double own_value(const Fitness& fitness, std::size_t index) const;

private:
  std::vector<Objective> objectives_;
  std::optional<WeightedReward> reward_;
  bool has_baseline_ = false;
};

} // namespace coulomb::search
