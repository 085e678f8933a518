// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/fit/fit_parameter.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::calibration {

/// One measured configuration.
struct FitCase {
  std::string kernel;
  std::string board;       ///< GPU id
  std::string table;       ///< name of the file of measurements
  double silicon_ms = 0.0; ///< above 0
  bool held_out = false;   ///< of a table that is held out whole: another kernel or board
};

struct CaseTime {
  double ms = 0.0;  ///< simulated, above 0
  std::string code; ///< equal for the same machine code and launch on a board
};
/// One element per case; absent if the simulator could not time it.
using CaseTimes = std::vector<std::optional<CaseTime>>;

/// Simulates cases, named by their positions, with these values of the parameters. Absent if the
/// GPU's own relations forbid them; nothing is simulated then.
using SimulateAt = std::function<std::optional<CaseTimes>(const std::vector<double>& values,
                                                          const std::vector<std::size_t>& cases)>;

struct FitSettings {
  double held_out_share = 0.25;       ///< of the configurations of fitted tables; above 0, below 1
  std::uint64_t seed = 1;             ///< decides which
  std::size_t max_simulations = 2000; ///< of one case each, those of the test for
                                      ///< identifiability and of the final figures included
  /// Least mean |change of log(time)| over a parameter's range that the data can see.
  double noise_floor = 0.005;
  /// Least effect of a parameter's range, in effects of its smallest step.
  double clear = 3.0;
  /// Share of a parameter's effect on log(time) that those of the others explain (least squares),
  /// from which on it cannot be told apart from them: .96 is a variance inflation of 25, .98 the
  /// cosine of two effects.
  double collinear = 0.96;
};

/// What a configuration was to the fit. A table that is held out whole is one of a kernel or a
/// board, or of both, that no fitted table has.
enum class FitRole : std::uint8_t {
  fitted,
  held_out_configurations,
  held_out_kernel,
  held_out_board,
  held_out_kernel_and_board
};
inline constexpr std::array kFitRoles = {FitRole::fitted, FitRole::held_out_configurations,
                                         FitRole::held_out_kernel, FitRole::held_out_board,
                                         FitRole::held_out_kernel_and_board};
/// In words: "held out kernel".
[[nodiscard]] std::string_view to_string(FitRole role);

/// Errors of simulated against silicon times; fractions.
struct FitErrors {
  std::optional<double> mean_squared_log; ///< of log(simulated / silicon)
  std::optional<double> mape;
  std::optional<double> median;
  std::optional<double> spearman;
};

/// One table in one role, before and after.
struct FitRow {
  std::string kernel;
  std::string board;
  std::string table;
  FitRole role = FitRole::fitted;
  std::size_t n = 0;
  FitErrors before;
  FitErrors after;
};

struct FittedParameter {
  FitParameter parameter;
  double value = 0.0; ///< that fits best
  /// Mean |change of log(time)| from the present value to the end of the range that changes more.
  double effect = 0.0;
  /// The same from the present value to the next one that is tried: how unevenly the simulator
  /// answers to any change.
  double unevenness = 0.0;
  /// Tried values around `value` whose times differ from its own by no more than the noise floor or
  /// the unevenness, the other parameters as found: the data do not decide between them.
  double alike_from = 0.0;
  double alike_to = 0.0;

  /// The best value is an end of the range: a better one may lie beyond.
  [[nodiscard]] bool at_end() const { return value == parameter.low || value == parameter.high; }
};

struct FitReport {
  std::vector<FittedParameter> parameters;
  std::vector<FitRow> rows;      ///< fitted first
  double objective_before = 0.0; ///< mean squared log error of all fitted cases
  double objective_after = 0.0;
  std::size_t simulations = 0;
  std::size_t untimed = 0;     ///< cases left out: no simulated time with the present values
  bool budget_reached = false; ///< the search ended for it, not by itself

  [[nodiscard]] bool changed() const;
  /// Mean squared log error of all configurations of a role, before and after; absent if there are
  /// none.
  [[nodiscard]] std::optional<double> error_before(FitRole role) const;
  [[nodiscard]] std::optional<double> error_after(FitRole role) const;
  /// What was fitted does not hold for configurations that were not.
  [[nodiscard]] bool held_out_worse() const;
};

/// Finds the values of `parameters` that minimise the mean squared log error of the fitted cases:
/// first a test that the cases identify each parameter, then a compass search (Kolda, Lewis and
/// Torczon, "Optimization by direct search", SIAM Review 45, 2003) from the present values, one
/// parameter at a time, steps from a quarter of the range down to 1/128; a Gauss-Newton step of all
/// where none helps alone. A value that the GPU's relations forbid, or with which a case is no
/// longer timed, counts as worse.
///
/// Held-out configurations are drawn by the seed, those with the same machine code together; they
/// are simulated with the present and the final values only. Throws UserError: no parameters, fewer
/// than five fitted cases for each, a held-out table of a fitted kernel and board, a budget that is
/// too small (with the least), a parameter whose effect is below the noise floor, lost in the
/// simulator's unevenness, or explained by the others'.
[[nodiscard]] FitReport fit_parameters(const std::vector<FitParameter>& parameters,
                                       const std::vector<FitCase>& cases,
                                       const SimulateAt& simulate,
                                       const FitSettings& settings);

} // namespace coulomb::calibration
