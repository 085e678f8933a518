// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_covariance.hpp"

#include <cmath>

namespace coulomb::calibration {
namespace {

using Array = Eigen::ArrayXXd;
using Eigen::Index;

constexpr auto kParts = static_cast<Index>(kGapParts.size());
constexpr double kAmplitudeDeviation = 0.7;
constexpr double kLengthDeviation = 1.0;
constexpr double kConfigurationLength = 2.0; ///< a parameter from 16 to 64
constexpr double kConfigurationLengthDeviation = 0.7;
constexpr double kNoise = 0.02;
constexpr double kNoiseDeviation = 0.4;
constexpr double kNoisesDeviation = 0.4; ///< of a board and spec's noise about the typical
const double kRoot3 = std::sqrt(3.0);

/// Matern 3/2 (Rasmussen and Williams, "Gaussian Processes for Machine Learning", eq. 4.17): once
/// differentiable, so that a few points do not promise too much far away.
Array correlation(const Array& distance) {
  return (1.0 + kRoot3 * distance) * (-kRoot3 * distance).exp();
}

/// -d correlation / d log(distance) over distance squared.
Array slope(const Array& distance) {
  return 3.0 * (-kRoot3 * distance).exp();
}

Array equal(const std::vector<int>& a, const std::vector<int>& b) {
  Array same(static_cast<Index>(a.size()), static_cast<Index>(b.size()));
  for (Index j = 0; j < same.cols(); ++j) {
    for (Index i = 0; i < same.rows(); ++i) {
      same(i, j) = a[static_cast<std::size_t>(i)] == b[static_cast<std::size_t>(j)] ? 1.0 : 0.0;
    }
  }
  return same;
}

} // namespace

GapHyperparameters GapHyperparameters::medians(std::size_t inputs, std::size_t pairs) {
  GapHyperparameters h;
  h.amplitudes.resize(kParts);
  for (Index p = 0; p < kParts; ++p) {
    h.amplitudes[p] = kGapParts[static_cast<std::size_t>(p)].median;
  }
  const double length = std::sqrt(static_cast<double>(inputs));
  h.lengths = Eigen::VectorXd::Constant(static_cast<Index>(inputs), length);
  h.configuration_length = kConfigurationLength;
  h.noise = kNoise;
  h.noises = Eigen::VectorXd::Constant(static_cast<Index>(pairs), kNoise);
  return h;
}

Eigen::VectorXd GapHyperparameters::logarithms() const {
  Eigen::VectorXd all(kParts + lengths.size() + 2 + noises.size());
  all << amplitudes, lengths, configuration_length, noise, noises;
  return all.array().log();
}

GapHyperparameters GapHyperparameters::from_logarithms(const Eigen::VectorXd& logs,
                                                       std::size_t inputs) {
  const Eigen::VectorXd all = logs.array().exp();
  const Index scalars = kParts + static_cast<Index>(inputs);
  return {all.head(kParts), all.segment(kParts, scalars - kParts), all[scalars], all[scalars + 1],
          all.tail(all.size() - scalars - 2)};
}

double GapHyperparameters::negative_log_prior(Eigen::VectorXd& gradient) const {
  const auto inputs = static_cast<std::size_t>(lengths.size());
  const auto pairs = noises.size();
  Eigen::VectorXd deviations(kParts + lengths.size() + 2 + pairs);
  deviations << Eigen::VectorXd::Constant(kParts, kAmplitudeDeviation),
      Eigen::VectorXd::Constant(lengths.size(), kLengthDeviation), kConfigurationLengthDeviation,
      kNoiseDeviation, Eigen::VectorXd::Constant(pairs, kNoisesDeviation);
  Eigen::VectorXd middle = medians(inputs, static_cast<std::size_t>(pairs)).logarithms();
  middle.tail(pairs).setConstant(std::log(noise));
  const Eigen::VectorXd off = (logarithms() - middle).cwiseQuotient(deviations);
  const Eigen::VectorXd slopes = off.cwiseQuotient(deviations);
  gradient += slopes;
  gradient[gradient.size() - pairs - 1] -= slopes.tail(pairs).sum();
  return 0.5 * off.squaredNorm();
}

Eigen::VectorXd GapHyperparameters::noise_variances(const GapPoints& points) const {
  // E[noise^2] of a log-normal noise.
  const double typical = noise * noise * std::exp(2.0 * kNoisesDeviation * kNoisesDeviation);
  Eigen::VectorXd variances(points.size());
  for (Index i = 0; i < points.size(); ++i) {
    const int pair = points.pair[static_cast<std::size_t>(i)];
    variances[i] = pair < 0 ? typical : noises[pair] * noises[pair];
  }
  return variances;
}

Eigen::MatrixXd squared_distances(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  Eigen::MatrixXd d = -2.0 * a * b.transpose();
  d.colwise() += a.rowwise().squaredNorm();
  d.rowwise() += b.rowwise().squaredNorm().transpose();
  return d.cwiseMax(0.0); // rounding
}

GapCovariance::GapCovariance(const GapHyperparameters& hyperparameters,
                             const GapPoints& a,
                             const GapPoints& b)
    : hyperparameters_(hyperparameters), a_(a) {
  shared_[0] = Array::Ones(a.size(), b.size());
  shared_[1] = equal(a.board, b.board);
  shared_[2] = equal(a.spec, b.spec);
  shared_[3] = shared_[1] * shared_[2];
  const auto shrink = hyperparameters.lengths.cwiseInverse().asDiagonal();
  features_ = squared_distances(a.inputs * shrink, b.inputs * shrink).cwiseSqrt();
  configuration_ = squared_distances(a.configuration, b.configuration).cwiseSqrt() /
                   hyperparameters.configuration_length;
}

Array GapCovariance::scale(Basis basis) const {
  Array sum = Array::Zero(shared_[0].rows(), shared_[0].cols());
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    if (kGapParts[p].basis == basis) {
      const double amplitude = hyperparameters_.amplitudes[static_cast<Index>(p)];
      sum += amplitude * amplitude * shared_[static_cast<std::size_t>(kGapParts[p].sharing)];
    }
  }
  return sum;
}

