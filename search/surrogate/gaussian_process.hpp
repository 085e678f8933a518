// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/surrogate/correlation.hpp"

#include <Eigen/Dense>

namespace coulomb::search {

/// A Gaussian process of zero mean and unit variance over the configurations of a space: what the
/// observed values say of candidates that were not observed. (Rasmussen and Williams, "Gaussian
/// Processes for Machine Learning", chapter 2.)
///
/// The candidates are named first and watched: each new observation updates their means and
/// variances in place, which takes candidates * observations steps, instead of solving anew.
class GaussianProcess {
public:
  /// Up to `observations` of up to `candidates`; no allocation after that. `noise` is the variance
  /// of an observation that the model does not explain, as a share of 1.
  GaussianProcess(Correlation correlation,
                  float noise,
                  std::size_t genes,
                  std::size_t observations,
                  std::size_t candidates);

  [[nodiscard]] std::size_t observations() const { return observed_; }
  [[nodiscard]] std::size_t candidates() const { return watched_; }
  [[nodiscard]] bool full() const { return observed_ == capacity(); }
  /// Candidates that may still be added.
  [[nodiscard]] std::size_t room() const {
    return static_cast<std::size_t>(rows_.rows()) - watched_;
  }

  /// Adds candidates, whose gene vectors follow each other; returns the position of the first. Many
  /// at once are far cheaper than one by one. Throws InternalError if there is no room.
  std::size_t watch(std::span<const Gene> genes);
  /// Adds an observation; returns its position. Throws InternalError if there is no room.
  std::size_t observe(std::span<const Gene> genes, float value);
  /// Replaces what was observed, e.g. an expectation by the outcome.
  void correct(std::size_t observation, float value);

  /// Of a candidate, given all observations.
  [[nodiscard]] float mean(std::size_t candidate) const {
    return mean_[static_cast<Eigen::Index>(candidate)];
  }
  /// In units of the process, given all observations.
  [[nodiscard]] float deviation(std::size_t candidate) const;
  /// The process's own deviation that suits the observations best: multiplies deviation().
  [[nodiscard]] float unit() const;
  /// Mean of any configuration.
  [[nodiscard]] float mean_at(std::span<const Gene> genes) const;
  [[nodiscard]] const Correlation& correlation() const { return correlation_; }

private:
  using Matrix = Eigen::MatrixXf;
  using Vector = Eigen::VectorXf;

  [[nodiscard]] std::size_t capacity() const { return static_cast<std::size_t>(factor_.rows()); }
  /// Row of the factor that belongs to a configuration: L^-1 k.
  [[nodiscard]] Vector solved(const Gene* genes) const;

  Correlation correlation_;
  float noise_;
  std::size_t genes_;
  std::size_t observed_ = 0;
  std::size_t watched_ = 0;
  std::vector<Gene> observed_genes_; ///< [observations][genes]
  std::vector<Gene> watched_genes_;  ///< [genes][candidates]
  Matrix factor_;                    ///< lower Cholesky factor of the observations' covariance
  Vector values_;                    ///< observed
  Vector weights_;                   ///< L^-1 values
  Matrix rows_;                      ///< [candidates][observations]: each one's L^-1 k
  Vector mean_;
  Vector variance_;
};

} // namespace coulomb::search
