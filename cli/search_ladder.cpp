// SPDX-License-Identifier: Apache-2.0
#include "cli/search_ladder.hpp"

#include "base/error.hpp"
#include "base/eval/features.hpp"
#include "base/text.hpp"
#include "calibration/ladder/ladder_run.hpp"
#include "calibration/ladder/robust_rung.hpp"
#include "calibration/robust/robust_metrics.hpp"
#include "cli/search_gap_model.hpp"
#include "cli/search_silicon.hpp"
#include "search/driver/interruption.hpp"
#include "search/driver/recorded_evaluations.hpp"
#include "search/driver/search_driver.hpp"
#include "search/driver/strategy_catalogue.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <limits>
#include <unistd.h>

namespace coulomb::cli {
namespace {

using namespace calibration;

/// Points of a space that a campaign without a simulator looks at.
constexpr std::size_t kMostUnsimulated = 4096;

/// Everything that simulates for one ladder.
class Simulators {
public:
  Simulators(const SearchOptions& options,
             const SearchPlan& plan,
             search::EvaluatorOptions settings,
             search::Interruption& interruption)
      : plan_(plan), settings_(std::move(settings)), interruption_(interruption),
        robust_options_(options) {
    first_.emplace(plan.spec, plan.gpu.config, settings_);
    guard_.emplace(interruption, *first_);
  }

  [[nodiscard]] search::Evaluations evaluations() {
    return {.submit = [this](const auto& candidate) { first_->submit(candidate); },
            .next = [this] { return first_->next(); }};
  }

  /// All SMs, the whole grid.
  [[nodiscard]] LadderRung chip_rung(std::size_t places) {
    return {"chip", places, static_cast<double>(plan_.gpu.config.sms) / settings_.fidelity.sms,
            [this](const auto& candidates) { return on_chip(candidates); }};
  }

  [[nodiscard]] LadderRung robust_rung(std::size_t places) {
    rung_.emplace(
        [this](const auto& configurations) {
          if (!perturbed_) { // its workers are idle until somebody gets here
            perturbed_.emplace(plan_.spec, plan_.gpu.config, plan_.draws, settings_, interruption_);
          }
          return perturbed_->evaluations().times(configurations);
        },
        robust_options_.robust_score, kCvarShare);
    return {"robust", places, static_cast<double>(plan_.draws.size()),
            [this](const auto& candidates) { return rung_->climb(candidates); }};
  }