Eigen::MatrixXd GapCovariance::total() const {
  return scale(Basis::constant) + scale(Basis::features) * correlation(features_) +
         scale(Basis::configuration) * correlation(configuration_);
}

Eigen::MatrixXd GapCovariance::part(std::size_t index) const {
  const GapPart& p = kGapParts.at(index);
  const double amplitude = hyperparameters_.amplitudes[static_cast<Index>(index)];
  Array out = amplitude * amplitude * shared_[static_cast<std::size_t>(p.sharing)];
  if (p.basis != Basis::constant) {
    out *= correlation(p.basis == Basis::features ? features_ : configuration_);
  }
  return out;
}

Eigen::VectorXd GapCovariance::gradient(const Eigen::MatrixXd& weights) const {
  const Index inputs = a_.inputs.cols();
  Eigen::VectorXd all = Eigen::VectorXd::Zero(kParts + inputs + 2 + hyperparameters_.noises.size());
  const Array by_basis[] = {weights, weights.array() * correlation(features_),
                            weights.array() * correlation(configuration_)};
  for (Index p = 0; p < kParts; ++p) {
    const GapPart& part = kGapParts[static_cast<std::size_t>(p)];
    const double amplitude = hyperparameters_.amplitudes[p];
    all[p] = 2.0 * amplitude * amplitude *
             (by_basis[static_cast<std::size_t>(part.basis)] *
              shared_[static_cast<std::size_t>(part.sharing)])
                 .sum();
  }
  // Sum of v(i,j) (x(i) - x(j))^2 over all pairs is 2 sum x(i)^2 v(i) - 2 x'v x, v symmetric.
  const Eigen::MatrixXd v = weights.array() * scale(Basis::features) * slope(features_);
  const Eigen::VectorXd rows = v.rowwise().sum();
  const Eigen::MatrixXd vx = v * a_.inputs;
  for (Index d = 0; d < inputs; ++d) {
    const auto x = a_.inputs.col(d);
    const double length = hyperparameters_.lengths[d];
    all[kParts + d] = 2.0 * (rows.dot(x.cwiseAbs2()) - x.dot(vx.col(d))) / (length * length);
  }
  all[kParts + inputs] = (weights.array() * scale(Basis::configuration) * slope(configuration_) *
                          configuration_.square())
                             .sum();
  return all;
}

double GapCovariance::variance(const GapHyperparameters& hyperparameters) {
  return hyperparameters.amplitudes.squaredNorm();
}

} // namespace coulomb::calibration
