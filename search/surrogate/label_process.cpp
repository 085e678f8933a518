// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/label_process.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "search/surrogate/hyperparameters.hpp"

#include <numeric>
#include <utility>

namespace coulomb::search {

LabelProcess::LabelProcess(const SearchSpace& space,
                           std::uint64_t seed,
                           std::string purpose,
                           float noise)
    : seed_(seed), purpose_(std::move(purpose)), dimensions_(space.dimensions().size()),
      correlation_(space), noise_(noise) {}

std::span<const Gene> LabelProcess::genes(std::size_t outcome) const {
  return {genes_.data() + outcome * dimensions_, dimensions_};
}

void LabelProcess::learn(std::span<const Gene> genes, float label) {
  genes_.insert(genes_.end(), genes.begin(), genes.end());
  labels_.push_back(label);
  if (process_ && !process_->full()) {
    process_->observe(genes, label);
  }
}

void LabelProcess::relabel(std::vector<float> labels) {
  COULOMB_CHECK(labels.size() == labels_.size(), "{} labels of {}", labels.size(), labels_.size());
  labels_ = std::move(labels);
  process_.reset(); // it holds the former ones
}

std::vector<std::size_t> LabelProcess::sample(std::size_t most, const char* use) const {
  std::vector<std::size_t> all(labels_.size());
  std::iota(all.begin(), all.end(), 0);
  if (all.size() > most) {
    RandomStream random(seed_, purpose_ + use, labels_.size());
    for (std::size_t i = 0; i < most; ++i) {
      std::swap(all[i], all[i + random.below(all.size() - i)]);
    }
    all.resize(most);
  }
  return all;
}

void LabelProcess::renew(std::size_t fitted,
                         std::size_t held,
                         std::size_t more,
                         std::size_t candidates) {
  Observations observations;
  observations.genes = dimensions_;
  for (const std::size_t outcome : sample(fitted, ".fit")) {
    const auto point = genes(outcome);
    observations.points.insert(observations.points.end(), point.begin(), point.end());
    observations.values.push_back(labels_[outcome]);
  }
  fit_hyperparameters(observations, correlation_, noise_);
  const auto kept = sample(held, ".held");
  process_.emplace(correlation_, noise_, dimensions_, kept.size() + more, candidates);
  for (const std::size_t outcome : kept) {
    process_->observe(genes(outcome), labels_[outcome]);
  }
}

void LabelProcess::watch(std::span<const Gene> genes) {
  if (process_) {
    process_->watch(genes);
  }
}

} // namespace coulomb::search
