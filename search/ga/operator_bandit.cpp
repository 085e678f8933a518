// SPDX-License-Identifier: Apache-2.0
#include "search/ga/operator_bandit.hpp"

#include "base/error.hpp"

#include <numeric>

namespace coulomb::search {
namespace {

/// An operator without children is taken for one that had one worth this much.
constexpr double kOptimism = 0.5;

} // namespace

OperatorBandit::OperatorBandit(std::size_t operators, std::size_t window, double floor)
    : window_(window), floor_(floor), sums_(operators, 0.0), counts_(operators, 0) {
  COULOMB_CHECK(operators > 0 && window > 0 && floor >= 0.0 &&
                    floor * static_cast<double>(operators) <= 1.0,
                "a bandit of {} operators, window {}, floor {}", operators, window, floor);
}

std::vector<double> OperatorBandit::shares() const {
  std::vector<double> shares(sums_.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    shares[i] = (sums_[i] + kOptimism) / (static_cast<double>(counts_[i]) + 1.0);
  }
  const double total = std::accumulate(shares.begin(), shares.end(), 0.0);
  const double left = 1.0 - floor_ * static_cast<double>(shares.size());
  for (double& share : shares) {
    share = floor_ + left * share / total;
  }
  return shares;
}

std::size_t OperatorBandit::choose(RandomStream& random) const {
  const std::vector<double> probabilities = shares();
  double drawn = random.uniform();
  for (std::size_t i = 0; i + 1 < probabilities.size(); ++i) {
    if (drawn < probabilities[i]) {
      return i;
    }
    drawn -= probabilities[i];
  }
  return probabilities.size() - 1;
}

void OperatorBandit::credit(std::size_t op, double value) {
  COULOMB_CHECK(op < sums_.size() && value >= 0.0 && value <= 1.0, "credit {} for operator {}",
                value, op);
  recent_.emplace_back(op, value);
  sums_[op] += value;
  ++counts_[op];
  if (recent_.size() > window_) {
    const auto [oldest, worth] = recent_.front();
    recent_.pop_front();
    --counts_[oldest];
    sums_[oldest] = counts_[oldest] == 0 ? 0.0 : sums_[oldest] - worth;
  }
}

} // namespace coulomb::search
