// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/random.hpp"

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

namespace coulomb::search {

/// Chooses among operators in proportion to the credit that their latest children earned (a bandit
/// over a sliding window, as OpenTuner's is), each with a floor.
class OperatorBandit {
public:
  /// `floor` * `operators` must be at most 1; `window` at least 1.
  OperatorBandit(std::size_t operators, std::size_t window, double floor);

  [[nodiscard]] std::size_t choose(RandomStream& random) const;
  /// What a child of operator `op` was worth, 0 to 1. Only evaluated children count, so an operator
  /// that proposes known points earns nothing.
  void credit(std::size_t op, double value);
  /// Probability of each operator; they sum to 1.
  [[nodiscard]] std::vector<double> shares() const;

private:
  std::size_t window_;
  double floor_;
  std::vector<double> sums_;
  std::vector<std::size_t> counts_;
  std::deque<std::pair<std::size_t, double>> recent_;
};

} // namespace coulomb::search
