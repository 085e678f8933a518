// SPDX-License-Identifier: Apache-2.0
#include "cli/search_plan.hpp"

#include "base/config/config_json.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/text.hpp"
#include "calibration/robust/robust_metrics.hpp"
#include "calibration/validation.hpp"
#include "cli/search_genes.hpp"
#include "cli/search_robust.hpp"
#include "search/driver/recorded_evaluations.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "search/engine/reference_output.hpp"
#include "search/objective/metric.hpp"
#include "search/store/evaluation_record.hpp"
#include "sim/power/power_metrics.hpp"
#include "sim/timing/counter_table.hpp"
#include "sim/timing/gpu/metrics.hpp"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace coulomb::cli {
namespace {

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

/// What the evaluations have.
std::vector<std::string> metric_names(const SearchOptions& options) {
  if (!options.silicon.empty()) {
    return {"time_ms", "cycles"};
  }
  std::vector<std::string> names = search::figure_names();
  names.emplace_back(timing::gpu::kElapsedCycles);
  for (const auto& counter : timing::counter_table()) {
    names.emplace_back(counter.name);
  }
  for (const auto& power : power::power_metrics()) {
    names.push_back(power.name);
  }
  if (options.robust > 0) {
    const auto robust = calibration::robust_metric_names();
    names.insert(names.end(), robust.begin(), robust.end());
  }
  return names;
}

/// A table that belongs to another kernel or board answers nothing.
void check_table(const SearchOptions& options,
                 const results::SiliconMetadata& table,
                 const kernel::TunableSpec& spec,
                 const config::GpuConfig& gpu) {
  const std::string& name = options.silicon.empty() ? options.ladder.silicon : options.silicon;
  if (gpu.id != table.gpu || spec.name != table.spec) {
    throw UserError(fmt::format("{} was measured with {} on {}, not with {} on {}", name,
                                table.spec, table.gpu, spec.name, gpu.id),
                    fmt::format("coulomb search {} --silicon replay:TABLE ...", table.spec));
  }
}

results::SiliconTable load_table(const std::string& name) {
  return results::SiliconTable::load(
      results::find_silicon_table(name, home_dir() + "/data/silicon"));
}

/// The configurations of `spec` that the table has.
search::SearchSpace measured_space(const kernel::TunableSpec& spec,
                                   const results::SiliconTable& table) {
  const search::SearchSpace all(spec);
  auto space = search::recorded_space(all, table);
  fmt::print(stderr, "{} of {} valid configurations were measured: these are searched\n",
             with_thousands(space.size()), with_thousands(all.size()));
  return space;
}

/// Recorded measurements answer, without the simulator.
SearchPlan plan_blind(SearchOptions& options, kernel::TunableSpec spec, search::Scorer scorer) {
  hw::ReplayDevice device(load_table(options.silicon));
  const auto& metadata = device.table().metadata;
  if (options.gpu.empty()) {
    options.gpu = metadata.gpu;
  }
  auto gpu = config::load_gpu(options.gpu, options.set);
  check_table(options, metadata, spec, gpu.config);
  auto space = measured_space(spec, device.table());
  return {std::move(spec), std::move(gpu), std::move(space), std::move(scorer), std::move(device)};
}

/// The simulator leads; recorded silicon follows. Simulated are the clocks and the cache state that
/// the table states, and only what it has an answer to.
SearchPlan plan_recorded(SearchOptions& options, kernel::TunableSpec spec, search::Scorer scorer) {
  constexpr std::string_view kReplay = "replay:";
  auto device = std::make_unique<hw::RecordedDevice>(
      load_table(options.ladder.silicon.substr(kReplay.size())));
  const auto& metadata = device->table().metadata;
  if (options.gpu.empty()) {
    options.gpu = metadata.gpu;
  }
  const auto clocks = calibration::clock_overrides(metadata);
  options.set.insert(options.set.begin(), clocks.begin(), clocks.end());
  auto gpu = config::load_gpu(options.gpu, options.set);
  check_table(options, metadata, spec, gpu.config);
  options.fidelity.cache_state = metadata.cache_state;
  options.fidelity = fidelity_on(options, gpu.config);
  auto space = measured_space(spec, device->table());
  auto draws = robust_draws(options, gpu.config);
  return {std::move(spec), std::move(gpu),    std::move(space), std::move(scorer),
          std::nullopt,    std::move(device), std::move(draws)};
}

SearchPlan plan_simulated(SearchOptions& options, kernel::TunableSpec spec, search::Scorer scorer) {
  auto gpu = config::load_gpu(options.gpu, options.set);
  options.fidelity = fidelity_on(options, gpu.config);
  add_gpu_genes(options.genes, gpu, spec);
  auto draws = robust_draws(options, gpu.config);
  search::SearchSpace space(spec);
  return {std::move(spec), std::move(gpu), std::move(space), std::move(scorer),
          std::nullopt,    nullptr,        std::move(draws)};
}

} // namespace