  /// Both at another problem size.
  [[nodiscard]] std::optional<std::vector<SizedTime>>
  time_all(const kernel::TunableSpec& spec, const std::vector<kernel::Configuration>& all) {
    std::vector<SizedTime> times;
    const auto outcomes = evaluate(spec, settings_, all);
    for (const search::Evaluation& e : outcomes) {
      times.push_back({e.status, e.message, e.sim.time_ms});
    }
    return times.size() == all.size() ? std::optional(times) : std::nullopt;
  }

private:
  /// Fewer outcomes than configurations: it was interrupted.
  [[nodiscard]] std::vector<search::Evaluation>
  evaluate(const kernel::TunableSpec& spec,
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

  [[nodiscard]] std::optional<std::vector<RungOutcome>>
  on_chip(const std::vector<const LadderCandidate*>& candidates) {
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

  const SearchPlan& plan_;
  search::EvaluatorOptions settings_;
  search::Interruption& interruption_;
  const SearchOptions& robust_options_;
  std::optional<search::Evaluator> first_;
  std::optional<search::Interruption::Guard> guard_;
  std::optional<PerturbedEvaluators> perturbed_;
  std::optional<RobustRung> rung_;
};

/// Candidates of each rung and batch such that every rung costs about what the search does.
std::size_t places(const SearchOptions& options, double cost, std::size_t rounds) {
  const double all = static_cast<double>(options.budget) / cost;
  return std::max<std::size_t>(1, static_cast<std::size_t>(all / static_cast<double>(rounds)));
}

std::vector<LadderRung> make_rungs(const SearchOptions& options,
                                   const SearchPlan& plan,
                                   Simulators& simulators,
                                   std::size_t rounds) {
  std::vector<LadderRung> rungs;
  if (options.ladder.chip > 0) {
    rungs.push_back(simulators.chip_rung(options.ladder.chip));
  }
  if (!plan.draws.empty()) {
    rungs.push_back(
        simulators.robust_rung(places(options, static_cast<double>(plan.draws.size()), rounds)));
  }
  return rungs;
}

void tell(const CampaignRound& round, const Campaign& campaign) {
  const auto* best = campaign.best();
  std::string times;
  for (const SiliconRun& run : round.runs) {
    times += run.problem.empty()
                 ? fmt::format("  {:.5g} ms (expected {:.5g})", run.ms, run.expected_ms)
                 : fmt::format("  failed ({})", run.problem);
  }
  fmt::print(stderr, "silicon    {} of {} candidates measured:{}   best {}\n", round.runs.size(),
             round.candidates, times.empty() ? " none promises more than the noise" : times,
             best != nullptr ? fmt::format("{:.5g} ms", best->ms) : "none yet");
}

void fill(const Campaign& campaign, LadderOutcome& outcome) {
  outcome.runs = campaign.runs();
  for (const SiliconRun& run : campaign.runs()) {
    outcome.configurations.push_back(campaign.candidate(run.id).configuration());
  }
  for (const LadderRung& rung : campaign.rungs()) {
    outcome.rungs.push_back(rung.name);
    outcome.rung_costs.push_back(rung.cost);
  }
  outcome.agreements = rank_agreements(campaign, outcome.first_rung);
}

CampaignSettings campaign_settings(const LadderOptions& ladder) {
  return {.silicon_budget = ladder.budget, .batch = ladder.batch, .penalty = ladder.penalty};
}

/// Silicon alone leads: nothing is simulated, and the gap model learns times as if the simulator
/// said 1 ms of everything.
std::string without_simulator(const SearchOptions& options,
                              const SearchPlan& plan,
                              SearchSilicon& silicon,
                              LadderOutcome& outcome) {
  Campaign campaign(campaign_settings(options.ladder), GapModel::fit({}), {},
                    [&](const auto& candidate) { return silicon.measure(candidate); });
  RandomStream random(options.seed, "ladder.unsimulated", 0);
  const std::vector<double> unknown(eval::feature_table().size(),
                                    std::numeric_limits<double>::quiet_NaN());
  for (const search::Point point : plan.space.sample(kMostUnsimulated, random)) {
    const auto configuration = plan.space.configuration(point);
    campaign.add(
        {point, {plan.gpu.config.id, plan.spec.name, configuration, unknown}, 1.0, {}, {}});
  }
  const bool finished = run_rounds(campaign, [&](const CampaignRound& round) {
    outcome.rounds.push_back(round);
    tell(round, campaign);
  });
  fill(campaign, outcome);
  return finished ? "budget" : "signal";
}

/// At other problem sizes the winner must not lose against the default configuration. Silicon that
/// was recorded knows one size only: then the simulator answers.
void guard_regressions(const SearchPlan& plan,
                       SearchSilicon& silicon,
                       Simulators& simulators,
                       LadderOutcome& outcome) {
  const auto best = outcome.best();
  const auto reference = plan.spec.default_configuration();
  if (!best || outcome.configurations[*best] == reference) {
    return;
  }
  const auto on_silicon = [&](const kernel::TunableSpec& spec, const auto& configurations) {
    std::vector<SizedTime> times;
    for (const auto& configuration : configurations) {
      const auto measured = silicon.gpu()->measure(spec, configuration);
      times.push_back({measured.status, measured.message, silicon_run(measured).ms});
    }
    return std::optional(times);
  };
  const auto simulated = [&](const auto& spec, const auto& configurations) {
    return simulators.time_all(spec, configurations);
  };
  outcome.extremes_on = silicon.gpu() != nullptr ? "silicon" : "simulator";
  outcome.extremes =
      try_extremes(plan.spec, outcome.configurations[*best], reference,
                   silicon.gpu() != nullptr ? TimeBoth(on_silicon) : TimeBoth(simulated))
          .value_or(std::vector<ExtremeResult>());
}

} // namespace

std::optional<std::size_t> LadderOutcome::best() const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].problem.empty() && (!best || runs[i].ms < runs[*best].ms)) {
      best = i;
    }
  }
  return best;
}

