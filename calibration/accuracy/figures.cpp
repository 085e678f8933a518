// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/figures.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "calibration/statistics.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

namespace coulomb::calibration {
namespace {

using Values = std::vector<double>;

/// The figures that get an interval. The others depend on single configurations (the best one, the
/// first ones of an order), which drawing with replacement repeats or leaves out; Kendall's tau
/// takes n^2 steps and says what Spearman's does.
enum Spread : std::size_t { kMape, kMedian, kBias, kSpearman, kBest, kSpreads };

std::array<std::optional<double>, kSpreads> spread_figures(std::span<const double> silicon,
                                                           std::span<const double> predicted) {
  const ErrorSummary errors = summarize_errors(silicon, predicted);
  std::array<std::optional<double>, kSpreads> out;
  out[kMape] = errors.mape;
  out[kMedian] = errors.median_ape;
  out[kBias] = errors.bias;
  out[kSpearman] = spearman(silicon, predicted);
  out[kBest] = spearman_best5pct(silicon, predicted);
  return out;
}

std::array<std::optional<Interval>, kSpreads> intervals(std::span<const double> silicon,
                                                        std::span<const double> predicted,
                                                        const BootstrapSettings& bootstrap,
                                                        std::string_view name) {
  std::array<Values, kSpreads> replicates;
  RandomStream random(bootstrap.seed, std::string("accuracy.bootstrap.").append(name));
  Values a(silicon.size());
  Values b(silicon.size());
  for (std::size_t r = 0; r < bootstrap.replicates && !silicon.empty(); ++r) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const std::size_t drawn = random.below(a.size());
      a[i] = silicon[drawn];
      b[i] = predicted[drawn];
    }
    const auto figures = spread_figures(a, b);
    for (std::size_t f = 0; f < kSpreads; ++f) {
      if (figures[f]) {
        replicates[f].push_back(*figures[f]);
      }
    }
  }
  std::array<std::optional<Interval>, kSpreads> out;
  for (std::size_t f = 0; f < kSpreads; ++f) {
    if (!replicates[f].empty()) {
      out[f] = Interval{*quantile(replicates[f], 0.025), *quantile(replicates[f], 0.975)};
    }
  }
  return out;
}

std::optional<double> known_median(std::span<const double> noise) {
  Values known;
  std::copy_if(noise.begin(), noise.end(), std::back_inserter(known),
               [](double n) { return n > 0.0; });
  return quantile(std::move(known), 0.5);
}

} // namespace

std::optional<std::size_t>
runs_to_within(std::span<const double> silicon, std::span<const double> predicted, double within) {
  COULOMB_CHECK(silicon.size() == predicted.size(), "{} silicon times, {} predicted ones",
                silicon.size(), predicted.size());
  if (silicon.empty()) {
    return std::nullopt;
  }
  std::vector<std::size_t> order(silicon.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return predicted[i] < predicted[j]; });
  const double enough = (1.0 + within) * *std::min_element(silicon.begin(), silicon.end());
  const auto found =
      std::find_if(order.begin(), order.end(), [&](std::size_t i) { return silicon[i] <= enough; });
  return static_cast<std::size_t>(found - order.begin()) + 1;
}

AccuracyFigures accuracy_figures(std::span<const double> silicon,
                                 std::span<const double> predicted,
                                 std::span<const double> noise,
                                 const BootstrapSettings& bootstrap,
                                 std::string_view name) {
  AccuracyFigures out;
  out.n = silicon.size();
  const auto values = spread_figures(silicon, predicted);
  const auto spreads = intervals(silicon, predicted, bootstrap, name);
  out.mape = {values[kMape], spreads[kMape]};
  out.median = {values[kMedian], spreads[kMedian]};
  out.bias = {values[kBias], spreads[kBias]};
  out.spearman = {values[kSpearman], spreads[kSpearman]};
  out.spearman_best5pct = {values[kBest], spreads[kBest]};
  out.p90 = summarize_errors(silicon, predicted).p90_ape;
  out.kendall = kendall_tau_b(silicon, predicted);
  if (!silicon.empty()) {
    const double best = *std::min_element(silicon.begin(), silicon.end());
    out.top1_regret = top_k_regret(silicon, predicted, 1, best);
    out.top5_regret = top_k_regret(silicon, predicted, 5, best);
  }
  out.runs_to_5pct = runs_to_within(silicon, predicted, 0.05);
  out.runs_to_2pct = runs_to_within(silicon, predicted, 0.02);
  out.runs_to_1pct = runs_to_within(silicon, predicted, 0.01);
  out.noise_floor = known_median(noise);
  return out;
}

} // namespace coulomb::calibration
