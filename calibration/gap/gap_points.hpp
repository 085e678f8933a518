// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/data/observations.hpp"
#include "calibration/gap/gap_input.hpp"

#include <Eigen/Dense>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coulomb::calibration {

/// A configuration whose gap is asked for.
struct GapQuery {
  std::string board; ///< GPU id; may be one that the model never saw
  std::string spec;  ///< kernel; likewise
  kernel::Configuration parameters;
  std::vector<double> features; ///< of the simulation, by eval::feature_table(); NaN: unknown
};

[[nodiscard]] GapQuery query_of(const Observation& observation);

/// Where configurations lie: what the covariance looks at.
struct GapPoints {
  Eigen::MatrixXd inputs;        ///< [points][inputs] standardised
  Eigen::MatrixXd configuration; ///< [points][columns] in doublings of numeric parameters
  std::vector<int> board;        ///< id; below 0: one without observations
  std::vector<int> spec;
  std::vector<int> pair; ///< board and spec together

  [[nodiscard]] Eigen::Index size() const { return inputs.rows(); }
};

/// Turns observations and queries into points: the scaling of the inputs and the numbering of
/// boards, specs and parameters.
///
/// Parameters: a numeric one becomes +-log2(1 + |value|), so that tile sizes 2 and 5 are one
/// doubling apart, a truth value 0 or 1; texts that differ are 1 apart. Only configurations of the
/// same spec are ever compared.
class GapFrame {
public:
  /// Scales by mean and standard deviation of the observations, the latter at least the input's
  /// resolution.
  GapFrame(std::vector<GapInput> inputs, const std::vector<Observation>& observations);
  /// With the scaling given, [inputs] each.
  GapFrame(std::vector<GapInput> inputs,
           std::vector<double> means,
           std::vector<double> scales,
           const std::vector<Observation>& observations);

  [[nodiscard]] GapPoints points(const std::vector<Observation>& observations) const;
  [[nodiscard]] GapPoints points(std::span<const GapQuery> queries) const;

  /// Pairs of board and spec that there are observations of, by GapPoints::pair.
  [[nodiscard]] std::size_t pairs() const { return pairs_.size(); }
  [[nodiscard]] const std::vector<GapInput>& inputs() const { return inputs_; }
  [[nodiscard]] const std::vector<double>& means() const { return means_; }
  [[nodiscard]] const std::vector<double>& scales() const { return scales_; }

private:
  void number(const std::vector<Observation>& observations);
  template <class Items>
  [[nodiscard]] GapPoints points_of(const Items& items) const;

  std::vector<GapInput> inputs_;
  std::vector<double> means_;
  std::vector<double> scales_;
  std::map<std::string, int> boards_;
  std::map<std::string, int> specs_;
  std::map<std::pair<std::string, std::string>, int> pairs_;
  std::map<std::string, int> columns_; ///< numeric parameters by name, texts by name=value
};

} // namespace coulomb::calibration
