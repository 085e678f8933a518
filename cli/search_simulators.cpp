// SPDX-License-Identifier: Apache-2.0
#include "cli/search_simulators.hpp"

#include "calibration/robust/robust_metrics.hpp"

#include <cmath>
#include <fmt/format.h>

namespace coulomb::cli {

using namespace calibration;

LadderSimulators::LadderSimulators(const SearchOptions& options,
                                   const SearchPlan& plan,
                                   const search::EvaluatorOptions& settings,
                                   search::Interruption& interruption)
    : options_(options), plan_(plan), settings_(settings), interruption_(interruption),
      first_(plan.spec, plan.gpu.config, settings), guard_(interruption, first_) {}

search::Evaluations LadderSimulators::evaluations() {
  return {.submit = [this](const auto& candidate) { first_.submit(candidate); },
          .next = [this] { return first_.next(); }};
}

LadderRung LadderSimulators::chip_rung(std::size_t places) {
  return {"chip", places, static_cast<double>(plan_.gpu.config.sms) / settings_.fidelity.sms,
          [this](const auto& candidates) { return on_chip(candidates); }};
}

LadderRung LadderSimulators::robust_rung(std::size_t places) {
  rung_.emplace(
      [this](const auto& configurations) {
        if (!perturbed_) {
          perturbed_.emplace(plan_.spec, plan_.gpu.config, plan_.draws, settings_, interruption_);
        }
        return perturbed_->evaluations().times(configurations);
      },
      options_.robust_score, kCvarShare);
  return {"robust", places, static_cast<double>(plan_.draws.size()),
          [this](const auto& candidates) { return rung_->climb(candidates); }};
}

std::optional<std::vector<SizedTime>>
LadderSimulators::time_all(const kernel::TunableSpec& spec,
                           const std::vector<kernel::Configuration>& all) {
  std::vector<SizedTime> times;
  for (const search::Evaluation& e : evaluate(spec, settings_, all)) {
    times.push_back({e.status, e.message, e.sim.time_ms});
  }
  return times.size() == all.size() ? std::optional(times) : std::nullopt;
}

std::vector<search::Evaluation>
LadderSimulators::evaluate(const kernel::TunableSpec& spec,
                           const search::EvaluatorOptions& settings,
                           const std::vector<kernel::Configuration>& configurations) {
  search::Evaluator evaluator(spec, plan_.gpu.config, settings);
  const search::Interruption::Guard guard(interruption_, evaluator);
  std::vector<search::Candidate> candidates;
  for (const auto& configuration : configurations) {
    candidates.push_back({candidates.size(), configuration});
  }
  std::vector<search::Evaluation> outcomes;
  evaluator.evaluate(candidates, [&](const auto& e) { outcomes.push_back(e); });
  return outcomes;
}

std::optional<std::vector<RungOutcome>>
LadderSimulators::on_chip(const std::vector<const LadderCandidate*>& candidates) {
  search::EvaluatorOptions settings = settings_;
  settings.fidelity.rung = "chip";
  settings.fidelity.sms = plan_.gpu.config.sms;
  std::vector<kernel::Configuration> configurations;
  for (const auto* candidate : candidates) {
    configurations.push_back(candidate->configuration());
  }
  const auto outcomes = evaluate(plan_.spec, settings, configurations);
  if (outcomes.size() < candidates.size()) {
    return std::nullopt;
  }
  std::vector<RungOutcome> out;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    RungOutcome& outcome = out.emplace_back();
    if (outcomes[i].status != eval::EvalStatus::ok) {
      outcome.problem =
          fmt::format("{}: {}", eval::to_string(outcomes[i].status), outcomes[i].message);
    } else {
      outcome.log_factor = std::log(outcomes[i].sim.time_ms / candidates[i]->sim_ms);
    }
  }
  return out;
}

} // namespace coulomb::cli
