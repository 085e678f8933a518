// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/outcome_model.hpp"

#include "base/error.hpp"
#include "search/surrogate/hyperparameters.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace coulomb::search {
namespace {

/// Outcomes between two fits, at least.
constexpr std::size_t kFitInterval = 8;
/// Room for candidates that are watched after the model was renewed.
constexpr std::size_t kSpareCandidates = 512;
/// Below this the logarithm of the expected improvement is its asymptote's.
constexpr double kTail = -5.0;
constexpr double kLogDensityAtZero = -0.91893853320467274; ///< -ln(sqrt(2 pi))

/// Logarithm of the expected improvement, in deviations, of a normal variable `z` deviations below
/// the best. The improvement itself vanishes where nothing promises much, and there it still has to
/// rank what is left.
double log_expected_improvement(double z) {
  const double log_density = kLogDensityAtZero - 0.5 * z * z;
  if (z < kTail) {
    return log_density - 2.0 * std::log(-z);
  }
  return std::log(z * 0.5 * std::erfc(-z / std::numbers::sqrt2) + std::exp(log_density));
}

} // namespace

OutcomeModel::OutcomeModel(const SearchSpace& space,
                           const ModelSettings& settings,
                           std::uint64_t seed)
    : space_(&space), settings_(settings), seed_(seed), correlation_(space), success_(space, seed),
      cost_(space, seed) {}

double OutcomeModel::transformed(double value) const {
  return logarithmic_ ? std::log(value) : value;
}

float OutcomeModel::standardised(double value) const {
  return static_cast<float>((std::min(transformed(value), cap_) - mean_) / scale_);
}

void OutcomeModel::expect(Point point) {
  expected_.push_back({point, std::nullopt});
  if (process_) {
    observe_expectation(point);
  }
}

void OutcomeModel::observe_expectation(Point point) {
  auto& waiting = *std::find_if(expected_.begin(), expected_.end(),
                                [&](const Expected& e) { return e.point == point; });
  if (!process_->full()) {
    const Genes genes = space_->genes(point);
    waiting.observation = process_->observe(genes, process_->mean_at(genes));
  }
}

void OutcomeModel::learn(const Individual& evaluated) {
  COULOMB_CHECK(!expected_.empty() && expected_.front().point == evaluated.point,
                "point {} was not the next that was expected", evaluated.point);
  const auto observation = expected_.front().observation;
  expected_.pop_front();
  // A failure leaves the process as if it had come out as expected.
  if (keep(evaluated) && process_ && observation) {
    process_->correct(*observation, standardised(evaluated.fitness.value));
  }
}

void OutcomeModel::adopt(const Individual& immigrant) {
  if (keep(immigrant) && process_ && !process_->full()) {
    process_->observe(space_->genes(immigrant.point), standardised(immigrant.fitness.value));
  }
}

bool OutcomeModel::keep(const Individual& evaluated) {
  const bool ok = evaluated.fitness.status == eval::EvalStatus::ok;
  const double value = evaluated.fitness.value;
  outcomes_.push_back({evaluated.point, ok, value});
  const Genes genes = space_->genes(evaluated.point);
  genes_.insert(genes_.end(), genes.begin(), genes.end());
  first_failure_ = first_failure_ || (!ok && !success_.needed());
  success_.learn(genes, ok);
  if (settings_.cost_weight > 0.0) {
    cost_.learn(genes, evaluated.seconds);
  }
  if (!ok) {
    return false;
  }
  best_ = succeeded_ == 0 ? value : std::min(best_, value);
  ++succeeded_;
  all_positive_ = all_positive_ && value > 0.0;
  if (logarithmic_ && !all_positive_) {
    process_.reset(); // what it holds are logarithms
  }
  return true;
}

void OutcomeModel::relearn(std::span<const Individual> history) {
  COULOMB_CHECK(history.size() == outcomes_.size(), "{} outcomes of {}", history.size(),
                outcomes_.size());
  succeeded_ = 0;
  all_positive_ = true;
  for (std::size_t i = 0; i < history.size(); ++i) {
    Outcome& outcome = outcomes_[i];
    outcome.value = history[i].fitness.value;
    if (outcome.ok) {
      best_ = succeeded_ == 0 ? outcome.value : std::min(best_, outcome.value);
      ++succeeded_;
      all_positive_ = all_positive_ && outcome.value > 0.0;
    }
  }
  process_.reset(); // it holds the former values
}

bool OutcomeModel::due() const {
  return ready() && (!process_ || first_failure_ || outcomes_.size() >= next_fit_);
}

