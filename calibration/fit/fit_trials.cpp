// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/fit_trials.hpp"

#include "base/error.hpp"
#include "calibration/fit/least_squares.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/ranges.h>
#include <iterator>
#include <numeric>
#include <string>

namespace coulomb::calibration {
namespace {

constexpr double kFirstStep = 0.25; ///< of a range
constexpr double kLastStep = 1.0 / 128.0;
constexpr double kWorthwhile = 0.99; ///< of the objective, at most, after a joint step
constexpr int kDrawnIn = 6;          ///< tries to find an end of a range that can be simulated

double mean_magnitude(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += std::abs(a[i] - b[i]);
  }
  return sum / static_cast<double>(a.size());
}

/// Log times at the end of the range nearest to `end` that can be simulated, or at the start.
std::vector<double>
at_end(FitTrials& trials, const std::vector<double>& start, std::size_t parameter, double end) {
  std::vector<double> at = start;
  at[parameter] = end;
  for (int tries = 0; tries < kDrawnIn; ++tries) {
    if (const auto& times = trials.log_times(at)) {
      return *times;
    }
    if (trials.exhausted()) {
      throw UserError("calibrate fit: the simulations ran out before every parameter's range was "
                      "tried: at its ends some configurations are not timed",
                      "a larger --max-simulations, or a narrower range: KEY=LOW:HIGH");
    }
    at[parameter] = (at[parameter] + start[parameter]) / 2.0;
  }
  return *trials.log_times(start);
}

/// How much of a parameter's effect those of the others explain, and which of them do.
struct Explained {
  double share = 0.0; ///< of the sum of squares
  std::vector<std::size_t> by;
};

Explained explained_by_others(const std::vector<FitEffect>& effects, std::size_t parameter) {
  constexpr double kMatters = 0.1; ///< least part, of the effect's length, to be named
  const std::vector<double>& effect = effects[parameter].change;
  std::vector<std::size_t> others(effects.size());
  std::iota(others.begin(), others.end(), std::size_t{0});
  std::erase(others, parameter);
  std::vector<std::vector<double>> columns;
  for (const std::size_t q : others) {
    columns.push_back(effects[q].change);
  }
  const auto weights = least_squares(columns, effect);
  Explained out;
  const double left = norm(residual(columns, weights, effect)) / norm(effect);
  out.share = 1.0 - left * left;
  for (std::size_t k = 0; k < others.size(); ++k) {
    if (std::abs(weights[k]) * norm(columns[k]) > kMatters * norm(effect)) {
      out.by.push_back(others[k]);
    }
  }
  return out;
}

} // namespace

std::vector<double> FitTrials::values_at(const std::vector<double>& positions) const {
  std::vector<double> values;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    values.push_back(parameters_[p].value_at(positions[p]));
  }
  return values;
}

const std::optional<std::vector<double>>&
FitTrials::log_times(const std::vector<double>& positions) {
  const std::vector<double> values = values_at(positions);
  if (const auto found = known_.find(values); found != known_.end()) {
    return found->second;
  }
  if (spent_ + fitted_.size() > budget_) {
    exhausted_ = true;
    return none_;
  }
  auto& result = known_[values];
  const auto times = simulate_(values, fitted_);
  if (!times) {
    return result;
  }
  COULOMB_CHECK(times->size() == fitted_.size(), "{} times for {} cases", times->size(),
                fitted_.size());
  spent_ += fitted_.size();
  if (std::all_of(times->begin(), times->end(), [](const auto& t) { return t.has_value(); })) {
    result.emplace();
    for (const auto& t : *times) {
      result->push_back(std::log(t->ms));
    }
  }
  return result;
}

std::optional<double> FitTrials::objective(const std::vector<double>& positions) {
  const auto& times = log_times(positions);
  if (!times) {
    return std::nullopt;
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < times->size(); ++i) {
    const double error = (*times)[i] - std::log(cases_[fitted_[i]].silicon_ms);
    sum += error * error;
  }
  return sum / static_cast<double>(times->size());
}

std::pair<double, double>
FitTrials::alike(const std::vector<double>& positions, std::size_t parameter, double floor) const {
  const std::vector<double> values = values_at(positions);
  const std::vector<double>& own = known_.at(values).value();
  std::map<double, bool> tried; ///< value of the parameter: its times are alike
  for (const auto& [at, times] : known_) {
    std::vector<double> moved = at;
    moved[parameter] = values[parameter];
    if (moved == values && times) {
      tried[at[parameter]] = mean_magnitude(*times, own) < floor;
    }
  }
  const auto here = tried.find(values[parameter]);
  auto first = here;
  while (first != tried.begin() && std::prev(first)->second) {
    --first;
  }
  auto last = here;
  while (std::next(last) != tried.end() && std::next(last)->second) {
    ++last;
  }
  return {first->first, last->first};
}

