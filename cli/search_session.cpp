// SPDX-License-Identifier: Apache-2.0
#include "cli/search_session.hpp"

#include "search/cluster/island_exchange.hpp"
#include "search/cluster/session_monitor.hpp"
#include "search/driver/interruption.hpp"
#include "search/driver/recorded_evaluations.hpp"
#include "search/driver/search_driver.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <iostream>
#include <optional>

namespace coulomb::cli {
namespace {

using search::SearchStore;

constexpr const char* kStopping = "stopping; what is evaluated is saved";

void warn(const char* what, const std::string& problem) {
  if (!problem.empty()) {
    fmt::print(stderr, "warning: {}: {}\n", what, problem);
  }
}

std::string drive(const SearchOptions& options,
                  const SearchPlan& plan,
                  search::Evaluations evaluations,
                  search::MonitoredFigures figures,
                  const std::atomic<bool>& stop,
                  SearchStore& store) {
  search::SessionMonitor monitor(store.dir(), store.records().header, options.jobs,
                                 options.cluster.metrics, std::move(figures));
  search::Progress progress(std::cerr, progress_style(), store.records().header.budget);
  progress.listen([&](const auto& record, bool fresh) { monitor.count(record, fresh); });
  const auto next = [&, from = std::move(evaluations.next)] {
    auto evaluation = from();
    if (evaluation) {
      monitor.compiled(*evaluation);
    }
    return evaluation;
  };
  store.begin_session(options.jobs, options.command);
  std::optional<search::IslandExchange> exchange;
  search::SearchDriver driver(plan.space, store, {std::move(evaluations.submit), next}, plan.scorer,
                              stop, progress);
  if (options.cluster.island) {
    exchange.emplace(store, options.cluster.shared);
    driver.exchange_with(exchange->exchange());
  }
  const std::string stopped_by =
      driver.run(make_search_strategy(options, plan), store.records().header.budget);
  progress.finish();
  store.end_session(stopped_by);
  monitor.finish(stopped_by);
  warn("others cannot see all that this island found", exchange ? exchange->problem() : "");
  warn("status and metrics are not up to date", monitor.problem());
  return stopped_by;
}

void tell_predictions(const SearchOptions& options,
                      std::uint64_t answered,
                      const std::string& problem) {
  if (options.predictions.empty()) {
    return;
  }
  fmt::print(stderr, "{} simulations were answered from {}\n", answered, options.predictions);
  warn("not all simulations were kept there", problem);
}

} // namespace

std::string
run_search_session(const SearchOptions& options, const SearchPlan& plan, SearchStore& store) {
  if (plan.device) {
    search::Interruption interruption(kStopping);
    return drive(options, plan, search::recorded_evaluations(*plan.device, interruption.stop()), {},
                 interruption.stop(), store);
  }
  search::EvaluatorOptions evaluator_settings = search_evaluator_options(options);
  add_search_reference(plan, store.dir(), evaluator_settings);
  // It comes before the evaluator's threads, so that they inherit the blocked signals.
  search::Interruption interruption(kStopping, options.cluster.grace);
  const auto search_with = [&](auto& evaluator, auto& evaluations) {
    std::string stopped_by =
        drive(options, plan,
              {.submit = [&](const auto& candidate) { evaluations.submit(candidate); },
               .next = [&] { return evaluations.next(); }},
              {.busy_s = [&] { return std::optional(evaluator.pool_statistics().busy_s); },
               .predicted = [&] { return evaluator.predicted(); }},
              interruption.stop(), store);
    tell_predictions(options, evaluator.predicted(), evaluator.prediction_problem());
    return stopped_by;
  };
  if (!plan.draws.empty()) {
    calibration::PerturbedEvaluators evaluators(plan.spec, plan.gpu.config, plan.draws,
                                                evaluator_settings, interruption);
    return search_with(evaluators, evaluators.evaluations());
  }
  search::Evaluator evaluator(plan.spec, plan.gpu.config, evaluator_settings);
  const search::Interruption::Guard guard(interruption, evaluator);
  return search_with(evaluator, evaluator);
}

} // namespace coulomb::cli
