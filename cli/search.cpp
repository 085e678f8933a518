// SPDX-License-Identifier: Apache-2.0
#include "cli/search.hpp"

#include "base/text.hpp"
#include "cli/search_estimate.hpp"
#include "cli/search_inspect.hpp"
#include "cli/search_ladder.hpp"
#include "cli/search_plan.hpp"
#include "cli/search_report.hpp"
#include "cli/search_session.hpp"
#include "search/driver/interruption.hpp"
#include "search/driver/recorded_evaluations.hpp"
#include "search/store/export.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace coulomb::cli {
namespace {

using search::SearchStore;

std::string default_out(const SearchPlan& plan, std::uint64_t seed) {
  return (std::filesystem::path("runs") /
          fmt::format("{}-{}-s{}", plan.spec.name, plan.gpu.config.id, seed))
      .string();
}

/// Each island has a directory below the one they share, and they share what they simulated.
void place_island(SearchOptions& options) {
  if (!options.cluster.island) {
    return;
  }
  options.cluster.shared = options.out;
  options.out = search::island_dir(options.out, options.cluster.island->index);
  if (options.predictions.empty() && options.silicon.empty()) {
    options.predictions = (std::filesystem::path(options.cluster.shared) / "predictions").string();
  }
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
  place_island(options);
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
  const std::string stopped_by = climbs ? run_ladder_session(options, plan, store, ladder)
                                        : run_search_session(options, plan, store);
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
  return stopped_by == "signal" ? search::kInterruptedExit : nothing_ran ? 4 : 0;
}

} // namespace coulomb::cli