SearchPlan make_search_plan(SearchOptions& options) {
  search::Scorer scorer(options.objectives);
  check_robust_metrics(scorer.metrics(), options);
  search::check_metrics(scorer.metrics(), metric_names(options));
  kernel::TunableSpec spec = kernel::find_spec(options.spec);
  for (const std::string& warning : spec.warnings) {
    fmt::print(stderr, "warning: {}\n", warning);
  }
  if (!options.silicon.empty()) {
    return plan_blind(options, std::move(spec), std::move(scorer));
  }
  return options.ladder.silicon.starts_with("replay:")
             ? plan_recorded(options, std::move(spec), std::move(scorer))
             : plan_simulated(options, std::move(spec), std::move(scorer));
}

search::SearchHeader make_search_header(const SearchOptions& options, const SearchPlan& plan) {
  const kernel::TunableSpec& spec = plan.spec;
  search::SearchHeader header;
  header.version = COULOMB_VERSION;
  header.spec = spec.name;
  header.spec_path = options.spec;
  header.spec_hash = hash128_hex(read_file(spec.origin));
  header.source_hash = hash128_hex(read_file(spec.source_path));
  header.gpu = plan.gpu.config.id;
  header.gpu_argument = options.gpu;
  header.gpu_overrides = options.set;
  header.gpu_json = config::to_json_text(plan.gpu.config);
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
  if (const auto& island = options.cluster.island) {
    header.budget = island->share(options.budget);
    header.islands = island->count;
    header.island = island->index;
    header.topology = options.topology;
    header.migration_interval = options.cluster.migration_interval;
  }
  header.gpu_genes = options.genes;
  header.silicon = options.silicon;
  header.ladder = options.ladder.text();
  header.noise = options.noise;
  header.noise_draws = plan.draws;
  header.fidelity = options.fidelity;
  header.space_size = plan.space.size();
  for (const auto& parameter : spec.parameters) {
    header.parameters.push_back(parameter.name);
  }
  header.command = options.command;
  header.started = search::utc_now();
  return header;
}

search::EvaluatorOptions search_evaluator_options(const SearchOptions& options) {
  search::EvaluatorOptions evaluator;
  evaluator.jobs = options.jobs;
  evaluator.fidelity = options.fidelity;
  evaluator.compile_deadline_s = options.compile_timeout_s;
  evaluator.sim_deadline_s = options.sim_timeout_s;
  evaluator.predictions = options.predictions;
  return evaluator;
}

search::Strategy make_search_strategy(const SearchOptions& options, const SearchPlan& plan) {
  const auto& island = options.cluster.island;
  return search::find_strategy(options.strategy)
      .make(plan.space, {.seed = island ? island->seed(options.seed) : options.seed,
                         .lookahead = options.lookahead,
                         .first = plan.space.find(plan.spec.default_configuration()),
                         .fence = options.fence,
                         .islands = options.islands,
                         .topology = options.topology});
}

search::Progress::Style progress_style() {
  return ::isatty(STDERR_FILENO) != 0 ? search::Progress::Style::terminal
                                      : search::Progress::Style::lines;
}

void add_search_reference(const SearchPlan& plan,
                          const std::string& dir,
                          search::EvaluatorOptions& evaluator) {
  if (!search::needs_reference(plan.spec)) {
    return;
  }
  auto reference = search::run_default_configuration(
      plan.spec, plan.gpu.config, evaluator, (std::filesystem::path(dir) / "reference").string());
  fmt::print(stderr, "{}\n",
             reference.problem.empty()
                 ? "no oracle: outputs are compared with the default configuration's output"
                 : "outputs are not compared: " + reference.problem);
  evaluator.expected = std::move(reference.expected);
}

} // namespace coulomb::cli
