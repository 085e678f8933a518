// SPDX-License-Identifier: Apache-2.0
#include "cli/search_ladder.hpp"

#include "base/error.hpp"
#include "base/eval/features.hpp"
#include "base/text.hpp"
#include "calibration/ladder/ladder_run.hpp"
#include "cli/search_gap_model.hpp"
#include "cli/search_silicon.hpp"
#include "cli/search_simulators.hpp"
#include "search/driver/interruption.hpp"
#include "search/driver/recorded_evaluations.hpp"
#include "search/driver/search_driver.hpp"

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

/// Candidates of each rung and batch such that every rung costs about what the search does.
std::size_t places(const SearchOptions& options, double cost, std::size_t rounds) {
  const double all = static_cast<double>(options.budget) / cost;
  return std::max<std::size_t>(1, static_cast<std::size_t>(all / static_cast<double>(rounds)));
}

std::vector<LadderRung> make_rungs(const SearchOptions& options,
                                   const SearchPlan& plan,
                                   LadderSimulators& simulators,
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

/// The simulator leads, silicon follows.
std::string with_simulator(const SearchOptions& options,
                           const SearchPlan& plan,
                           LadderSimulators& simulators,
                           SearchSilicon& silicon,
                           const std::atomic<bool>& stop,
                           search::SearchStore& store,
                           LadderOutcome& outcome) {
  const LadderOptions& ladder = options.ladder;
  const std::size_t rounds = (ladder.budget + ladder.batch - 1) / ladder.batch;
  auto gap = search_gap_model(ladder, plan.gpu.config.id, plan.spec.name, outcome.gap_own);
  outcome.gap_observations = gap ? gap->observations().size() : 0;
  Campaign campaign(campaign_settings(ladder), std::move(gap),
                    make_rungs(options, plan, simulators, rounds),
                    [&](const auto& candidate) { return silicon.measure(candidate); });
  search::Progress progress(std::cerr, progress_style(), options.budget);
  search::SearchDriver driver(plan.space, store, simulators.evaluations(), plan.scorer, stop,
                              progress);
  search::Strategy strategy = make_search_strategy(options, plan);
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
  std::string ended = run_ladder(parts, {.simulations = options.budget, .rounds = rounds});
  progress.finish();
  fill(campaign, outcome);
  return ended;
}

/// At other problem sizes the winner must not lose against the default configuration. Silicon that
/// was recorded knows one size only: then the simulator answers.
void guard_regressions(const SearchPlan& plan,
                       SearchSilicon& silicon,
                       LadderSimulators& simulators,
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
  search::EvaluatorOptions settings = search_evaluator_options(options);
  if (settings.predictions.empty()) { // so that a continued ladder does not climb its rungs again
    settings.predictions = (std::filesystem::path(store.dir()) / "predictions").string();
  }
  add_search_reference(plan, store.dir(), settings);
  // It comes before the evaluators' threads, so that they inherit the blocked signals.
  search::Interruption interruption("stopping; what is evaluated and measured is saved");
  SearchSilicon silicon(options, plan, store.dir(), interruption.stop());
  outcome.device = silicon.address();
  outcome.budget = options.ladder.budget;
  outcome.first_rung = options.fidelity.rung;
  if (plan.recorded) {
    outcome.optimum_ms =
        search::recorded_optimum(plan.space, hw::ReplayDevice(plan.recorded->table()));
  }
  store.begin_session(options.jobs, options.command);
  std::string ended;
  if (options.ladder.without.contains("simulator")) {
    ended = without_simulator(options, plan, silicon, outcome);
  } else {
    LadderSimulators simulators(options, plan, settings, interruption);
    ended = with_simulator(options, plan, simulators, silicon, interruption.stop(), store, outcome);
    if (ended != "signal" && options.ladder.extremes) {
      guard_regressions(plan, silicon, simulators, outcome);
    }
  }
  outcome.simulations = store.records().evaluations.size();
  store.end_session(ended);
  return ended;
}

} // namespace coulomb::cli
