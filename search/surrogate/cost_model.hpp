// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/surrogate/label_process.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace coulomb::search {

/// What an evaluation will cost: a Gaussian process on the logarithm of the seconds that compiler
/// and simulation took. Expected improvement divided by expected seconds prefers the cheap among
/// equals. (Snoek, Larochelle and Adams, "Practical Bayesian Optimization of Machine Learning
/// Algorithms", NeurIPS 2012, section 3.2.)
class CostModel {
public:
  CostModel(const SearchSpace& space, std::uint64_t seed);

  /// `genes` are all of the configuration's; seconds that are not positive teach nothing.
  void learn(std::span<const Gene> genes, double seconds);
  /// As LabelProcess::renew(); with fewer than two outcomes nothing is predicted.
  void renew(std::size_t fitted, std::size_t held, std::size_t more, std::size_t candidates);
  /// Candidates; in the order of the outcome model's.
  void watch(std::span<const Gene> genes);
  /// Natural logarithm of a watched candidate's seconds relative to the geometric mean so far; 0
  /// where nothing is known.
  [[nodiscard]] double log_seconds(std::size_t candidate) const;

private:
  [[nodiscard]] float label(double log_seconds) const;

  LabelProcess labels_;
  std::vector<double> logs_; ///< [outcomes] ln(seconds)
  double mean_ = 0.0;        ///< of the logarithms, at the last renewal
  double scale_ = 1.0;       ///< their standard deviation
};

} // namespace coulomb::search
