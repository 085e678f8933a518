// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/success_model.hpp"

#include "base/random.hpp"
#include "search/surrogate/hyperparameters.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace coulomb::search {
namespace {

/// Deviations beyond which one chance is as good as none.
constexpr double kFarthest = 30.0;

} // namespace

SuccessModel::SuccessModel(const SearchSpace& space, std::uint64_t seed)
    : seed_(seed), dimensions_(space.dimensions().size()), correlation_(space) {}

std::span<const Gene> SuccessModel::genes(std::size_t outcome) const {
  return {genes_.data() + outcome * dimensions_, dimensions_};
}

void SuccessModel::learn(std::span<const Gene> genes, bool ran) {
  genes_.insert(genes_.end(), genes.begin(), genes.end());
  ran_.push_back(ran);
  failed_ += ran ? 0 : 1;
  if (process_ && !process_->full()) {
    process_->observe(genes, label(ran_.size() - 1));
  }
}

std::vector<std::size_t> SuccessModel::sample(std::size_t most, const char* purpose) const {
  std::vector<std::size_t> all(ran_.size());
  std::iota(all.begin(), all.end(), 0);
  if (all.size() > most) {
    RandomStream random(seed_, purpose, ran_.size());
    for (std::size_t i = 0; i < most; ++i) {
      std::swap(all[i], all[i + random.below(all.size() - i)]);
    }
    all.resize(most);
  }
  return all;
}

void SuccessModel::renew(std::size_t fitted,
                         std::size_t held,
                         std::size_t more,
                         std::size_t candidates) {
  process_.reset();
  if (!needed()) {
    return;
  }
  Observations observations;
  observations.genes = dimensions_;
  for (const std::size_t outcome : sample(fitted, "success.fit")) {
    const auto point = genes(outcome);
    observations.points.insert(observations.points.end(), point.begin(), point.end());
    observations.values.push_back(label(outcome));
  }
  fit_hyperparameters(observations, correlation_, noise_);
  const auto kept = sample(held, "success.held");
  process_.emplace(correlation_, noise_, dimensions_, kept.size() + more, candidates);
  for (const std::size_t outcome : kept) {
    process_->observe(genes(outcome), label(outcome));
  }
}

void SuccessModel::watch(std::span<const Gene> genes) {
  if (process_) {
    process_->watch(genes);
  }
}

double SuccessModel::log_chance(std::size_t candidate) const {
  if (!process_) {
    return 0.0;
  }
  const float deviation = process_->deviation(candidate);
  const double spread = process_->unit() * std::sqrt(deviation * deviation + noise_);
  const double z = (0.5 - process_->mean(candidate)) / spread;
  return std::log(0.5 * std::erfc(-std::max(z, -kFarthest) / std::numbers::sqrt2));
}

} // namespace coulomb::search
