// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_model.hpp"

#include "base/hash.hpp"
#include "calibration/gap/gap_left_out.hpp"
#include "calibration/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>

namespace coulomb::calibration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kReweightings = 3;
constexpr Index kBlock = 512; ///< queries at a time: bounds memory
constexpr double kExploredQuantile = 0.99;
constexpr std::size_t kPointsForNoises = 200; ///< with() is called in a loop: it has to be quick
constexpr int kStepsForNoises = 12;

/// Rows of at most `most` observations, by hash; of each board and spec as many, as far as it has
/// them, so that the few of a new kernel are among them.
std::vector<Index> drawn_by_hash(const std::vector<Observation>& observations, std::size_t most) {
  std::vector<Index> rows(observations.size());
  std::iota(rows.begin(), rows.end(), Index{0});
  if (rows.size() <= most) {
    return rows;
  }
  std::vector<std::uint64_t> keys;
  for (const Observation& o : observations) {
    keys.push_back(hash64(fmt::format("{} {} {}", o.board, o.spec, o.parameters.key())));
  }
  std::stable_sort(rows.begin(), rows.end(), [&keys](Index a, Index b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  std::map<std::pair<std::string, std::string>, std::size_t> drawn;
  std::vector<std::size_t> turns(rows.size());
  for (const Index r : rows) {
    const Observation& o = observations[static_cast<std::size_t>(r)];
    turns[static_cast<std::size_t>(r)] = drawn[{o.board, o.spec}]++;
  }
  std::stable_sort(rows.begin(), rows.end(), [&turns](Index a, Index b) {
    return turns[static_cast<std::size_t>(a)] < turns[static_cast<std::size_t>(b)];
  });
  rows.resize(most);
  std::sort(rows.begin(), rows.end());
  return rows;
}

void reweight_repeatedly(GapTargets& targets, const GapHyperparameters& hyperparameters) {
  for (int i = 0; i < kReweightings && targets.points.size() > 1; ++i) {
    reweight(targets, hyperparameters);
  }
}

/// Root mean square over the inputs.
MatrixXd distances_of(const MatrixXd& a, const MatrixXd& b) {
  return (squared_distances(a, b) / static_cast<double>(a.cols())).cwiseSqrt();
}

double nearest_neighbour_quantile(const MatrixXd& inputs) {
  MatrixXd d = distances_of(inputs, inputs);
  d.diagonal().setConstant(std::numeric_limits<double>::infinity());
  std::vector<double> nearest;
  for (Index i = 0; i < d.rows() && d.rows() > 1; ++i) {
    nearest.push_back(d.row(i).minCoeff());
  }
  return quantile(std::move(nearest), kExploredQuantile).value_or(0.0);
}

} // namespace

double corrected_ms(const GapPrediction& prediction, double sim_ms, double penalty) {
  return sim_ms * std::exp(prediction.log_ratio + penalty * prediction.deviation);
}

GapModel::GapModel(GapFrame frame, std::vector<Observation> observations, GapSettings settings)
    : settings_(std::move(settings)), frame_(std::move(frame)),
      observations_(std::move(observations)),
      hyperparameters_(GapHyperparameters::medians(frame_.inputs().size(), frame_.pairs())) {
  const auto n = static_cast<Index>(observations_.size());
  targets_.points = frame_.points(observations_);
  targets_.values.resize(n);
  targets_.silicon_deviations.resize(n);
  targets_.trust = VectorXd::Ones(n);
  for (Index i = 0; i < n; ++i) {
    const Observation& o = observations_[static_cast<std::size_t>(i)];
    targets_.values[i] = o.log_ratio();
    targets_.silicon_deviations[i] = o.silicon_noise;
  }
}

GapModel GapModel::fit(std::vector<Observation> observations, const GapSettings& settings) {
  GapFrame frame(gap_inputs(), observations);
  GapModel model(std::move(frame), std::move(observations), settings);
  if (model.targets_.points.size() > 0) {
    // Outliers would pass for noise or roughness: they are found before and between the searches.
    GapTargets some =
        model.targets_.subset(drawn_by_hash(model.observations_, settings.fitted_points));
    for (int search = 0; search < 2; ++search) {
      reweight_repeatedly(some, model.hyperparameters_);
      model.hyperparameters_ =
          maximize_posterior(some, model.hyperparameters_, settings.iterations);
    }
    model.hyperparameters_ = damp_sharing(some, model.hyperparameters_);
    reweight_repeatedly(model.targets_, model.hyperparameters_);
    model.explored_within_ = nearest_neighbour_quantile(model.targets_.points.inputs);
  }
  model.condition();
  return model;
}

GapModel GapModel::with(std::span<const Observation> more) const {
  std::vector<Observation> all = observations_;
  all.insert(all.end(), more.begin(), more.end());
  if (observations_.size() < kFewest) {
    return fit(std::move(all), settings_);
  }
  GapFrame frame(frame_.inputs(), frame_.means(), frame_.scales(), all);
  GapModel model(std::move(frame), std::move(all), settings_);
  model.hyperparameters_ = hyperparameters_;
  model.hyperparameters_.noises =
      VectorXd::Constant(static_cast<Index>(model.frame_.pairs()), hyperparameters_.noise);
  model.hyperparameters_.noises.head(hyperparameters_.noises.size()) = hyperparameters_.noises;
  model.explored_within_ = explored_within_;
  model.targets_.trust.head(targets_.trust.size()) = targets_.trust;
  const GapTargets some =
      model.targets_.subset(drawn_by_hash(model.observations_, kPointsForNoises));
  model.hyperparameters_ =
      maximize_posterior(some, model.hyperparameters_, kStepsForNoises, Searched::noises);
  reweight(model.targets_, model.hyperparameters_);
  model.condition();
  return model;
}

void GapModel::condition() {
  MatrixXd covariance = GapCovariance(hyperparameters_, targets_.points, targets_.points).total();
  covariance.diagonal() += targets_.noise_variances(hyperparameters_);
  const Eigen::LLT<MatrixXd> llt(covariance);
  if (targets_.points.size() > 0) {
    deviation_factors_ = deviation_factors(targets_, hyperparameters_);
  }
  factor_ = llt.matrixL();
  weights_ = llt.solve(targets_.values);
}

double GapModel::deviation_factor(int pair) const {
  if (pair >= 0) {
    return deviation_factors_[pair];
  }
  return deviation_factors_.size() > 0 ? deviation_factors_.mean() : 1.0;
}

GapPrediction GapModel::predict(const GapQuery& query) const {
  return predict(std::span(&query, 1)).front();
}

std::vector<GapPrediction> GapModel::predict(std::span<const GapQuery> queries) const {
  std::vector<GapPrediction> out;
  out.reserve(queries.size());
  const double prior = GapCovariance::variance(hyperparameters_);
  for (std::size_t first = 0; first < queries.size(); first += kBlock) {
    const auto count = std::min(static_cast<std::size_t>(kBlock), queries.size() - first);
    const GapPoints points = frame_.points(queries.subspan(first, count));
    MatrixXd cross = GapCovariance(hyperparameters_, targets_.points, points).total();
    const VectorXd means = cross.transpose() * weights_;
    factor_.triangularView<Eigen::Lower>().solveInPlace(cross);
    const VectorXd known = cross.colwise().squaredNorm();
    const VectorXd unexplained = hyperparameters_.noise_variances(points);
    const MatrixXd apart = distances_of(targets_.points.inputs, points.inputs);
    for (Index i = 0; i < points.size(); ++i) {
      GapPrediction p;
      p.log_ratio = means[i];
      p.deviation = deviation_factor(points.pair[static_cast<std::size_t>(i)]) *
                    std::sqrt(std::max(prior - known[i], 0.0) + unexplained[i]);
      p.distance =
          apart.rows() > 0 ? apart.col(i).minCoeff() : std::numeric_limits<double>::infinity();
      p.unexplored = p.distance > explored_within_;
      out.push_back(p);
    }
  }
  return out;
}

std::vector<double> GapModel::contributions(const GapQuery& query) const {
  const GapPoints point = frame_.points(std::span(&query, 1));
  const GapCovariance covariance(hyperparameters_, targets_.points, point);
  std::vector<double> parts;
  for (std::size_t p = 0; p < kGapParts.size(); ++p) {
    parts.push_back(covariance.part(p).col(0).dot(weights_));
  }
  return parts;
}

std::vector<double> GapModel::distances(const GapQuery& query) const {
  const GapPoints point = frame_.points(std::span(&query, 1));
  const VectorXd d = distances_of(targets_.points.inputs, point.inputs).col(0);
  return {d.begin(), d.end()};
}

std::vector<double> GapModel::trust() const {
  return {targets_.trust.begin(), targets_.trust.end()};
}

} // namespace coulomb::calibration
