// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/data/observations.hpp"
#include "calibration/gap/gap_fit.hpp"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// What the gap model says of a configuration.
struct GapPrediction {
  double log_ratio = 0.0; ///< mean of log(silicon/simulated)
  double deviation = 0.0; ///< standard deviation of it, what no part explains included,
                          ///< measurement noise left out
  double distance = 0.0;  ///< to the nearest observation: root mean square over the inputs, in
                          ///< standard deviations; infinite without observations
  bool unexplored = true; ///< farther than GapModel::explored_within()
};

/// sim_ms corrected: its expected silicon time if penalty is 0; above, a time that is exceeded the
/// more rarely the larger the penalty (in standard deviations), below, an optimist's.
[[nodiscard]] double
corrected_ms(const GapPrediction& prediction, double sim_ms, double penalty = 0.0);

struct GapSettings {
  int iterations = 40;             ///< of each of the two searches for hyperparameters
  std::size_t fitted_points = 800; ///< hyperparameters are searched on at most so many, as
                                   ///< many of each board and spec; predictions use all
  std::string model_hash;          ///< of the simulator that was calibrated; only recorded
};

/// What the simulator gets wrong, log(silicon/simulated), as a function of the evaluation's
/// features: a Gaussian process, the sum of kGapParts (Rasmussen and Williams, "Gaussian Processes
/// for Machine Learning", chapters 2 and 5), robust to outliers (reweight()). docs/calibration.md.
///
/// Same observations, same model. A value: copies are independent.
class GapModel {
public:
  /// Any number of observations, also none: then log_ratio is 0 with the prior's deviation.
  [[nodiscard]] static GapModel fit(std::vector<Observation> observations,
                                    const GapSettings& settings = {});
  /// With more observations: scaling, explored_within() and all hyperparameters but the noises
  /// stay. A model of fewer than kFewest observations is fitted anew.
  [[nodiscard]] GapModel with(std::span<const Observation> more) const;
  static constexpr std::size_t kFewest = 30;

  [[nodiscard]] GapPrediction predict(const GapQuery& query) const;
  [[nodiscard]] std::vector<GapPrediction> predict(std::span<const GapQuery> queries) const;
  /// log_ratio by kGapParts: they sum up to the prediction's.
  [[nodiscard]] std::vector<double> contributions(const GapQuery& query) const;
  /// Distance (as GapPrediction's) to each observation.
  [[nodiscard]] std::vector<double> distances(const GapQuery& query) const;

  [[nodiscard]] const std::vector<Observation>& observations() const { return observations_; }
  /// By observation: 1 fully believed, towards 0 an outlier.
  [[nodiscard]] std::vector<double> trust() const;
  [[nodiscard]] const std::vector<GapInput>& inputs() const { return frame_.inputs(); }
  /// Of the inputs, after their transform: what the model calls the mean and a standard deviation.
  [[nodiscard]] const std::vector<double>& means() const { return frame_.means(); }
  [[nodiscard]] const std::vector<double>& scales() const { return frame_.scales(); }
  [[nodiscard]] const GapHyperparameters& hyperparameters() const { return hyperparameters_; }
  [[nodiscard]] const GapSettings& settings() const { return settings_; }
  /// 99th percentile of the observations' distances to their nearest other one when the model was
  /// fitted: one in a hundred of new configurations of the same kind lies farther.
  [[nodiscard]] double explored_within() const { return explored_within_; }

  /// All that predicting needs. Reading back gives the same predictions bit by bit.
  [[nodiscard]] nlohmann::ordered_json to_json() const;
  /// `where` (a path) starts the messages. Throws UserError: another version, a feature that this
  /// version does not have, a field that is missing or of the wrong kind.
  [[nodiscard]] static GapModel from_json(const nlohmann::ordered_json& json,
                                          const std::string& where);

private:
  GapModel(GapFrame frame, std::vector<Observation> observations, GapSettings settings);
  void condition(); ///< what follows from targets_ and hyperparameters_
  /// Of a pair as in GapPoints; the mean of the others if it has no observations.
  [[nodiscard]] double deviation_factor(int pair) const;

  GapSettings settings_;
  GapFrame frame_;
  std::vector<Observation> observations_;
  GapHyperparameters hyperparameters_;
  GapTargets targets_;
  double explored_within_ = 0.0;
  Eigen::MatrixXd factor_;            ///< lower Cholesky factor of the observations' covariance
  Eigen::VectorXd weights_;           ///< inverse covariance times values
  Eigen::VectorXd deviation_factors_; ///< by GapPoints::pair
};

} // namespace coulomb::calibration