std::vector<double> FitTrials::joint_step(const std::vector<double>& positions, double step) const {
  const std::vector<double>& base = known_.at(values_at(positions)).value();
  std::vector<double> missing;
  for (std::size_t i = 0; i < base.size(); ++i) {
    missing.push_back(std::log(cases_[fitted_[i]].silicon_ms) - base[i]);
  }
  std::vector<std::vector<double>> slopes;
  for (std::size_t p = 0; p < positions.size(); ++p) {
    std::array<double, 2> at = {positions[p], positions[p]};
    std::array<const std::vector<double>*, 2> times = {&base, &base};
    for (const std::size_t side : {0U, 1U}) {
      std::vector<double> to = positions;
      to[p] = std::clamp(to[p] + (side == 0 ? -step : step), 0.0, 1.0);
      if (const auto found = known_.find(values_at(to)); found != known_.end() && found->second) {
        at[side] = to[p];
        times[side] = &*found->second;
      }
    }
    const double width = at[1] - at[0];
    auto& slope = slopes.emplace_back(base.size(), 0.0);
    for (std::size_t i = 0; i < base.size() && width > 0.0; ++i) {
      slope[i] = ((*times[1])[i] - (*times[0])[i]) / width;
    }
  }
  const auto move = least_squares(slopes, missing);
  std::vector<double> to = positions;
  for (std::size_t p = 0; p < to.size(); ++p) {
    to[p] = std::clamp(to[p] + move[p], 0.0, 1.0);
  }
  return to;
}

double FitTrials::next_position(const std::vector<double>& start,
                                std::size_t parameter,
                                double end) const {
  const FitParameter& p = parameters_[parameter];
  const double own = start[parameter];
  // A whole number may take more than one step of the search to change.
  for (double distance = kLastStep; distance < 1.0; distance += kLastStep) {
    const double to = own < end ? std::min(own + distance, end) : std::max(own - distance, end);
    if (p.value_at(to) != p.value_at(own)) {
      return to;
    }
  }
  return end;
}

FitEffect effect_of(FitTrials& trials, const std::vector<double>& start, std::size_t parameter) {
  const std::vector<double> base = *trials.log_times(start);
  const std::vector<double> low = at_end(trials, start, parameter, 0.0);
  const std::vector<double> high = at_end(trials, start, parameter, 1.0);
  // Towards the end that is farther away, where a step has room.
  const double end = start[parameter] < 0.5 ? 1.0 : 0.0;
  const std::vector<double> next =
      at_end(trials, start, parameter, trials.next_position(start, parameter, end));
  FitEffect effect;
  for (std::size_t i = 0; i < base.size(); ++i) {
    effect.change.push_back(high[i] - low[i]);
  }
  effect.size = std::max(mean_magnitude(low, base), mean_magnitude(high, base));
  effect.unevenness = mean_magnitude(next, base);
  return effect;
}

void check_identifiable(const std::vector<FitParameter>& parameters,
                        const std::vector<FitEffect>& effects,
                        const FitSettings& settings) {
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const FitParameter& q = parameters[p];
    const std::string what =
        fmt::format("calibrate fit: the data do not identify {}: over {} to {} the times change by "
                    "{:.3f} % on average",
                    q.key, q.text(q.low), q.text(q.high), 100.0 * effects[p].size);
    if (effects[p].size < settings.noise_floor) {
      throw UserError(
          fmt::format("{}, below the noise floor of {:.3f} %", what, 100.0 * settings.noise_floor),
          "leave it out, or add a table whose kernel it limits");
    }
    if (effects[p].size < settings.clear * effects[p].unevenness) {
      throw UserError(
          fmt::format(
              "{}, but by {:.3f} % already from {} to the value next to it; the whole range "
              "must change them {:.1f} times as much",
              what, 100.0 * effects[p].unevenness, q.text(q.start), settings.clear),
          "leave it out, or add a table whose kernel it limits");
    }
  }
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const Explained explained = explained_by_others(effects, p);
    if (explained.share > settings.collinear) {
      std::vector<std::string> names;
      for (const std::size_t q : explained.by) {
        names.push_back(parameters[q].key);
      }
      throw UserError(
          fmt::format("calibrate fit: the data do not tell {} apart from {}: {:.2f} % of its "
                      "effect on log(time) is theirs too; allowed: up to {:.0f} %",
                      parameters[p].key, fmt::join(names, " and "), 100.0 * explained.share,
                      100.0 * settings.collinear),
          "leave one of them out, or add a table on which they differ");
    }
  }
}

std::vector<double> compass_search(FitTrials& trials, std::vector<double> start) {
  double best = *trials.objective(start);
  const auto improves = [&](const std::vector<double>& to, double at_least) {
    const auto found = trials.objective(to);
    if (!found || *found >= at_least * best) {
      return false;
    }
    best = *found;
    start = to;
    return true;
  };
  // The direction that helped last is tried first.
  std::vector<double> direction(start.size(), 1.0);
  for (double step = kFirstStep; step >= kLastStep && !trials.exhausted();) {
    bool improved = false;
    for (std::size_t p = 0; p < start.size() && !trials.exhausted(); ++p) {
      for (const double sign : {direction[p], -direction[p]}) {
        std::vector<double> to = start;
        to[p] = std::clamp(to[p] + sign * step, 0.0, 1.0);
        if (improves(to, 1.0)) {
          direction[p] = sign;
          improved = true;
          break;
        }
      }
    }
    // Where no parameter helps alone, two may together.
    if (!improved && !improves(trials.joint_step(start, step), kWorthwhile)) {
      step /= 2.0;
    }
  }
  return start;
}

} // namespace coulomb::calibration
