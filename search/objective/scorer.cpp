// SPDX-License-Identifier: Apache-2.0
#include "search/objective/scorer.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::search {

using eval::EvalStatus;

Scorer::Scorer(const ObjectiveSettings& settings) {
  const auto& texts = settings.objectives;
  if (texts.empty()) {
    throw UserError("objective: there is none", "e.g. --objective time");
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (std::find(texts.begin(), texts.begin() + static_cast<std::ptrdiff_t>(i), texts[i]) !=
        texts.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw UserError(fmt::format("objective: {} is given twice", texts[i]));
    }
    if (texts[i] == kReward) {
      if (texts.size() > 1) {
        throw UserError("objective: a reward weighs everything into one number; it cannot stand "
                        "beside another objective",
                        "leave reward out for a front of the others");
      }
      reward_.emplace(settings.reward);
    } else if (texts[i] == "pareto") {
      throw UserError("objective: pareto of what?",
                      "give --objective once for each: --objective time --objective registers");
    } else {
      objectives_.push_back(Objective::parse(texts[i]));
    }
  }
}

std::vector<std::string> Scorer::names() const {
  std::vector<std::string> names;
  for (const Objective& objective : objectives_) {
    names.push_back(objective.name());
  }
  return reward_ ? std::vector{std::string(kReward)} : names;
}

std::vector<std::string> Scorer::metrics() const {
  std::vector<std::string> names = reward_ ? reward_->metrics() : std::vector<std::string>();
  for (const Objective& objective : objectives_) {
    const auto own = objective.metrics();
    names.insert(names.end(), own.begin(), own.end());
  }
  return names;
}

bool Scorer::by_time() const {
  return objectives_.size() == 1 && objectives_.front().name() == "time";
}

std::string Scorer::problem(const EvaluationRecord& record) const {
  for (const Objective& objective : objectives_) {
    try {
      if (const double value = objective.value(record); !std::isfinite(value)) {
        return fmt::format("objective \"{}\" is {}", objective.name(), value);
      }
    } catch (const UserError& e) {
      return e.what();
    }
  }
  return reward_ ? reward_->problem(record) : std::string();
}

void Scorer::observe(const EvaluationRecord& record) {
  if (reward_ && !has_baseline_ && record.status == EvalStatus::ok) {
    reward_->set_baseline(record);
    has_baseline_ = true;
  }
}

Fitness Scorer::fitness(const EvaluationRecord& record, double progress) const {
  Fitness fitness{.status = record.status};
  if (record.status != EvalStatus::ok) {
    return fitness;
  }
  if (reward_) {
    fitness.objectives = {-reward_->reward(record, progress)};
  } else {
    for (const Objective& objective : objectives_) {
      fitness.objectives.push_back(objective.cost(record));
    }
  }
  fitness.value = fitness.objectives.front();
  return fitness;
}

double Scorer::own_value(const Fitness& fitness, std::size_t index) const {
  const double cost = fitness.objectives.at(index);
  return maximised(index) ? -cost : cost;
}

std::string Scorer::value_text(const Fitness& fitness, std::size_t index) const {
  const char* unit = this->unit(index);
  return fmt::format("{:.4g}{}{}", own_value(fitness, index), *unit == '\0' ? "" : " ", unit);
}

} // namespace coulomb::search
