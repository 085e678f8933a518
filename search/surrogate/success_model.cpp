// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/success_model.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coulomb::search {
namespace {

constexpr float kFirstNoise = 1e-2F;
/// Deviations beyond which one chance is as good as none.
constexpr double kFarthest = 30.0;

} // namespace

SuccessModel::SuccessModel(const SearchSpace& space, std::uint64_t seed)
    : labels_(space, seed, "success", kFirstNoise) {}

void SuccessModel::learn(std::span<const Gene> genes, bool ran) {
  failed_ += ran ? 0 : 1;
  labels_.learn(genes, ran ? 0.0F : 1.0F);
}

void SuccessModel::renew(std::size_t fitted,
                         std::size_t held,
                         std::size_t more,
                         std::size_t candidates) {
  if (needed()) {
    labels_.renew(fitted, held, more, candidates);
  }
}

void SuccessModel::watch(std::span<const Gene> genes) {
  labels_.watch(genes);
}

double SuccessModel::log_chance(std::size_t candidate) const {
  const GaussianProcess* process = labels_.process();
  if (process == nullptr) {
    return 0.0;
  }
  const float deviation = process->deviation(candidate);
  const double spread = process->unit() * std::sqrt(deviation * deviation + labels_.noise());
  const double z = (0.5 - process->mean(candidate)) / spread;
  return std::log(0.5 * std::erfc(-std::max(z, -kFarthest) / std::numbers::sqrt2));
}

} // namespace coulomb::search
