// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/fit.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "calibration/fit/fit_trials.hpp"
#include "calibration/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace coulomb::calibration {
namespace {

using Positions = std::vector<std::size_t>;

constexpr std::size_t kFewestFitted = 5; ///< for each parameter

/// Which cases have a time with the present values, and what each is to the fit.
struct Split {
  Positions fitted;
  Positions held_out;                  ///< configurations of fitted tables
  std::map<FitRole, Positions> others; ///< of tables that are held out whole
};

/// What tables that are held out whole are to the fitted ones.
class FittedNames {
public:
  explicit FittedNames(const std::vector<FitCase>& cases) {
    for (const FitCase& c : cases) {
      if (!c.held_out) {
        kernels_.insert(c.kernel);
        boards_.insert(c.board);
      }
    }
  }

  /// Throws UserError if both its kernel and its board are fitted.
  [[nodiscard]] FitRole role(const FitCase& c) const {
    const bool kernel = kernels_.contains(c.kernel);
    const bool board = boards_.contains(c.board);
    if (kernel && board) {
      throw UserError(fmt::format("calibrate fit: {} is to be held out, but {} on {} is fitted",
                                  c.table, c.kernel, c.board),
                      "hold out a table of another kernel or board");
    }
    if (kernel) {
      return FitRole::held_out_board;
    }
    return board ? FitRole::held_out_kernel : FitRole::held_out_kernel_and_board;
  }

private:
  std::set<std::string> kernels_;
  std::set<std::string> boards_;
};

/// Configurations with the same machine code stay together, so that none is fitted under another
/// name.
Split split(const std::vector<FitCase>& cases, const CaseTimes& base, const FitSettings& settings) {
  Split out;
  const FittedNames fitted(cases);
  std::map<std::string, Positions> by_code;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!base[i]) {
      continue;
    }
    if (cases[i].held_out) {
      out.others[fitted.role(cases[i])].push_back(i);
    } else {
      // Without a code a case stands for itself.
      const std::string own = base[i]->code.empty() ? fmt::format("#{}", i) : base[i]->code;
      by_code[fmt::format("{}\n{}\n{}", cases[i].kernel, cases[i].board, own)].push_back(i);
    }
  }
  std::vector<Positions> groups;
  std::size_t configurations = 0;
  for (auto& [code, group] : by_code) {
    configurations += group.size();
    groups.push_back(std::move(group));
  }
  // Not in the order of the hashes of machine code, which differ between compilers.
  std::sort(groups.begin(), groups.end());
  RandomStream random(settings.seed, "fit.held_out");
  for (std::size_t i = groups.size(); i > 1; --i) {
    std::swap(groups[i - 1], groups[random.below(i)]);
  }
  const double wanted = settings.held_out_share * static_cast<double>(configurations);
  for (const Positions& group : groups) {
    const bool enough = static_cast<double>(out.held_out.size()) >= wanted;
    auto& side = enough ? out.fitted : out.held_out;
    side.insert(side.end(), group.begin(), group.end());
  }
  std::sort(out.fitted.begin(), out.fitted.end());
  std::sort(out.held_out.begin(), out.held_out.end());
  return out;
}

FitErrors errors_of(const std::vector<double>& silicon, const std::vector<double>& sim) {
  const ErrorSummary summary = summarize_errors(silicon, sim);
  std::vector<double> squares;
  for (std::size_t i = 0; i < sim.size(); ++i) {
    const double error = std::log(sim[i] / silicon[i]);
    squares.push_back(error * error);
  }
  return {.mean_squared_log = mean(squares),
          .mape = summary.mape,
          .median = summary.median_ape,
          .spearman = spearman(silicon, sim)};
}

/// One row per table. A case that has no time with the final values is left out on both sides, so
/// that before and after are over the same configurations.
void add_rows(FitReport& report,
              FitRole role,
              const std::vector<FitCase>& cases,
              const Positions& chosen,
              const CaseTimes& before,
              const CaseTimes& after) {
  std::map<std::array<std::string, 3>, Positions> tables;
  for (const std::size_t i : chosen) {
    if (before[i] && after[i]) {
      tables[{cases[i].kernel, cases[i].board, cases[i].table}].push_back(i);
    }
  }
  for (const auto& [name, positions] : tables) {
    std::vector<double> silicon;
    std::vector<double> old_ms;
    std::vector<double> new_ms;
    for (const std::size_t i : positions) {
      silicon.push_back(cases[i].silicon_ms);
      old_ms.push_back(before[i]->ms);
      new_ms.push_back(after[i]->ms);
    }
    const auto& [kernel, board, table] = name;
    report.rows.push_back({kernel, board, table, role, positions.size(), errors_of(silicon, old_ms),
                           errors_of(silicon, new_ms)});
  }
}

