// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_fit.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace coulomb::calibration {
namespace {

GapTargets targets(const std::vector<Observation>& observations) {
  GapTargets t;
  t.points = GapFrame(gap_inputs(), observations).points(observations);
  const auto n = static_cast<Eigen::Index>(observations.size());
  t.values.resize(n);
  t.silicon_deviations = Eigen::VectorXd::Constant(n, 0.01);
  t.trust = Eigen::VectorXd::LinSpaced(n, 0.5, 1.0);
  for (Eigen::Index i = 0; i < n; ++i) {
    t.values[i] = observations[static_cast<std::size_t>(i)].log_ratio();
  }
  return t;
}

std::vector<Observation> some() {
  auto all = synthetic::observations(12, "a", "one", synthetic::law);
  const auto more = synthetic::observations(12, "b", "one", synthetic::law);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Matern 3/2 of two points, by its formula.
double matern(double r) {
  return (1.0 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r);
}

TEST(GapCovariance, IsTheSumOfItsPartsWhereTwoPointsShareThem) {
  const GapTargets t = targets(some());
  const GapHyperparameters h = GapHyperparameters::medians(gap_inputs().size(), 2);
  const GapCovariance covariance(h, t.points, t.points);
  const Eigen::MatrixXd total = covariance.total();
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(24, 24);
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    sum += covariance.part(p);
  }
  EXPECT_LT((total - sum).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(total(3, 3), GapCovariance::variance(h), 1e-9);
  // Points 2 and 15 are of different boards: only what all or the spec share is common.
  const double f = matern((t.points.inputs.row(2) - t.points.inputs.row(15)).norm() / h.lengths[0]);
  const double c = matern((t.points.configuration.row(2) - t.points.configuration.row(15)).norm() /
                          h.configuration_length);
  const auto a2 = [&h](Eigen::Index p) { return h.amplitudes[p] * h.amplitudes[p]; };
  EXPECT_NEAR(total(2, 15), a2(0) + a2(2) + (a2(4) + a2(6)) * f + a2(8) * c, 1e-12);
}

TEST(GapFit, GradientIsThatOfFiniteDifferences) {
  const GapTargets t = targets(some());
  const std::size_t inputs = gap_inputs().size();
  Eigen::VectorXd at = GapHyperparameters::medians(inputs, 2).logarithms();
  at += 0.1 * Eigen::VectorXd::LinSpaced(at.size(), -1.0, 1.0);
  Eigen::VectorXd gradient;
  Eigen::VectorXd ignored;
  (void)negative_log_posterior(t, GapHyperparameters::from_logarithms(at, inputs), gradient);
  ASSERT_EQ(gradient.size(), at.size());
  for (Eigen::Index d = 0; d < at.size(); ++d) {
    const double step = 1e-5;
    Eigen::VectorXd above = at;
    Eigen::VectorXd below = at;
    above[d] += step;
    below[d] -= step;
    const double slope =
        (negative_log_posterior(t, GapHyperparameters::from_logarithms(above, inputs), ignored) -
         negative_log_posterior(t, GapHyperparameters::from_logarithms(below, inputs), ignored)) /
        (2.0 * step);
    EXPECT_NEAR(gradient[d], slope, 1e-5 * (1.0 + std::abs(slope))) << "hyperparameter " << d;
  }
}

TEST(GapFit, SearchFindsAMoreProbableModelThanThePriorsMedian) {
  const GapTargets t = targets(some());
  const GapHyperparameters start = GapHyperparameters::medians(gap_inputs().size(), 2);
  const GapHyperparameters found = maximize_posterior(t, start, 30);
  Eigen::VectorXd ignored;
  EXPECT_LT(negative_log_posterior(t, found, ignored),
            negative_log_posterior(t, start, ignored) - 5.0);
}

TEST(GapFit, ReweightingDistrustsWhatNothingNearConfirms) {
  auto observations = synthetic::observations(60, "a", "one", synthetic::law);
  observations[20].silicon_ms *= 3.0;
  GapTargets t = targets(observations);
  t.trust.setOnes();
  const GapHyperparameters h =
      maximize_posterior(t, GapHyperparameters::medians(gap_inputs().size(), 1), 5);
  reweight(t, h);
  EXPECT_LT(t.trust[20], 0.2);
  Eigen::VectorXd others = t.trust;
  others[20] = 1.0;
  EXPECT_GT(others.mean(), 0.9);
}

TEST(GapFit, EachPairHasItsOwnNoise) {
  auto observations = synthetic::observations(40, "a", "quiet", synthetic::law, 0.01);
  const auto loud = synthetic::observations(40, "a", "loud", synthetic::law, 0.2);
  observations.insert(observations.end(), loud.begin(), loud.end());
  GapTargets t = targets(observations);
  t.silicon_deviations.setZero(); // all of it is the model's to explain
  t.trust.setOnes();
  const auto start = GapHyperparameters::medians(gap_inputs().size(), 2);
  const GapHyperparameters h = maximize_posterior(t, start, 40);
  EXPECT_LT(h.noises[0], 0.03);
  EXPECT_NEAR(h.noises[1], 0.2, 0.08);
  const GapHyperparameters alone = maximize_posterior(t, start, 40, Searched::noises);
  EXPECT_EQ(alone.amplitudes, start.amplitudes);
  EXPECT_EQ(alone.lengths, start.lengths);
  EXPECT_GT(alone.noises[1], 3.0 * alone.noises[0]);
  // A pair that nobody measured: the mean square of a log-normal of deviation 0.4.
  GapPoints unknown = t.points;
  unknown.pair.assign(unknown.pair.size(), -1);
  EXPECT_NEAR(h.noise_variances(unknown)[0], h.noise * h.noise * std::exp(2.0 * 0.16), 1e-12);
}

} // namespace
} // namespace coulomb::calibration
