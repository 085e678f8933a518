// SPDX-License-Identifier: Apache-2.0
#include "cli/search.hpp"

#include "base/text.hpp"
#include "cli/search_estimate.hpp"
#include "cli/search_inspect.hpp"
#include "cli/search_ladder.hpp"
#include "cli/search_plan.hpp"
#include "cli/search_report.hpp"
#include "search/driver/interruption.hpp"
#include "search/driver/recorded_evaluations.hpp"
#include "search/driver/search_driver.hpp"
#include "search/store/export.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>

namespace coulomb::cli {
namespace {

using search::SearchStore;

std::string default_out(const SearchPlan& plan, std::uint64_t seed) {
  return (std::filesystem::path("runs") /
          fmt::format("{}-{}-s{}", plan.spec.name, plan.gpu.config.id, seed))
      .string();
}

std::string drive(const SearchOptions& options,
                  const SearchPlan& plan,
                  search::Evaluations evaluations,
                  const std::atomic<bool>& stop,
                  SearchStore& store) {
  search::Progress progress(std::cerr, progress_style(), options.budget);
  store.begin_session(options.jobs, options.command);
  search::SearchDriver driver(plan.space, store, std::move(evaluations), plan.scorer, stop,
                              progress);
  const std::string stopped_by = driver.run(make_search_strategy(options, plan), options.budget);
  progress.finish();
  store.end_session(stopped_by);
  return stopped_by;
}

void tell_predictions(const SearchOptions& options,
                      std::uint64_t answered,
                      const std::string& problem) {
  if (options.predictions.empty()) {
    return;
  }
  fmt::print(stderr, "{} simulations were answered from {}\n", answered, options.predictions);
  if (!problem.empty()) {
    fmt::print(stderr, "warning: not all simulations were kept there: {}\n", problem);
  }
}

/// Everything between the first and the last worker process of one search.
std::string run_session(const SearchOptions& options, const SearchPlan& plan, SearchStore& store) {
  constexpr const char* kStopping = "stopping; what is evaluated is saved";
  if (plan.device) {
    search::Interruption interruption(kStopping);
    return drive(options, plan, search::recorded_evaluations(*plan.device, interruption.stop()),
                 interruption.stop(), store);
  }
  search::EvaluatorOptions evaluator_settings = search_evaluator_options(options);
  add_search_reference(plan, store.dir(), evaluator_settings);
  // It comes before the evaluator's threads, so that they inherit the blocked signals.
  search::Interruption interruption(kStopping);
  const auto search_with = [&](auto& evaluator, auto& evaluations) {
    std::string stopped_by =
        drive(options, plan,
              {.submit = [&](const auto& candidate) { evaluations.submit(candidate); },
               .next = [&] { return evaluations.next(); }},
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

} // namespace

int run_search(const std::vector<std::string>& args) {
  if (!args.empty() && is_inspection(args.front())) {
    return run_inspection(args);
  }
  SearchOptions options = parse_search_options(args);
  if (options.help) {
    fmt::print("{}", search_help());
    return 0;
  }
  const SearchPlan plan = make_search_plan(options);
  if (options.out.empty()) {
    options.out = default_out(plan, options.seed);
  }
  if (options.lookahead < options.jobs) {
    fmt::print(stderr,
               "at most {} of {} workers can be busy: --lookahead {} would feed them all, but "
               "leads to another search\n",
               options.lookahead, options.jobs, options.jobs);
  }
  if (options.dry_run) {
    search::EvaluatorOptions settings = search_evaluator_options(options);
    search::Interruption interruption("stopping");
    search::Evaluator evaluator(plan.spec, plan.gpu.config, settings);
    const search::Interruption::Guard guard(interruption, evaluator);
    return estimate_search(options, plan.spec, plan.space, evaluator);
  }
  const search::SearchHeader header = make_search_header(options, plan);
  SearchStore store = options.resume ? SearchStore::resume(options.out, header)
                                     : SearchStore::create(options.out, header);
  const std::size_t before = store.records().evaluations.size();
  const auto start = std::chrono::steady_clock::now();
  LadderOutcome ladder;
  const bool climbs = !options.ladder.silicon.empty();
  const std::string stopped_by =
      climbs ? run_ladder_session(options, plan, store, ladder) : run_session(options, plan, store);
  const auto& records = store.records();
  const SearchReportInput input{
      .dir = options.out,
      .wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
      .fresh = records.evaluations.size() - before,
      .optimum_ms = plan.device ? search::recorded_optimum(plan.space, *plan.device) : std::nullopt,
      .ladder = climbs ? &ladder : nullptr};
  const std::string json = search_json(records, input);
  const std::filesystem::path dir(options.out);
  results::write_hdf5((dir / "search.h5").string(), search::export_hdf5(records));
  write_file_atomically((dir / "result.json").string(), json);
  fmt::print("{}", options.json ? json : search_text(records, input));
  const bool nothing_ran =
      climbs ? !ladder.best().has_value() : search::summarise(records.evaluations).ok() == 0;
  return nothing_ran && stopped_by != "signal" ? 4 : 0;
}

} // namespace coulomb::cli