void check_request(const std::vector<FitParameter>& parameters,
                   const std::vector<FitCase>& cases,
                   const FitSettings& settings) {
  if (parameters.empty()) {
    throw UserError("calibrate fit: no parameter to fit", "--parameter KEY");
  }
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    for (std::size_t q = 0; q < p; ++q) {
      if (parameters[p].key == parameters[q].key) {
        throw UserError(fmt::format("calibrate fit: {} is named twice", parameters[p].key));
      }
    }
  }
  if (!(settings.held_out_share > 0.0 && settings.held_out_share < 1.0)) {
    throw UserError(fmt::format("calibrate fit: {} of the configurations held out; allowed: above "
                                "0 and below 1",
                                settings.held_out_share));
  }
  // Present values of all; each parameter's two ends and next value, and a step of one either way;
  // final values of all. How many are fitted is not known before the first: all at most.
  const std::size_t least = (4 + 3 * parameters.size()) * cases.size();
  if (settings.max_simulations < least) {
    throw UserError(fmt::format("calibrate fit: {} simulations are too few for {} configurations "
                                "and {} parameter{}: at least {}",
                                settings.max_simulations, cases.size(), parameters.size(),
                                parameters.size() == 1 ? "" : "s", least),
                    "a smaller --sample, or a larger --max-simulations");
  }
}

/// The figure of all rows of a role, each weighed by its configurations.
std::optional<double> pooled(const std::vector<FitRow>& rows, FitRole role, bool after) {
  double sum = 0.0;
  std::size_t n = 0;
  for (const FitRow& r : rows) {
    if (r.role == role) {
      sum += static_cast<double>(r.n) * *(after ? r.after : r.before).mean_squared_log;
      n += r.n;
    }
  }
  return n > 0 ? std::optional(sum / static_cast<double>(n)) : std::nullopt;
}

std::size_t untimed(const CaseTimes& times) {
  return static_cast<std::size_t>(
      std::count_if(times.begin(), times.end(), [](const auto& t) { return !t; }));
}

} // namespace

std::string_view to_string(FitRole role) {
  switch (role) {
  case FitRole::fitted:
    return "fitted";
  case FitRole::held_out_configurations:
    return "held out configurations";
  case FitRole::held_out_kernel:
    return "held out kernel";
  case FitRole::held_out_board:
    return "held out board";
  case FitRole::held_out_kernel_and_board:
    return "held out kernel and board";
  }
  return "";
}

bool FitReport::changed() const {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const auto& p) { return p.value != p.parameter.start; });
}

std::optional<double> FitReport::error_before(FitRole role) const {
  return pooled(rows, role, false);
}

std::optional<double> FitReport::error_after(FitRole role) const {
  return pooled(rows, role, true);
}

bool FitReport::held_out_worse() const {
  return error_after(FitRole::held_out_configurations).value_or(0.0) >
         error_before(FitRole::held_out_configurations).value_or(0.0);
}

FitReport fit_parameters(const std::vector<FitParameter>& parameters,
                         const std::vector<FitCase>& cases,
                         const SimulateAt& simulate,
                         const FitSettings& settings) {
  check_request(parameters, cases, settings);
  Positions all(cases.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::vector<double> values;
  std::vector<double> start;
  for (const FitParameter& p : parameters) {
    values.push_back(p.start);
    start.push_back(p.position_of(p.start));
  }
  const auto base = simulate(values, all);
  COULOMB_CHECK(base && base->size() == cases.size(), "the present values are not allowed");
  const Split parts = split(cases, *base, settings);
  const std::size_t fewest = kFewestFitted * parameters.size();
  if (parts.fitted.size() < fewest || parts.held_out.empty()) {
    throw UserError(fmt::format("calibrate fit: {} configurations to fit and {} to hold out, with "
                                "a simulated time; at least {} and 1 for {} parameter{}",
                                parts.fitted.size(), parts.held_out.size(), fewest,
                                parameters.size(), parameters.size() == 1 ? "" : "s"),
                    "a larger --sample");
  }
  std::vector<double> log_times;
  for (const std::size_t i : parts.fitted) {
    log_times.push_back(std::log((*base)[i]->ms));
  }
  FitTrials trials(parameters, cases, parts.fitted, simulate,
                   settings.max_simulations - 2 * cases.size());
  trials.remember(trials.values_at(start), std::move(log_times));

  FitReport report;
  report.objective_before = *trials.objective(start);
  std::vector<FitEffect> effects;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    effects.push_back(effect_of(trials, start, p));
  }
  check_identifiable(parameters, effects, settings);
  const auto found = compass_search(trials, start);
  report.objective_after = *trials.objective(found);
  const auto final_values = trials.values_at(found);
  const auto after = simulate(final_values, all);
  COULOMB_CHECK(after && after->size() == cases.size(), "the final values are not allowed");

  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto [from, to] =
        trials.alike(found, p, std::max(settings.noise_floor, effects[p].unevenness));
    report.parameters.push_back(
        {parameters[p], final_values[p], effects[p].size, effects[p].unevenness, from, to});
  }
  report.simulations = 2 * cases.size() + trials.spent();
  report.untimed = untimed(*base);
  report.budget_reached = trials.exhausted();
  add_rows(report, FitRole::fitted, cases, parts.fitted, *base, *after);
  add_rows(report, FitRole::held_out_configurations, cases, parts.held_out, *base, *after);
  for (const auto& [role, positions] : parts.others) {
    add_rows(report, role, cases, positions, *base, *after);
  }
  return report;
}

} // namespace coulomb::calibration
