// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/accuracy/figures.hpp"
#include "calibration/accuracy/held_out.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coulomb::calibration {

/// Observations of one configuration on two boards, as positions in the list they came from.
struct Match {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Configurations of `kernel` that were observed on both boards, in the order of `from`'s rows. Of
/// several observations of one configuration on one board the first counts.
[[nodiscard]] std::vector<Match> matches(const std::vector<Observation>& observations,
                                         const std::string& from,
                                         const std::string& to,
                                         const std::string& kernel,
                                         const KernelIdentity& identity);

/// Predicted against measured ratio of the times of two boards, over configurations. Errors are
/// fractions: |predicted / measured - 1|.
struct RatioFigures {
  std::size_t n = 0;
  Figure median;
  std::optional<double> p90;
  std::optional<double> bias; ///< mean of predicted / measured - 1
  Figure spearman;            ///< of the two ratios
};
[[nodiscard]] RatioFigures ratio_figures(const std::vector<double>& measured,
                                         const std::vector<double>& predicted,
                                         const BootstrapSettings& bootstrap,
                                         const std::string& name);

/// What one board's observations say about another's, for one kernel.
struct Transfer {
  std::string from;
  std::string to;
  std::string kernel;
  std::size_t from_n = 0; ///< observations of the kernel on each board
  std::size_t to_n = 0;
  /// Time on `from` over time on `to`, of the configurations that both observed.
  std::optional<double> ratio_p10; ///< measured
  std::optional<double> ratio_median;
  std::optional<double> ratio_p90;
  /// Error if every configuration is given the median ratio: what a prediction has to beat.
  RatioFigures constant;
  RatioFigures simulator;
  /// Calibrated on both boards, the configuration held out on both.
  std::optional<RatioFigures> both;
  /// Calibrated on `from` alone, the configuration held out.
  std::optional<RatioFigures> from_only;
  /// Times on `to` of all its observations of the kernel: the simulator's, and calibrated on
  /// `from` alone.
  AccuracyFigures to_simulator;
  std::optional<AccuracyFigures> to_calibrated;
};

/// Times [ms] of the observations of both boards, each calibrated on observations of `from` of
/// other configurations only (see held_out_groups). Absent for other boards.
[[nodiscard]] std::vector<std::optional<double>>
transferred_times(const std::vector<Observation>& observations,
                  const std::string& from,
                  const std::string& to,
                  const KernelIdentity& identity,
                  const HeldOutSettings& settings,
                  const Calibrate& calibrate);

/// Every kernel that both boards observed, by name. `held_out` are held_out_times() by
/// configuration and `transferred` are transferred_times(), both empty if nothing is calibrated.
[[nodiscard]] std::vector<Transfer> transfers(const std::vector<Observation>& observations,
                                              const std::string& from,
                                              const std::string& to,
                                              const KernelIdentity& identity,
                                              const std::vector<std::optional<double>>& held_out,
                                              const std::vector<std::optional<double>>& transferred,
                                              const BootstrapSettings& bootstrap);

} // namespace coulomb::calibration
