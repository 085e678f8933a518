// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/fit/fit.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace coulomb::calibration {

/// Simulates the fitted cases at points of the parameters' ranges, each different set of values
/// once, and counts what it costs.
class FitTrials {
public:
  /// `budget`: simulations that may be spent here.
  FitTrials(const std::vector<FitParameter>& parameters,
            const std::vector<FitCase>& cases,
            std::vector<std::size_t> fitted,
            const SimulateAt& simulate,
            std::size_t budget)
      : parameters_(parameters), cases_(cases), fitted_(std::move(fitted)), simulate_(simulate),
        budget_(budget) {}

  /// Where all fitted cases were timed with `values` before.
  void remember(const std::vector<double>& values, std::vector<double> log_times) {
    known_.emplace(values, std::move(log_times));
  }

  [[nodiscard]] std::vector<double> values_at(const std::vector<double>& positions) const;
  /// log(ms) of the fitted cases; absent if the GPU forbids the values, a case is not timed, or the
  /// budget is reached.
  const std::optional<std::vector<double>>& log_times(const std::vector<double>& positions);
  /// Mean squared log error; absent likewise.
  std::optional<double> objective(const std::vector<double>& positions);

  /// The lowest and highest tried value of a parameter around the one at `positions`, the others as
  /// there, from which no tried value in between has times that differ by `floor` or more (mean
  /// |change of log(time)|). `positions` were tried.
  [[nodiscard]] std::pair<double, double>
  alike(const std::vector<double>& positions, std::size_t parameter, double floor) const;

  /// The Gauss-Newton step from `positions`, within the ranges, with slopes from what was tried a
  /// `step` to either side; a parameter that was tried on no side stays. `positions` were tried.
  [[nodiscard]] std::vector<double> joint_step(const std::vector<double>& positions,
                                               double step) const;

  /// The position nearest to `start`, towards `end`, at which the search would try another value.
  [[nodiscard]] double
  next_position(const std::vector<double>& start, std::size_t parameter, double end) const;

  [[nodiscard]] std::size_t spent() const { return spent_; }
  /// A trial was refused for want of budget.
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] std::size_t size() const { return fitted_.size(); }

private:
  const std::vector<FitParameter>& parameters_;
  const std::vector<FitCase>& cases_;
  std::vector<std::size_t> fitted_;
  const SimulateAt& simulate_;
  std::size_t budget_;
  std::size_t spent_ = 0;
  bool exhausted_ = false;
  std::optional<std::vector<double>> none_;
  std::map<std::vector<double>, std::optional<std::vector<double>>> known_; ///< by values
};

/// What moving one parameter over its range does, the others at `start`.
struct FitEffect {
  std::vector<double> change; ///< log(time) at the upper end less that at the lower, by case
  double size = 0.0;          ///< mean |change| from `start` to the end that changes more
  /// Mean |change| from `start` to the nearest value that the search would try. A smooth effect is
  /// small there; what is not is how unevenly the simulator answers to any change.
  double unevenness = 0.0;
};

/// An end of the range that cannot be simulated is drawn in, half way towards the start each time.
/// Throws UserError if the budget does not suffice.
[[nodiscard]] FitEffect
effect_of(FitTrials& trials, const std::vector<double>& start, std::size_t parameter);

/// Throws UserError if a parameter's effect is below the floor, lost in the simulator's unevenness,
/// or explained by those of the others: see FitSettings.
void check_identifiable(const std::vector<FitParameter>& parameters,
                        const std::vector<FitEffect>& effects,
                        const FitSettings& settings);

/// Positions of the least objective found from `start` on; `start` itself can be simulated. Where
/// no step of a single parameter helps, a Gauss-Newton step of all is tried before steps are
/// halved.
[[nodiscard]] std::vector<double> compass_search(FitTrials& trials, std::vector<double> start);

} // namespace coulomb::calibration
