// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gap/gap_covariance.hpp"

namespace coulomb::calibration {

/// What a Gaussian process is conditioned on.
struct GapTargets {
  GapPoints points;
  Eigen::VectorXd values;             ///< log(silicon/simulated)
  Eigen::VectorXd silicon_deviations; ///< of the measurements, relative; 0: not known
  Eigen::VectorXd trust;              ///< 1: as good as any, towards 0: an outlier

  /// Variance of each value about the parts: the model's noise and silicon's, more for outliers.
  [[nodiscard]] Eigen::VectorXd noise_variances(const GapHyperparameters& h) const;
  [[nodiscard]] GapTargets subset(const std::vector<Eigen::Index>& rows) const;
};

/// Inverse covariance of the values, noise included.
[[nodiscard]] Eigen::MatrixXd inverse_covariance(const GapTargets& targets,
                                                 const GapHyperparameters& hyperparameters);

/// Negative logarithm of the marginal likelihood and of the prior, constants left out, and its
/// gradient by GapHyperparameters::logarithms() (Rasmussen and Williams, eq. 5.8 and 5.9).
[[nodiscard]] double negative_log_posterior(const GapTargets& targets,
                                            const GapHyperparameters& hyperparameters,
                                            Eigen::VectorXd& gradient);

/// Which hyperparameters a search changes.
enum class Searched : std::uint8_t { all, noises };

/// Maximum a posteriori by resilient back-propagation from `start`: steps by the gradient's sign
/// alone, as Blum and Riedmiller found best for this ("Optimization of Gaussian process
/// hyperparameters using Rprop", ESANN 2013).
[[nodiscard]] GapHyperparameters maximize_posterior(const GapTargets& targets,
                                                    const GapHyperparameters& start,
                                                    int iterations,
                                                    Searched searched = Searched::all);

/// One step of iterative reweighting for Student-t errors: each value is compared with what all
/// others say of it (eq. 5.12, with undoubted noise), z standard deviations off; its trust becomes
/// min(1, (nu + 1) / (nu + z^2)). So a value that nothing near it confirms loses its say, while a
/// surprise where the model knows nothing keeps it.
void reweight(GapTargets& targets, const GapHyperparameters& hyperparameters);

} // namespace coulomb::calibration
