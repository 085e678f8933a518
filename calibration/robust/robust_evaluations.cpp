// SPDX-License-Identifier: Apache-2.0
#include "calibration/robust/robust_evaluations.hpp"

#include "base/error.hpp"
#include "calibration/robust/robust_metrics.hpp"

#include <cmath>
#include <utility>

namespace coulomb::calibration {
namespace {

using eval::EvalStatus;
using search::Evaluation;

constexpr std::size_t kStated = 0; ///< channel

/// The status, where an ok one without a time is none that a score could use.
EvalStatus fate_of(const Evaluation& e) {
  const bool usable = std::isfinite(e.sim.time_ms) && e.sim.time_ms > 0.0;
  return e.status == EvalStatus::ok && !usable ? EvalStatus::wrong_result : e.status;
}

/// Why there is no time to use.
std::string problem_of(const Evaluation& e) {
  return e.status == EvalStatus::ok
             ? fmt::format("the simulation ended with time_ms = {}", e.sim.time_ms)
             : e.message;
}

RobustTimes times_of(const std::vector<Evaluation>& draws) {
  RobustTimes times{.status = EvalStatus::ok, .message = {}, .times_ms = {}};
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const Evaluation& draw = draws[k];
    if (fate_of(draw) != EvalStatus::ok) {
      return {.status = fate_of(draw),
              .message = fmt::format("under draw {} of {} of the model noise: {}", k + 1,
                                     draws.size(), problem_of(draw)),
              .times_ms = {}};
    }
    times.times_ms.push_back(draw.sim.time_ms);
  }
  return times;
}

/// The evaluation on the stated GPU and what the draws add to it.
Evaluation combined(Evaluation stated, const std::vector<Evaluation>& draws, const RobustTimes& t) {
  for (const Evaluation& draw : draws) {
    stated.compile_s += draw.compile_s;
    stated.sim_s += draw.sim_s;
  }
  stated.status = t.status;
  stated.message = t.message;
  if (t.status == EvalStatus::ok) {
    stated.sim.counters.merge(robust_metrics(t.times_ms));
  }
  return stated;
}

/// The stated GPU's channel, then those of the draws.
std::vector<GpuEvaluations> in_order(GpuEvaluations stated, std::vector<GpuEvaluations> draws) {
  COULOMB_CHECK(!draws.empty(), "no draws");
  draws.insert(draws.begin(), std::move(stated));
  return draws;
}

} // namespace

RobustEvaluations::RobustEvaluations(GpuEvaluations stated, std::vector<GpuEvaluations> draws)
    : channels_(in_order(std::move(stated), std::move(draws))) {}

void RobustEvaluations::submit(const search::Candidate& candidate) {
  channels_.send(kStated, candidate);
}

std::optional<RobustEvaluations::Outcome> RobustEvaluations::next_outcome() {
  while (auto arrival = channels_.next()) {
    Evaluation& e = arrival->evaluation;
    if (arrival->channel == kStated) {
      if (const EvalStatus fate = fate_of(e); fate != EvalStatus::ok) {
        RobustTimes none{.status = fate, .message = problem_of(e), .times_ms = {}};
        return Outcome{std::move(e), std::move(none)};
      }
      const search::Candidate candidate{e.id, e.configuration};
      const std::size_t draws = channels_.count() - 1;
      under_draws_[e.id] = {std::move(e), std::vector<Evaluation>(draws), draws};
      for (std::size_t c = 1; c < channels_.count(); ++c) {
        channels_.send(c, candidate);
      }
      continue;
    }
    const auto at = under_draws_.find(e.id);
    COULOMB_CHECK(at != under_draws_.end(), "candidate {} was not being evaluated", e.id);
    at->second.draws[arrival->channel - 1] = std::move(e);
    if (--at->second.missing > 0) {
      continue;
    }
    const UnderDraws done = std::move(under_draws_.extract(at).mapped());
    RobustTimes times = times_of(done.draws);
    Evaluation evaluation = combined(done.stated, done.draws, times);
    return Outcome{std::move(evaluation), std::move(times)};
  }
  under_draws_.clear(); // the rest was dropped
  return std::nullopt;
}

std::optional<Evaluation> RobustEvaluations::next() {
  auto outcome = next_outcome();
  return outcome ? std::optional(std::move(outcome->evaluation)) : std::nullopt;
}

std::optional<std::vector<RobustTimes>>
RobustEvaluations::times(const std::vector<kernel::Configuration>& configurations) {
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    submit({i, configurations[i]});
  }
  std::vector<RobustTimes> all(configurations.size());
  for (std::size_t known = 0; known < configurations.size(); ++known) {
    auto outcome = next_outcome();
    if (!outcome) {
      return std::nullopt;
    }
    all.at(outcome->evaluation.id) = std::move(outcome->times);
  }
  return all;
}

} // namespace coulomb::calibration
