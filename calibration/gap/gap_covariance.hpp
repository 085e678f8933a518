// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gap/gap_points.hpp"

#include <array>
#include <string_view>

namespace coulomb::calibration {

/// Which observations a part of the model is common to.
enum class Sharing : std::uint8_t { all, board, spec, pair };

/// What a part of the model depends on.
enum class Basis : std::uint8_t { constant, features, configuration };

/// The gap is a sum of independent parts: one common to everything, parts of each board, of each
/// spec, of each board and spec together. A new kernel starts with the common part; its own parts
/// are learnt from its first measurements.
struct GapPart {
  std::string_view name;
  Basis basis;
  Sharing sharing;
  double median; ///< prior of the amplitude, in log(silicon/simulated): log-normal about this
};
inline constexpr std::array<GapPart, 10> kGapParts = {{
    {"bias of all", Basis::constant, Sharing::all, 0.03},
    {"bias of the board", Basis::constant, Sharing::board, 0.05},
    {"bias of the spec", Basis::constant, Sharing::spec, 0.05},
    {"bias of board and spec", Basis::constant, Sharing::pair, 0.05},
    {"features, all", Basis::features, Sharing::all, 0.05},
    {"features, of the board", Basis::features, Sharing::board, 0.05},
    {"features, of the spec", Basis::features, Sharing::spec, 0.10},
    {"features, of board and spec", Basis::features, Sharing::pair, 0.10},
    {"configuration, of the spec", Basis::configuration, Sharing::spec, 0.20},
    {"configuration, of board and spec", Basis::configuration, Sharing::pair, 0.20},
}};

/// Amplitudes are standard deviations of log(silicon/simulated), above 0.
struct GapHyperparameters {
  Eigen::VectorXd amplitudes;        ///< by kGapParts
  Eigen::VectorXd lengths;           ///< [inputs] of the features' parts, in standard deviations
  double configuration_length = 0.0; ///< in doublings of a parameter
  double noise = 0.0;                ///< standard deviation of what no part explains, of a typical
                                     ///< board and spec
  Eigen::VectorXd noises;            ///< the same of each, by GapPoints::pair

  /// The prior's medians. Lengths grow with the square root of the number of inputs, as distances
  /// do (Hvarfner et al., "Vanilla Bayesian optimization performs great in high dimensions", 2024).
  [[nodiscard]] static GapHyperparameters medians(std::size_t inputs, std::size_t pairs);
  /// Logarithms of all values: amplitudes, lengths, configuration length, noise, noises; and back.
  [[nodiscard]] Eigen::VectorXd logarithms() const;
  [[nodiscard]] static GapHyperparameters from_logarithms(const Eigen::VectorXd& logs,
                                                          std::size_t inputs);
  /// Negative logarithm of the prior, constants left out; its derivatives by logarithms() are added
  /// to `gradient`. Noises are drawn about `noise`, the rest about medians().
  [[nodiscard]] double negative_log_prior(Eigen::VectorXd& gradient) const;
  /// Variance of what no part explains, of each point; of a pair without observations, the mean
  /// over the noises that there might be.
  [[nodiscard]] Eigen::VectorXd noise_variances(const GapPoints& points) const;
};

/// Covariance of two sets of points, part by part.
class GapCovariance {
public:
  GapCovariance(const GapHyperparameters& hyperparameters, const GapPoints& a, const GapPoints& b);

  /// [a][b], all parts.
  [[nodiscard]] Eigen::MatrixXd total() const;
  /// [a][b] of one part, by kGapParts.
  [[nodiscard]] Eigen::MatrixXd part(std::size_t index) const;
  /// Derivative of sum(weights * total) by each of logarithms(), noises excluded (0). Only for
  /// a == b and symmetric weights.
  [[nodiscard]] Eigen::VectorXd gradient(const Eigen::MatrixXd& weights) const;
  /// Variance of a single point, the same for all.
  [[nodiscard]] static double variance(const GapHyperparameters& hyperparameters);

private:
  /// Sum over the parts of a basis: squared amplitude where both points share it.
  [[nodiscard]] Eigen::ArrayXXd scale(Basis basis) const;

  const GapHyperparameters& hyperparameters_;
  const GapPoints& a_;
  std::array<Eigen::ArrayXXd, 4> shared_; ///< by Sharing: 1 or 0
  Eigen::ArrayXXd features_;              ///< distance
  Eigen::ArrayXXd configuration_;         ///< distance
};

/// Squared Euclidean distances of the rows, [a][b].
[[nodiscard]] Eigen::MatrixXd squared_distances(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

} // namespace coulomb::calibration
