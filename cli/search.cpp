// SPDX-License-Identifier: Apache-2.0
#include "cli/search.hpp"

#include "base/config/config_json.hpp"
#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/text.hpp"
#include "cli/search_estimate.hpp"
#include "cli/search_genes.hpp"
#include "cli/search_inspect.hpp"
#include "cli/search_options.hpp"
#include "cli/search_report.hpp"
#include "search/driver/interruption.hpp"
#include "search/driver/recorded_evaluations.hpp"
#include "search/driver/search_driver.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "search/engine/reference_output.hpp"
#include "search/objective/metric.hpp"
#include "search/store/export.hpp"
#include "sim/timing/counter_table.hpp"
#include "sim/timing/gpu/metrics.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <unistd.h>

namespace coulomb::cli {
namespace {

using search::SearchHeader;
using search::SearchStore;

SearchHeader make_header(const SearchOptions& options,
                         const kernel::TunableSpec& spec,
                         const config::ResolvedGpu& gpu,
                         const search::SearchSpace& space) {
  SearchHeader header;
  header.version = COULOMB_VERSION;
  header.spec = spec.name;
  header.spec_path = options.spec;
  header.spec_hash = hash128_hex(read_file(spec.origin));
  header.source_hash = hash128_hex(read_file(spec.source_path));
  header.gpu = gpu.config.id;
  header.gpu_argument = options.gpu;
  header.gpu_overrides = options.set;
  header.gpu_json = config::to_json_text(gpu.config);
  header.gpu_hash = hash128_hex(header.gpu_json);
  header.seed = options.seed;
  header.budget = options.budget;
  header.strategy = options.strategy;
  header.lookahead = options.lookahead;
  header.objectives = options.objectives;
  header.fence = options.fence;
  if (search::find_strategy(options.strategy).islands) {
    header.islands = options.islands;
    header.topology = options.topology;
  }
  header.gpu_genes = options.genes;
  header.silicon = options.silicon;
  header.fidelity = options.fidelity;
  header.space_size = space.size();
  for (const auto& parameter : spec.parameters) {
    header.parameters.push_back(parameter.name);
  }
  header.command = options.command;
  header.started = search::utc_now();
  return header;
}

/// The reference of a kernel without an oracle: the default configuration's output, which stays in
/// the search directory. Computed before the search, so it depends on neither jobs nor order.
void add_reference(const kernel::TunableSpec& spec,
                   const config::ResolvedGpu& gpu,
                   const std::string& dir,
                   search::EvaluatorOptions& evaluator) {
  if (!search::needs_reference(spec)) {
    return;
  }
  auto reference = search::run_default_configuration(
      spec, gpu.config, evaluator, (std::filesystem::path(dir) / "reference").string());
  fmt::print(stderr, "{}\n",
             reference.problem.empty()
                 ? "no oracle: outputs are compared with the default configuration's output"
                 : "outputs are not compared: " + reference.problem);
  evaluator.expected = std::move(reference.expected);
}

search::EvaluatorOptions evaluator_options(const SearchOptions& options) {
  search::EvaluatorOptions evaluator;
  evaluator.jobs = options.jobs;
  evaluator.fidelity = options.fidelity;
  evaluator.compile_deadline_s = options.compile_timeout_s;
  evaluator.sim_deadline_s = options.sim_timeout_s;
  evaluator.predictions = options.predictions;
  evaluator.seed = options.seed;
  return evaluator;
}

std::string
default_out(const kernel::TunableSpec& spec, const config::ResolvedGpu& gpu, std::uint64_t seed) {
  return (std::filesystem::path("runs") / fmt::format("{}-{}-s{}", spec.name, gpu.config.id, seed))
      .string();
}

/// The fidelity of `options` on this GPU. Throws UserError if it has fewer SMs than are asked for.
eval::Fidelity fidelity_on(const SearchOptions& options, const config::GpuConfig& gpu) {
  eval::Fidelity fidelity = options.fidelity;
  if (fidelity.rung == "chip") {
    fidelity.sms = gpu.sms;
  } else if (fidelity.sms > gpu.sms) {
    throw UserError(fmt::format("search: --sms is {}; {} has {} SMs, allowed: 1 to {}",
                                fidelity.sms, gpu.id, gpu.sms, gpu.sms));
  }
  return fidelity;
}

/// What simulated evaluations have, or recorded ones.
std::vector<std::string> metric_names(bool recorded) {
  if (recorded) {
    return {"time_ms", "cycles"};
  }
  std::vector<std::string> names = search::figure_names();
  names.emplace_back(timing::gpu::kElapsedCycles);
  for (const auto& counter : timing::counter_table()) {
    names.emplace_back(counter.name);
  }
  return names;
}

/// One search, ready to run.
struct Plan {
  kernel::TunableSpec spec;
  config::ResolvedGpu gpu;
  search::SearchSpace space;
  search::Scorer scorer;
  std::optional<hw::ReplayDevice> device; ///< answers instead of the simulator
};

Plan make_plan(SearchOptions& options) {
  search::Scorer scorer(options.objectives);
  search::check_metrics(scorer.metrics(), metric_names(!options.silicon.empty()));
  kernel::TunableSpec spec = kernel::find_spec(options.spec);
  for (const std::string& warning : spec.warnings) {
    fmt::print(stderr, "warning: {}\n", warning);
  }
  if (options.silicon.empty()) {
    auto gpu = config::load_gpu(options.gpu, options.set);
    options.fidelity = fidelity_on(options, gpu.config);
    add_gpu_genes(options.genes, gpu, spec);
    return {spec, std::move(gpu), search::SearchSpace(spec), std::move(scorer), std::nullopt};
  }
  hw::ReplayDevice device(results::SiliconTable::load(
      results::find_silicon_table(options.silicon, home_dir() + "/data/silicon")));
  const auto& metadata = device.table().metadata;
  if (options.gpu.empty()) {
    options.gpu = metadata.gpu;
  }
  auto gpu = config::load_gpu(options.gpu, options.set);
  if (gpu.config.id != metadata.gpu || spec.name != metadata.spec) {
    throw UserError(fmt::format("{} was measured with {} on {}, not with {} on {}", options.silicon,
                                metadata.spec, metadata.gpu, spec.name, gpu.config.id),
                    fmt::format("coulomb search {} --silicon replay:TABLE --blind", metadata.spec));
  }
  const search::SearchSpace all(spec);
  auto space = search::recorded_space(all, device.table());
  fmt::print(stderr, "{} of {} valid configurations were measured: these are searched\n",
             with_thousands(space.size()), with_thousands(all.size()));
  return {spec, std::move(gpu), std::move(space), std::move(scorer), std::move(device)};
}

std::string drive(const SearchOptions& options,
                  const Plan& plan,
                  search::Evaluations evaluations,
                  const std::atomic<bool>& stop,
                  SearchStore& store) {
  const auto style = ::isatty(STDERR_FILENO) != 0 ? search::Progress::Style::terminal
                                                  : search::Progress::Style::lines;
  search::Progress progress(std::cerr, style, options.budget);
  store.begin_session(options.jobs, options.command);
  search::SearchDriver driver(plan.space, store, std::move(evaluations), plan.scorer, stop,
                              progress);
  const search::StrategyStart start{.seed = options.seed,
                                    .lookahead = options.lookahead,
                                    .first = plan.space.find(plan.spec.default_configuration()),
                                    .fence = options.fence,
                                    .islands = options.islands,
                                    .topology = options.topology};
  const std::string stopped_by =
      driver.run(search::find_strategy(options.strategy).make(plan.space, start), options.budget);
  progress.finish();
  store.end_session(stopped_by);
  return stopped_by;
}

/// Everything between the first and the last worker process of one search.
std::string run_session(const SearchOptions& options, const Plan& plan, SearchStore& store) {
  constexpr const char* kStopping = "stopping; what is evaluated is saved";
  if (plan.device) {
    search::Interruption interruption(kStopping);
    return drive(options, plan, search::recorded_evaluations(*plan.device, interruption.stop()),
                 interruption.stop(), store);
  }
  search::EvaluatorOptions evaluator_settings = evaluator_options(options);
  add_reference(plan.spec, plan.gpu, store.dir(), evaluator_settings);
  // It comes before the evaluator's threads, so that they inherit the blocked signals.
  search::Interruption interruption(kStopping);
  search::Evaluator evaluator(plan.spec, plan.gpu.config, evaluator_settings);
  const search::Interruption::Guard guard(interruption, evaluator);
  const std::string stopped_by =
      drive(options, plan,
            {.submit = [&](const auto& candidate) { evaluator.submit(candidate); },
             .next = [&] { return evaluator.next(); }},
            interruption.stop(), store);
  if (!options.predictions.empty()) {
    fmt::print(stderr, "{} simulations were answered from {}\n", evaluator.predicted(),
               options.predictions);
    if (const std::string problem = evaluator.prediction_problem(); !problem.empty()) {
      fmt::print(stderr, "warning: not all simulations were kept there: {}\n", problem);
    }
  }
  return stopped_by;
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
  const Plan plan = make_plan(options);
  if (options.out.empty()) {
    options.out = default_out(plan.spec, plan.gpu, options.seed);
  }
  if (options.lookahead < options.jobs) {
    fmt::print(stderr,
               "at most {} of {} workers can be busy: --lookahead {} would feed them all, but "
               "leads to another search\n",
               options.lookahead, options.jobs, options.jobs);
  }
  if (options.dry_run) {
    search::EvaluatorOptions settings = evaluator_options(options);
    search::Interruption interruption("stopping");
    search::Evaluator evaluator(plan.spec, plan.gpu.config, settings);
    const search::Interruption::Guard guard(interruption, evaluator);
    return estimate_search(options, plan.spec, plan.space, evaluator);
  }
  const SearchHeader header = make_header(options, plan.spec, plan.gpu, plan.space);
  SearchStore store = options.resume ? SearchStore::resume(options.out, header)
                                     : SearchStore::create(options.out, header);
  const std::size_t before = store.records().evaluations.size();
  const auto start = std::chrono::steady_clock::now();
  const std::string stopped_by = run_session(options, plan, store);
  const auto& records = store.records();
  const SearchReportInput input{
      .dir = options.out,
      .wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(),
      .fresh = records.evaluations.size() - before,
      .optimum_ms =
          plan.device ? search::recorded_optimum(plan.space, *plan.device) : std::nullopt};
  const std::string json = search_json(records, input);
  const std::filesystem::path dir(options.out);
  results::write_hdf5((dir / "search.h5").string(), search::export_hdf5(records));
  write_file_atomically((dir / "result.json").string(), json);
  fmt::print("{}", options.json ? json : search_text(records, input));
  const bool nothing_ran = search::summarise(records.evaluations).ok() == 0;
  return nothing_ran && stopped_by != "signal" ? 4 : 0;
}

} // namespace coulomb::cli