std::vector<const OutcomeModel::Outcome*> OutcomeModel::chosen(std::size_t most,
                                                               std::uint64_t index) const {
  std::vector<const Outcome*> all;
  for (const Outcome& outcome : outcomes_) {
    if (outcome.ok) {
      all.push_back(&outcome);
    }
  }
  if (all.size() <= most) {
    return all;
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Outcome* a, const Outcome* b) { return a->value < b->value; });
  RandomStream random(seed_, "model.sample", index);
  for (std::size_t i = most / 2; i < most; ++i) {
    std::swap(all[i], all[i + random.below(all.size() - i)]);
  }
  all.resize(most);
  return all;
}

void OutcomeModel::set_scale() {
  logarithmic_ = all_positive_;
  std::vector<double> values;
  for (const Outcome& outcome : outcomes_) {
    if (outcome.ok) {
      values.push_back(transformed(outcome.value));
    }
  }
  std::sort(values.begin(), values.end());
  cap_ = values[values.size() / 2];
  mean_ = 0.0;
  for (double& value : values) {
    value = std::min(value, cap_);
    mean_ += value / static_cast<double>(values.size());
  }
  double variance = 0.0;
  for (const double value : values) {
    variance += (value - mean_) * (value - mean_) / static_cast<double>(values.size());
  }
  scale_ = std::sqrt(variance) + 1e-9;
}

void OutcomeModel::fit() {
  Observations observations;
  observations.genes = space_->dimensions().size();
  for (const Outcome* outcome : chosen(settings_.fit_observations, outcomes_.size())) {
    const auto at = static_cast<std::size_t>(outcome - outcomes_.data()) * observations.genes;
    observations.points.insert(
        observations.points.end(), genes_.begin() + static_cast<std::ptrdiff_t>(at),
        genes_.begin() + static_cast<std::ptrdiff_t>(at + observations.genes));
    observations.values.push_back(standardised(outcome->value));
  }
  fit_hyperparameters(observations, correlation_, noise_);
}

void OutcomeModel::renew(const std::vector<Point>& candidates) {
  COULOMB_CHECK(ready(), "a model of {} outcomes", succeeded_);
  set_scale();
  fit();
  next_fit_ =
      std::max(outcomes_.size() + kFitInterval,
               static_cast<std::size_t>(static_cast<double>(outcomes_.size()) * settings_.growth));
  const auto held = chosen(settings_.observations, outcomes_.size());
  const std::size_t dimensions = space_->dimensions().size();
  const std::size_t room =
      held.size() + (next_fit_ - outcomes_.size()) + 2 * expected_.size() + kFitInterval;
  process_.emplace(correlation_, noise_, dimensions, room, candidates.size() + kSpareCandidates);
  success_.renew(settings_.fit_observations, settings_.observations, room - held.size(),
                 candidates.size() + kSpareCandidates);
  cost_.renew(settings_.fit_observations, settings_.observations, room - held.size(),
              candidates.size() + kSpareCandidates);
  first_failure_ = false;
  for (const Outcome* outcome : held) {
    const auto at = static_cast<std::size_t>(outcome - outcomes_.data()) * dimensions;
    process_->observe({genes_.data() + at, dimensions}, standardised(outcome->value));
  }
  candidates_.clear();
  watch(candidates);
  for (auto& waiting : expected_) {
    waiting.observation.reset();
    observe_expectation(waiting.point);
  }
}

void OutcomeModel::watch(const std::vector<Point>& candidates) {
  if (!process_) {
    return;
  }
  const std::span added(candidates.data(), std::min(candidates.size(), process_->room()));
  std::vector<Gene> genes;
  for (const Point point : added) {
    const Genes one = space_->genes(point);
    genes.insert(genes.end(), one.begin(), one.end());
  }
  process_->watch(genes);
  success_.watch(genes);
  cost_.watch(genes);
  candidates_.insert(candidates_.end(), added.begin(), added.end());
}

std::optional<Point> OutcomeModel::most_promising(const SeenPoints& seen) const {
  if (!process_) {
    return std::nullopt;
  }
  const double best = standardised(best_);
  const double unit = process_->unit();
  // The improvement is below the normal density at z, and no deviation is above the unit.
  const double bound = std::log(unit) + kLogDensityAtZero;
  std::optional<Point> promising;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (seen.contains(candidates_[i])) {
      continue;
    }
    const double deviation = unit * process_->deviation(i);
    const double z = (best - process_->mean(i)) / deviation;
    const double price = settings_.cost_weight * cost_.log_seconds(i);
    if (z <= 0.0 && bound - 0.5 * z * z - price < most) {
      continue;
    }
    double gain = std::log(deviation) + log_expected_improvement(z) - price;
    if (gain > most) {
      gain += success_.log_chance(i);
    }
    if (gain > most) {
      most = gain;
      promising = candidates_[i];
    }
  }
  return promising;
}

} // namespace coulomb::search
