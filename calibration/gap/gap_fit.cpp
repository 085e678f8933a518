// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_fit.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coulomb::calibration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDegreesOfFreedom = 4.0; ///< nu: tails heavy, variance still finite

// Rprop- with the authors' factors; steps are of the logarithms.
constexpr double kFirstStep = 0.2;
constexpr double kLeastStep = 2e-3;
constexpr double kMostStep = 0.5;
constexpr double kGrow = 1.2;
constexpr double kShrink = 0.5;

Eigen::LLT<MatrixXd> factor(const GapTargets& targets, const GapHyperparameters& h) {
  MatrixXd covariance = GapCovariance(h, targets.points, targets.points).total();
  covariance.diagonal() += targets.noise_variances(h);
  Eigen::LLT<MatrixXd> llt(covariance);
  COULOMB_CHECK(llt.info() == Eigen::Success, "covariance of {} points is not positive definite",
                targets.points.size());
  return llt;
}

MatrixXd inverse(const Eigen::LLT<MatrixXd>& llt) {
  return llt.solve(MatrixXd::Identity(llt.rows(), llt.rows()));
}

} // namespace

MatrixXd inverse_covariance(const GapTargets& targets, const GapHyperparameters& h) {
  return inverse(factor(targets, h));
}

VectorXd GapTargets::noise_variances(const GapHyperparameters& h) const {
  return (h.noise_variances(points).array() + silicon_deviations.array().square()) / trust.array();
}

GapTargets GapTargets::subset(const std::vector<Index>& rows) const {
  GapTargets out;
  out.points.inputs = points.inputs(rows, Eigen::all);
  out.points.configuration = points.configuration(rows, Eigen::all);
  out.values = values(rows);
  out.silicon_deviations = silicon_deviations(rows);
  out.trust = trust(rows);
  for (const Index r : rows) {
    out.points.board.push_back(points.board[static_cast<std::size_t>(r)]);
    out.points.spec.push_back(points.spec[static_cast<std::size_t>(r)]);
    out.points.pair.push_back(points.pair[static_cast<std::size_t>(r)]);
  }
  return out;
}

double
negative_log_posterior(const GapTargets& targets, const GapHyperparameters& h, VectorXd& gradient) {
  const GapCovariance covariance(h, targets.points, targets.points);
  MatrixXd k = covariance.total();
  k.diagonal() += targets.noise_variances(h);
  const Eigen::LLT<MatrixXd> llt(k);
  if (llt.info() != Eigen::Success) {
    return std::numeric_limits<double>::infinity();
  }
  const VectorXd alpha = llt.solve(targets.values);
  const double log_determinant = 2.0 * llt.matrixLLT().diagonal().array().log().sum();

  MatrixXd weights = inverse(llt);
  weights.noalias() -= alpha * alpha.transpose();
  gradient = 0.5 * covariance.gradient(weights);
  const VectorXd by_noise = h.noise_variances(targets.points)
                                .cwiseProduct(weights.diagonal())
                                .cwiseQuotient(targets.trust);
  const Index first = gradient.size() - h.noises.size();
  for (Index i = 0; i < by_noise.size(); ++i) {
    gradient[first + targets.points.pair[static_cast<std::size_t>(i)]] += by_noise[i];
  }
  const double prior = h.negative_log_prior(gradient);
  return 0.5 * (targets.values.dot(alpha) + log_determinant) + prior;
}

GapHyperparameters maximize_posterior(const GapTargets& targets,
                                      const GapHyperparameters& start,
                                      int iterations,
                                      Searched searched) {
  GapHyperparameters unsearched = start;
  const auto inputs = static_cast<std::size_t>(start.lengths.size());
  VectorXd at = start.logarithms();
  VectorXd best = at;
  VectorXd gradient = VectorXd::Zero(at.size());
  VectorXd before = gradient;
  VectorXd steps = VectorXd::Constant(at.size(), kFirstStep);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < iterations && steps.maxCoeff() > kLeastStep; ++i) {
    const double now =
        negative_log_posterior(targets, GapHyperparameters::from_logarithms(at, inputs), gradient);
    if (!std::isfinite(now)) {
      break;
    }
    if (searched == Searched::noises) {
      gradient.head(gradient.size() - start.noises.size()).setZero();
    }
    if (now < least) {
      least = now;
      best = at;
    }
    for (Index d = 0; d < at.size(); ++d) {
      const double product = gradient[d] * before[d];
      if (product < 0.0) {
        steps[d] *= kShrink;
        gradient[d] = 0.0; // a step is left out after a turn
      } else if (product > 0.0) {
        steps[d] = std::min(steps[d] * kGrow, kMostStep);
      }
      at[d] -= gradient[d] == 0.0 ? 0.0 : std::copysign(steps[d], gradient[d]);
    }
    before = gradient;
  }
  GapHyperparameters found = GapHyperparameters::from_logarithms(best, inputs);
  if (searched == Searched::noises) { // the others to the last bit
    std::swap(found.noises, unsearched.noises);
    return unsearched;
  }
  return found;
}

void reweight(GapTargets& targets, const GapHyperparameters& h) {
  const MatrixXd inverted = inverse_covariance(targets, h);
  const VectorXd alpha = inverted * targets.values;
  const VectorXd assumed = targets.noise_variances(h);
  for (Index i = 0; i < alpha.size(); ++i) {
    const double residual = alpha[i] / inverted(i, i);
    const double latent = std::max(1.0 / inverted(i, i) - assumed[i], 0.0);
    const double undoubted = assumed[i] * targets.trust[i];
    const double z2 = residual * residual / (latent + undoubted);
    targets.trust[i] = std::min(1.0, (kDegreesOfFreedom + 1.0) / (kDegreesOfFreedom + z2));
  }
}

} // namespace coulomb::calibration