std::string run_ladder_session(const SearchOptions& options,
                               const SearchPlan& plan,
                               search::SearchStore& store,
                               LadderOutcome& outcome) {
  const LadderOptions& ladder = options.ladder;
  search::EvaluatorOptions settings = search_evaluator_options(options);
  if (settings.predictions.empty()) { // so that a continued ladder does not climb its rungs again
    settings.predictions = (std::filesystem::path(store.dir()) / "predictions").string();
  }
  add_search_reference(plan, store.dir(), settings);
  // It comes before the evaluators' threads, so that they inherit the blocked signals.
  search::Interruption interruption("stopping; what is evaluated and measured is saved");
  SearchSilicon silicon(options, plan, store.dir(), interruption.stop());
  outcome.device = silicon.address();
  outcome.budget = ladder.budget;
  outcome.first_rung = options.fidelity.rung;
  if (plan.recorded) {
    outcome.optimum_ms =
        search::recorded_optimum(plan.space, hw::ReplayDevice(plan.recorded->table()));
  }
  store.begin_session(options.jobs, options.command);
  if (ladder.without.contains("simulator")) {
    std::string ended = without_simulator(options, plan, silicon, outcome);
    store.end_session(ended);
    return ended;
  }
  const std::size_t rounds = (ladder.budget + ladder.batch - 1) / ladder.batch;
  Simulators simulators(options, plan, settings, interruption);
  auto gap = search_gap_model(ladder, plan.gpu.config.id, plan.spec.name, outcome.gap_own);
  outcome.gap_observations = gap ? gap->observations().size() : 0;
  Campaign campaign(campaign_settings(ladder), std::move(gap),
                    make_rungs(options, plan, simulators, rounds),
                    [&](const auto& candidate) { return silicon.measure(candidate); });
  const auto style = ::isatty(STDERR_FILENO) != 0 ? search::Progress::Style::terminal
                                                  : search::Progress::Style::lines;
  search::Progress progress(std::cerr, style, options.budget);
  search::SearchDriver driver(plan.space, store, simulators.evaluations(), plan.scorer,
                              interruption.stop(), progress);
  search::Strategy strategy =
      search::find_strategy(options.strategy)
          .make(plan.space, {.seed = options.seed,
                             .lookahead = options.lookahead,
                             .first = plan.space.find(plan.spec.default_configuration()),
                             .fence = options.fence,
                             .islands = options.islands,
                             .topology = options.topology});
  LadderParts parts{.driver = driver,
                    .strategy = strategy,
                    .store = store,
                    .campaign = campaign,
                    .board = plan.gpu.config.id,
                    .spec = plan.spec.name,
                    .finished = [&](const CampaignRound& round) {
                      outcome.rounds.push_back(round);
                      progress.finish();
                      tell(round, campaign);
                    }};
  const std::string ended = run_ladder(parts, {.simulations = options.budget, .rounds = rounds});
  progress.finish();
  fill(campaign, outcome);
  if (ended != "signal" && ladder.extremes) {
    guard_regressions(plan, silicon, simulators, outcome);
  }
  outcome.simulations = store.records().evaluations.size();
  store.end_session(ended);
  return ended;
}

} // namespace coulomb::cli
