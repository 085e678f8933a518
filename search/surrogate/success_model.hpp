// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/surrogate/label_process.hpp"

#include <cstdint>
#include <span>

namespace coulomb::search {

/// How likely a configuration is to run, learnt from those that ran and those that failed: a
/// Gaussian process over 0 (ran) and 1 (failed) with correlation lengths of its own, because what
/// makes a configuration fail (registers, shared memory) is not what makes it slow. The chance is
/// that of the process being below 1/2, so it falls exponentially into a region that keeps failing:
/// expected improvement does too, and a chance that falls by counting never outweighs it. Where
/// nothing is known, configurations are expected to run.
/// (Gelbart, Snoek and Adams, "Bayesian Optimization with Unknown Constraints", UAI 2014.)
class SuccessModel {
public:
  SuccessModel(const SearchSpace& space, std::uint64_t seed);

  /// An outcome; `genes` are all of the configuration's.
  void learn(std::span<const Gene> genes, bool ran);
  /// Some have failed: before that, everything is certain.
  [[nodiscard]] bool needed() const { return failed_ > 0; }
  /// Fits the lengths to at most `fitted` outcomes and holds at most `held`, with room for `more`
  /// and for `candidates`.
  void renew(std::size_t fitted, std::size_t held, std::size_t more, std::size_t candidates);
  /// A candidate; in the order of the outcome model's. Nothing before the first failure.
  void watch(std::span<const Gene> genes);
  /// Natural logarithm of the chance that a watched candidate runs.
  [[nodiscard]] double log_chance(std::size_t candidate) const;

private:
  LabelProcess labels_; ///< 0: ran, 1: failed
  std::size_t failed_ = 0;
};

} // namespace coulomb::search
