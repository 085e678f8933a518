// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace coulomb::search {
namespace {

constexpr float kFirstNoise = 1e-2F;
constexpr std::size_t kFewest = 2;

} // namespace

CostModel::CostModel(const SearchSpace& space, std::uint64_t seed)
    : labels_(space, seed, "cost", kFirstNoise) {}

float CostModel::label(double log_seconds) const {
  return static_cast<float>((log_seconds - mean_) / scale_);
}

void CostModel::learn(std::span<const Gene> genes, double seconds) {
  if (seconds > 0.0 && std::isfinite(seconds)) {
    logs_.push_back(std::log(seconds));
    labels_.learn(genes, label(logs_.back()));
  }
}

void CostModel::renew(std::size_t fitted,
                      std::size_t held,
                      std::size_t more,
                      std::size_t candidates) {
  if (logs_.size() < kFewest) {
    return;
  }
  const auto n = static_cast<double>(logs_.size());
  mean_ = 0.0;
  for (const double log : logs_) {
    mean_ += log / n;
  }
  double variance = 0.0;
  for (const double log : logs_) {
    variance += (log - mean_) * (log - mean_) / n;
  }
  scale_ = std::sqrt(variance) + 1e-9;
  std::vector<float> labels(logs_.size());
  std::transform(logs_.begin(), logs_.end(), labels.begin(),
                 [&](double log) { return label(log); });
  labels_.relabel(std::move(labels));
  labels_.renew(fitted, held, more, candidates);
}

void CostModel::watch(std::span<const Gene> genes) {
  labels_.watch(genes);
}

double CostModel::log_seconds(std::size_t candidate) const {
  const GaussianProcess* process = labels_.process();
  return process == nullptr ? 0.0 : scale_ * process->mean(candidate);
}

} // namespace coulomb::search
