// SPDX-License-Identifier: Apache-2.0
#include "calibration/statistics.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace coulomb::calibration {
namespace {

void check_pairs(std::span<const double> a, std::span<const double> b) {
  COULOMB_CHECK(a.size() == b.size(), "{} silicon times, {} simulated ones", a.size(), b.size());
}

std::vector<std::size_t> order_by(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return values[i] < values[j]; });
  return order;
}

std::vector<double> magnitudes(std::vector<double> values) {
  for (double& v : values) {
    v = std::abs(v);
  }
  return values;
}

/// Pearson's correlation; absent if one side has no spread.
std::optional<double> correlation(std::span<const double> a, std::span<const double> b) {
  const auto mean_a = mean(a);
  const auto mean_b = mean(b);
  if (a.size() < 2 || !mean_a || !mean_b) {
    return std::nullopt;
  }
  double ab = 0.0;
  double aa = 0.0;
  double bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double da = a[i] - *mean_a;
    const double db = b[i] - *mean_b;
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  if (aa <= 0.0 || bb <= 0.0) {
    return std::nullopt;
  }
  return std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0);
}

int sign(double d) {
  return (d > 0.0) - (d < 0.0);
}

} // namespace

std::vector<double> signed_errors(std::span<const double> silicon, std::span<const double> sim) {
  check_pairs(silicon, sim);
  std::vector<double> errors(silicon.size());
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i] = (sim[i] - silicon[i]) / silicon[i];
  }
  return errors;
}

std::optional<double> quantile(std::vector<double> values, double q) {
  COULOMB_CHECK(q >= 0.0 && q <= 1.0, "quantile {}", q);
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double share = position - static_cast<double>(below);
  return values[below] + share * (values[above] - values[below]);
}

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ErrorSummary summarize_errors(std::span<const double> silicon, std::span<const double> sim) {
  const std::vector<double> errors = signed_errors(silicon, sim);
  const std::vector<double> ape = magnitudes(errors);
  return {.mape = mean(ape),
          .median_ape = quantile(ape, 0.5),
          .p90_ape = quantile(ape, 0.9),
          .bias = mean(errors),
          .p10_error = quantile(errors, 0.1),
          .p90_error = quantile(errors, 0.9)};
}

ScaleFree scale_free(std::span<const double> silicon, std::span<const double> sim) {
  check_pairs(silicon, sim);
  std::vector<double> ratios(silicon.size());
  for (std::size_t i = 0; i < ratios.size(); ++i) {
    ratios[i] = silicon[i] / sim[i];
  }
  const auto factor = quantile(std::move(ratios), 0.5);
  if (!factor) {
    return {};
  }
  std::vector<double> scaled(sim.begin(), sim.end());
  for (double& t : scaled) {
    t *= *factor;
  }
  const ErrorSummary rest = summarize_errors(silicon, scaled);
  return {.factor = factor, .mape = rest.mape, .median_ape = rest.median_ape};
}

std::vector<double> average_ranks(std::span<const double> values) {
  const auto order = order_by(values);
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first + 1;
    while (last < order.size() && values[order[last]] == values[order[first]]) {
      ++last;
    }
    // The tied ones hold ranks first+1 ... last; each gets their mean.
    const double rank = static_cast<double>(first + 1 + last) / 2.0;
    for (std::size_t i = first; i < last; ++i) {
      ranks[order[i]] = rank;
    }
    first = last;
  }
  return ranks;
}

std::optional<double> spearman(std::span<const double> a, std::span<const double> b) {
  check_pairs(a, b);
  return correlation(average_ranks(a), average_ranks(b));
}

std::optional<double> kendall_tau_b(std::span<const double> a, std::span<const double> b) {
  check_pairs(a, b);
  std::int64_t balance = 0; // concordant minus discordant pairs
  std::int64_t untied_a = 0;
  std::int64_t untied_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = i + 1; j < a.size(); ++j) {
      const int sa = sign(a[j] - a[i]);
      const int sb = sign(b[j] - b[i]);
      balance += sa * sb;
      untied_a += sa != 0 ? 1 : 0;
      untied_b += sb != 0 ? 1 : 0;
    }
  }
  if (untied_a == 0 || untied_b == 0) {
    return std::nullopt;
  }
  return static_cast<double>(balance) /
         (std::sqrt(static_cast<double>(untied_a)) * std::sqrt(static_cast<double>(untied_b)));
}

std::optional<double> spearman_best5pct(std::span<const double> silicon,
                                        std::span<const double> sim) {
  check_pairs(silicon, sim);
  constexpr std::size_t kLeast = 5;
  if (silicon.size() < kLeast) {
    return std::nullopt;
  }
  auto best = order_by(silicon);
  best.resize(std::max(kLeast, (silicon.size() + 19) / 20));
  std::vector<double> a;
  std::vector<double> b;
  for (const std::size_t i : best) {
    a.push_back(silicon[i]);
    b.push_back(sim[i]);
  }
  return spearman(a, b);
}

std::optional<double> top_k_regret(std::span<const double> silicon,
                                   std::span<const double> sim,
                                   std::size_t k,
                                   double best_silicon) {
  check_pairs(silicon, sim);
  COULOMB_CHECK(k > 0 && best_silicon > 0.0, "k = {}, best silicon time {}", k, best_silicon);
  if (silicon.empty()) {
    return std::nullopt;
  }
  const auto order = order_by(sim);
  double best = silicon[order[0]];
  for (std::size_t i = 1; i < std::min(k, order.size()); ++i) {
    best = std::min(best, silicon[order[i]]);
  }
  return best / best_silicon - 1.0;
}

} // namespace coulomb::calibration
