// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/strategy.hpp"
#include "tests/bench/search_quality/recorded_space.hpp"

#include <array>
#include <functional>
#include <vector>

namespace coulomb::bench {

inline constexpr std::array kWithin = {0.10, 0.05, 0.02, 0.01};
inline constexpr std::array<std::size_t, 6> kRegretAt = {10, 20, 50, 100, 200, 500};

/// How a strategy did on one space, over all seeds.
struct Quality {
  std::size_t budget = 0;
  /// By kWithin: evaluations that each seed needed; budget + 1 if it never got there.
  std::array<std::vector<std::size_t>, kWithin.size()> evaluations;
  /// The same in seconds of the evaluations, all of the budget's if it never got there.
  std::array<std::vector<double>, kWithin.size()> seconds;
  std::array<double, kRegretAt.size()> regret{}; ///< median, as a share of the optimum
  std::vector<double> scores;                    ///< each seed's performance score
  double failed = 0.0;                ///< share of the proposals in the second half of the budget
  double seconds_per_candidate = 0.0; ///< wall, of one thread: the search itself

  [[nodiscard]] double score() const; ///< mean: the performance score P
  [[nodiscard]] double median(std::size_t within) const;
  [[nodiscard]] double median_seconds(std::size_t within) const;
  [[nodiscard]] double reached(std::size_t within) const; ///< share of the seeds
};

/// Evaluations at which random search is expected to have closed 95 % of the way from the median to
/// the optimum: where the performance score ends (Willemsen et al., FGCS 2024).
[[nodiscard]] std::size_t budget_end(const RecordedSpace& recorded);
/// Expected best of random sampling without replacement, by draws (0: unused), failing
/// configurations included, given that one draw at least was valid.
[[nodiscard]] std::vector<double> random_curve(const RecordedSpace& recorded, std::size_t draws);

using MakeStrategy =
    std::function<search::Strategy(const search::SearchSpace&, std::uint64_t seed)>;

/// Runs the strategy blind, once per seed 1..`seeds`, each with fresh state.
[[nodiscard]] Quality measure_quality(const RecordedSpace& recorded,
                                      const MakeStrategy& make,
                                      std::size_t seeds,
                                      std::size_t budget,
                                      std::size_t threads);

/// How one strategy differs from another on the same spaces and seeds.
struct Paired {
  double score = 0.0;         ///< mean difference of the performance scores
  double score_error = 0.0;   ///< its standard error over the seeds
  double seconds_ratio = 1.0; ///< geometric mean of the seconds until within 5 %
};
/// Both by space, in the same order, with equally many seeds.
[[nodiscard]] Paired paired_difference(const std::vector<Quality>& of,
                                       const std::vector<Quality>& to);

} // namespace coulomb::bench
