// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/gaussian_process.hpp"

#include "base/error.hpp"
#include "search/surrogate/hyperparameters.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

constexpr float kNoise = 0.01F;

/// Mean and deviation of a candidate by solving the whole system in double precision.
std::pair<double, double> solved_anew(const Correlation& correlation,
                                      const std::vector<Genes>& observed,
                                      const std::vector<float>& values,
                                      const Genes& candidate) {
  const auto n = static_cast<Eigen::Index>(observed.size());
  Eigen::MatrixXd covariance(n, n);
  Eigen::VectorXd with(n);
  Eigen::VectorXd y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& a = observed[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j) {
      covariance(i, j) = correlation(a.data(), observed[static_cast<std::size_t>(j)].data());
    }
    covariance(i, i) += kNoise;
    with[i] = correlation(a.data(), candidate.data());
    y[i] = values[static_cast<std::size_t>(i)];
  }
  const Eigen::VectorXd weights = covariance.ldlt().solve(with);
  return {weights.dot(y), std::sqrt(1.0 - weights.dot(with))};
}

TEST(GaussianProcess, AgreesWithASolutionOfTheWholeSystem) {
  const SearchSpace space = synthetic_space(4, 5);
  const Correlation correlation(space);
  GaussianProcess process(correlation, kNoise, 4, 20, 10);
  RandomStream random(1, "gp");
  std::vector<Genes> observed;
  std::vector<Genes> candidates;
  std::vector<float> values;
  for (const Point point : space.sample(30, random)) {
    (observed.size() < 20 ? observed : candidates).push_back(space.genes(point));
  }
  for (std::size_t i = 0; i < 5; ++i) {
    process.watch(candidates[i]);
  }
  for (const Genes& genes : observed) {
    values.push_back(static_cast<float>(random.normal()));
    process.observe(genes, values.back());
  }
  std::vector<Gene> rest; // watched only after the observations, all at once
  for (std::size_t i = 5; i < 10; ++i) {
    rest.insert(rest.end(), candidates[i].begin(), candidates[i].end());
  }
  EXPECT_EQ(process.watch(rest), 5);
  EXPECT_EQ(process.room(), 0);
  values[3] = 2.5F;
  process.correct(3, values[3]);
  for (std::size_t i = 0; i < 10; ++i) {
    const auto [mean, deviation] = solved_anew(correlation, observed, values, candidates[i]);
    EXPECT_NEAR(process.mean(i), mean, 1e-4);
    EXPECT_NEAR(process.mean_at(candidates[i]), mean, 1e-4);
    EXPECT_NEAR(process.deviation(i), deviation, 1e-4);
  }
  EXPECT_TRUE(process.full());
  EXPECT_THROW(process.observe(observed[0], 0.0F), InternalError);
}

TEST(Correlation, FallsWithTheDistanceAlongTheLogarithm) {
  const SearchSpace space = synthetic_space(1, 5); // 1, 2, 4, 8, 16
  Correlation correlation(space);
  correlation.set_length(0, 0.5F);
  const Genes one = {0};
  const Genes two = {1};
  const Genes sixteen = {4};
  EXPECT_FLOAT_EQ(correlation(one.data(), one.data()), 1.0F);
  EXPECT_FLOAT_EQ(correlation(one.data(), two.data()), std::exp(-0.25F / 0.5F));
  EXPECT_FLOAT_EQ(correlation(one.data(), sixteen.data()), std::exp(-1.0F / 0.5F));
}

TEST(Hyperparameters, FindTheParameterThatMatters) {
  const SearchSpace space = synthetic_space(2, 6);
  Observations observations;
  observations.genes = 2;
  for (Point point = 0; point < space.size(); ++point) {
    const Genes genes = space.genes(point);
    observations.points.insert(observations.points.end(), genes.begin(), genes.end());
    observations.values.push_back(genes[0] % 2 == 0 ? 1.0F : -1.0F); // gene 1 says nothing
  }
  Correlation correlation(space);
  float noise = 1e-3F;
  const double before = negative_log_likelihood(observations, correlation, noise);
  fit_hyperparameters(observations, correlation, noise);
  EXPECT_LT(negative_log_likelihood(observations, correlation, noise), before);
  EXPECT_GT(correlation.length(1), 5.0F * correlation.length(0));
}

} // namespace
} // namespace coulomb::search
