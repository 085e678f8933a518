// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace coulomb::calibration {

/// Figures of merit of simulated against measured times. Everywhere `silicon` and `sim` are times
/// in the same unit, above 0, of the same length n, element i of both being one configuration.
/// Errors and regrets are fractions. A figure that n does not define (too few elements, no spread)
/// is absent, never NaN.

/// Signed relative errors (sim - silicon) / silicon, in the order given.
[[nodiscard]] std::vector<double> signed_errors(std::span<const double> silicon,
                                                std::span<const double> sim);

/// Quantile q in [0, 1] by linear interpolation between order statistics (Hyndman and Fan's type
/// 7).
[[nodiscard]] std::optional<double> quantile(std::vector<double> values, double q);
[[nodiscard]] std::optional<double> mean(std::span<const double> values);

/// How far off the times are.
struct ErrorSummary {
  std::optional<double> mape;       ///< mean of |error|
  std::optional<double> median_ape; ///< median of |error|
  std::optional<double> p90_ape;    ///< 90th percentile of |error|
  std::optional<double> bias; ///< mean of the signed errors: above 0, we predict too long a time
  std::optional<double> p10_error; ///< 10th percentile of the signed errors
  std::optional<double> p90_error; ///< 90th percentile of the signed errors
};
[[nodiscard]] ErrorSummary summarize_errors(std::span<const double> silicon,
                                            std::span<const double> sim);

/// Errors once one factor for the whole sample is divided out: what remains when only the scale
/// (for instance an unknown clock) was wrong.
struct ScaleFree {
  std::optional<double> factor; ///< median of silicon / sim
  std::optional<double> mape;   ///< of factor * sim against silicon
  std::optional<double> median_ape;
};
[[nodiscard]] ScaleFree scale_free(std::span<const double> silicon, std::span<const double> sim);

/// Ranks from 1, ties share the mean of theirs.
[[nodiscard]] std::vector<double> average_ranks(std::span<const double> values);
/// Spearman's rank correlation, ties by average ranks. Absent below 2 elements or if one side is
/// constant.
[[nodiscard]] std::optional<double> spearman(std::span<const double> a, std::span<const double> b);
/// Kendall's tau-b. Absent below 2 elements or if one side is constant. O(n^2).
[[nodiscard]] std::optional<double> kendall_tau_b(std::span<const double> a,
                                                  std::span<const double> b);

/// Spearman over the 5 % of configurations that are fastest on silicon, at least 5 of them: where a
/// search ends. Of equal times the earlier ones are taken. Absent below 5 elements.
[[nodiscard]] std::optional<double> spearman_best5pct(std::span<const double> silicon,
                                                      std::span<const double> sim);

/// What one loses by measuring only the k configurations that the simulator ranks first: the best
/// silicon time among them over `best_silicon`, minus 1. `best_silicon` is the best time of the
/// whole sample, configurations without a simulated time included; of equal simulated times the
/// earlier ones are taken. Absent if n is 0.
[[nodiscard]] std::optional<double> top_k_regret(std::span<const double> silicon,
                                                 std::span<const double> sim,
                                                 std::size_t k,
                                                 double best_silicon);

} // namespace coulomb::calibration
