// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/hyperparameters.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace coulomb::search {
namespace {

// The prior: log-normal around these, with these deviations of the logarithm.
constexpr double kLength = 0.7;
constexpr double kLengthDeviation = 1.0;
constexpr double kNoise = 1e-3;
constexpr double kNoiseDeviation = 2.0;
constexpr std::pair<float, float> kLengthRange = {0.05F, 20.0F};
constexpr std::pair<float, float> kNoiseRange = {1e-4F, 0.3F};
/// Factors by which each pass changes a value.
constexpr float kSteps[] = {3.0F, 1.6F};
constexpr double kWorthIt = 1e-4;

double square(double x) {
  return x * x;
}

double negative_log_prior(const Correlation& correlation, float noise) {
  double sum = 0.5 * square(std::log(noise / kNoise) / kNoiseDeviation);
  for (std::size_t d = 0; d < correlation.dimensions(); ++d) {
    sum += 0.5 * square(std::log(correlation.length(d) / kLength) / kLengthDeviation);
  }
  return sum;
}

/// The objective over one of the values, the others fixed.
class Search {
public:
  Search(const Observations& observations, Correlation& correlation, float& noise)
      : observations_(observations), correlation_(correlation), noise_(noise), best_(objective()) {}

  void along(std::size_t value, float factor) {
    if (improve(value, factor)) {
      while (improve(value, factor)) {
      }
    } else {
      while (improve(value, 1.0F / factor)) {
      }
    }
  }

private:
  [[nodiscard]] bool is_noise(std::size_t value) const {
    return value == correlation_.dimensions();
  }
  [[nodiscard]] float get(std::size_t value) const {
    return is_noise(value) ? noise_ : correlation_.length(value);
  }
  void set(std::size_t value, float to) {
    if (is_noise(value)) {
      noise_ = to;
    } else {
      correlation_.set_length(value, to);
    }
  }
  [[nodiscard]] double objective() const {
    return negative_log_likelihood(observations_, correlation_, noise_) +
           negative_log_prior(correlation_, noise_);
  }
  bool improve(std::size_t value, float factor) {
    const auto [least, most] = is_noise(value) ? kNoiseRange : kLengthRange;
    const float before = get(value);
    const float after = std::clamp(before * factor, least, most);
    if (after == before) {
      return false;
    }
    set(value, after);
    const double now = objective();
    if (now < best_ - kWorthIt) {
      best_ = now;
      return true;
    }
    set(value, before);
    return false;
  }

  const Observations& observations_;
  Correlation& correlation_;
  float& noise_;
  double best_;
};

} // namespace

double negative_log_likelihood(const Observations& observations,
                               const Correlation& correlation,
                               float noise) {
  const auto n = static_cast<Eigen::Index>(observations.size());
  Eigen::MatrixXf covariance(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j; i < n; ++i) {
      covariance(i, j) = correlation(observations.point(static_cast<std::size_t>(i)),
                                     observations.point(static_cast<std::size_t>(j)));
    }
    covariance(j, j) += noise;
  }
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXf>> factor(covariance);
  Eigen::VectorXf residual = Eigen::Map<const Eigen::VectorXf>(observations.values.data(), n);
  factor.matrixL().solveInPlace(residual);
  double log_determinant = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    log_determinant += std::log(std::max(covariance(i, i), 1e-6F));
  }
  // The process variance is the one that fits best.
  const double variance = std::max(double{residual.squaredNorm()} / static_cast<double>(n), 1e-12);
  return 0.5 * static_cast<double>(n) * std::log(variance) + log_determinant;
}

void fit_hyperparameters(const Observations& observations, Correlation& correlation, float& noise) {
  Search search(observations, correlation, noise);
  for (const float factor : kSteps) {
    for (std::size_t value = 0; value <= correlation.dimensions(); ++value) {
      search.along(value, factor);
    }
  }
}

} // namespace coulomb::search
