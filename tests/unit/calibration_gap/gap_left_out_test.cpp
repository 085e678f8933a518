// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_left_out.hpp"

#include <gtest/gtest.h>

#include "synthetic.hpp"

namespace coulomb::calibration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Rows = std::vector<Index>;

GapTargets targets(const std::vector<Observation>& observations) {
  GapTargets t;
  t.points = GapFrame(gap_inputs(), observations).points(observations);
  const auto n = static_cast<Index>(observations.size());
  t.values.resize(n);
  t.silicon_deviations = VectorXd::Zero(n);
  t.trust = VectorXd::Ones(n);
  for (Index i = 0; i < n; ++i) {
    t.values[i] = observations[static_cast<std::size_t>(i)].log_ratio();
  }
  return t;
}

using Gap = std::function<double(const Observation&)>;

/// Thirty observations each of two kernels of one board.
std::vector<Observation> two(const Gap& one, const Gap& other, double noise = 0.0) {
  auto all = synthetic::observations(30, "a", "one", one, noise);
  const auto more = synthetic::observations(30, "a", "two", other, noise);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

GapHyperparameters medians(std::size_t pairs) {
  return GapHyperparameters::medians(gap_inputs().size(), pairs);
}

double variance(const GapHyperparameters& h, Sharing sharing) {
  double sum = 0.0;
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    const double amplitude = h.amplitudes[static_cast<Index>(p)];
    sum += kGapParts[p].sharing == sharing ? amplitude * amplitude : 0.0;
  }
  return sum;
}

TEST(GapLeftOut, ErrorIsThatOfAModelWithoutThePair) {
  const GapTargets t = targets(two(synthetic::law, synthetic::law, 0.01));
  const GapHyperparameters h = medians(2);
  MatrixXd k = GapCovariance(h, t.points, t.points).total();
  k.diagonal() += t.noise_variances(h);
  double expected = 0.0;
  for (const Index first : {0, 30}) { // textbook conditioning on the other thirty
    const Index other = 30 - first;
    const MatrixXd known = k.block(other, other, 30, 30);
    const MatrixXd cross = k.block(first, other, 30, 30);
    const VectorXd mean = cross * known.inverse() * t.values.segment(other, 30);
    expected += (t.values.segment(first, 30) - mean).cwiseAbs().sum() / 60.0;
  }
  EXPECT_NEAR(left_out_error(t, h), expected, 1e-8);
}

TEST(GapLeftOut, SharingIsDampedWhereKernelsDisagreeAndKeptWhereTheyAgree) {
  const Gap law = [](const Observation& o) { return synthetic::law(o); };
  const Gap opposite = [](const Observation& o) { return -synthetic::law(o); };
  GapHyperparameters shared = medians(2);
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    if (kGapParts[p].sharing == Sharing::all) {
      shared.amplitudes[static_cast<Index>(p)] = 0.2;
    }
  }
  const GapHyperparameters agree = damp_sharing(targets(two(law, law)), shared);
  EXPECT_EQ(variance(agree, Sharing::all), variance(shared, Sharing::all));
  const GapTargets disagreeing = targets(two(law, opposite));
  const GapHyperparameters disagree = damp_sharing(disagreeing, shared);
  EXPECT_LT(variance(disagree, Sharing::all), 0.1 * variance(shared, Sharing::all));
  EXPECT_LT(left_out_error(disagreeing, disagree), left_out_error(disagreeing, shared));
  // What is not shared any more is the pair's own.
  EXPECT_NEAR(GapCovariance::variance(disagree), GapCovariance::variance(shared), 1e-12);
  EXPECT_GT(variance(disagree, Sharing::pair), variance(shared, Sharing::pair));
}

TEST(GapLeftOut, OnePairAloneIsNoReasonToDamp) {
  const GapTargets t = targets(synthetic::observations(30, "a", "one", synthetic::law));
  EXPECT_EQ(damp_sharing(t, medians(1)).logarithms(), medians(1).logarithms());
}

TEST(GapLeftOut, DeviationsGrowWhereAModelIsTooSureOfItself) {
  auto observations = synthetic::observations(60, "a", "one", synthetic::law, 0.15);
  const auto few = synthetic::observations(5, "a", "few", synthetic::law, 0.15);
  observations.insert(observations.end(), few.begin(), few.end());
  const GapTargets t = targets(observations);
  GapHyperparameters h = medians(2);
  h.noises.setConstant(0.15);
  const VectorXd honest = deviation_factors(t, h);
  EXPECT_LT(honest[0], 1.3);
  h.noises.setConstant(0.03);
  const VectorXd sure = deviation_factors(t, h);
  EXPECT_GT(sure[0], 1.5);
  EXPECT_EQ(sure[1], sure[0]); // too few to tell
}

TEST(GapLeftOut, RowsOfTheSameInputsDoNotVouchForEachOther) {
  auto observations = synthetic::observations(40, "a", "one", synthetic::law, 0.15);
  GapHyperparameters h = medians(1);
  h.noises.setConstant(0.02);
  const double once = deviation_factors(targets(observations), h)[0];
  const auto twins = observations;
  observations.insert(observations.end(), twins.begin(), twins.end());
  EXPECT_GT(deviation_factors(targets(observations), h)[0], 0.8 * once);
}

} // namespace
} // namespace coulomb::calibration
