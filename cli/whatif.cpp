// SPDX-License-Identifier: Apache-2.0
#include "cli/whatif.hpp"

#include "base/config/config_json.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/kernel/spec_lookup.hpp"
#include "base/text.hpp"
#include "cli/axis.hpp"
#include "cli/search_plan.hpp"
#include "cli/whatif_islands.hpp"
#include "cli/whatif_options.hpp"
#include "cli/whatif_report.hpp"
#include "search/driver/search_driver.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "search/objective/metric.hpp"
#include "search/objective/ranking.hpp"
#include "search/strategy/strategy_start.hpp"
#include "search/whatif/analysis.hpp"
#include "search/whatif/design_evaluations.hpp"
#include "search/whatif/feasibility.hpp"
#include "search/whatif/study_page.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <iostream>
#include <map>

namespace coulomb::cli {
namespace {

using kernel::Configuration;
using search::EvaluationRecord;

/// A study ready to run.
struct Plan {
  config::ResolvedGpu gpu;
  kernel::TunableSpec genes;
  search::SearchSpace space;
  search::ObjectiveSettings objectives;
  search::Scorer scorer;
};

Plan make_plan(const search::Study& study) {
  auto gpu = config::load_gpu(study.gpu, study.set);
  auto genes = search::design_spec(study, gpu);
  search::SearchSpace space(genes);
  search::ObjectiveSettings objectives;
  objectives.objectives = study.objectives;
  search::Scorer scorer(objectives);
  std::vector<std::string> known = search::figure_names();
  std::erase(known, "registers"); // a kernel's, not a design's
  search::check_metrics(scorer.metrics(), known);
  return {std::move(gpu), std::move(genes), std::move(space), std::move(objectives),
          std::move(scorer)};
}

std::string strategy_name(const Plan& plan) {
  return std::string(plan.scorer.count() > 1 ? search::kDefaultFrontStrategy
                                             : search::kDefaultStrategy);
}

search::SearchHeader make_header(const WhatIfOptions& options, const Plan& plan) {
  const search::Study& study = options.study;
  search::SearchHeader header;
  header.version = COULOMB_VERSION;
  header.spec = "whatif:" + study.name;
  header.spec_path = study.path;
  header.spec_hash = hash128_hex(read_file(study.path));
  std::string sources;
  for (const auto& kernel : study.kernels) {
    const auto spec = kernel::find_spec(kernel.spec);
    sources += read_file(spec.origin) + read_file(spec.source_path);
  }
  header.source_hash = hash128_hex(sources);
  header.gpu = plan.gpu.config.id;
  header.gpu_argument = study.gpu;
  header.gpu_overrides = study.set;
  header.gpu_json = config::to_json_text(plan.gpu.config);
  header.gpu_hash = hash128_hex(header.gpu_json);
  header.seed = study.seed;
  header.budget = study.budget;
  header.strategy = strategy_name(plan);
  header.lookahead = search::default_lookahead(study.budget);
  header.objectives = plan.objectives;
  header.fidelity.sms = options.sms;
  header.space_size = plan.space.size();
  for (const auto& parameter : plan.genes.parameters) {
    header.parameters.push_back(parameter.name);
  }
  header.command = options.command;
  header.started = search::utc_now();
  return header;
}

/// Evaluates designs outside the search; what was evaluated before is not done again.
class Designs {
public:
  Designs(search::DesignEvaluations& evaluations, const search::Scorer& scorer)
      : evaluations_(evaluations), scorer_(scorer) {}

  void know(const EvaluationRecord& record) { known_[record.configuration.key()] = record; }

  std::vector<EvaluationRecord> operator()(const std::vector<Configuration>& designs) {
    std::size_t out = 0;
    for (const Configuration& design : designs) {
      if (!known_.contains(design.key()) && !asked_.contains(design.key())) {
        asked_[design.key()] = true;
        evaluations_.submit({next_id_++, design});
        ++out;
      }
    }
    if (out > 0) {
      fmt::print(stderr, "analysis: {} more design{}\n", out, out == 1 ? "" : "s");
    }
    for (; out > 0; --out) {
      const auto evaluation = evaluations_.next();
      if (!evaluation) {
        return {};
      }
      know(search::make_record(*evaluation, "analysis", scorer_));
    }
    std::vector<EvaluationRecord> records;
    for (const Configuration& design : designs) {
      records.push_back(known_.at(design.key()));
    }
    return records;
  }

private:
  search::DesignEvaluations& evaluations_;
  const search::Scorer& scorer_;
  std::uint64_t next_id_ = std::uint64_t{1} << 40; ///< beyond those of any search
  std::map<std::string, EvaluationRecord> known_;
  std::map<std::string, bool> asked_;
};

search::EvaluatorOptions evaluator_options(const WhatIfOptions& options) {
  search::EvaluatorOptions evaluator;
  evaluator.jobs = options.jobs;
  evaluator.fidelity.sms = options.sms;
  evaluator.sim_deadline_s = options.sim_timeout_s;
  evaluator.predictions = (std::filesystem::path(options.out) / "predictions").string();
  return evaluator;
}

/// The first designs of the front; of one objective the best designs.
std::vector<EvaluationRecord> chosen(const search::SearchRecords& records, std::size_t most) {
  const search::Ranking ranking(records);
  auto front = ranking.scorer().count() > 1 ? ranking.front() : ranking.best(most);
  front.resize(std::min(front.size(), most));
  std::vector<EvaluationRecord> designs;
  for (const std::size_t i : front) {
    designs.push_back(records.evaluations[i]);
  }
  return designs;
}

int run_axis_sweep(const WhatIfOptions& options, const Plan& plan) {
  const std::vector<Axis> axes = parse_axes(options.axes, kernel::TunableSpec(), plan.gpu.config);
  search::Study study = options.study;
  study.genes.clear();
  for (const Axis& axis : axes) {
    study.genes.push_back({axis.key, axis.values});
  }
  const auto genes = search::design_spec(study, plan.gpu);
  std::vector<Configuration> designs;
  for (const auto& point : product(axes)) {
    std::vector<Configuration::Entry> entries;
    for (std::size_t a = 0; a < axes.size(); ++a) {
      entries.emplace_back(axes[a].key, axes[a].values[point[a]]);
    }
    designs.emplace_back(std::move(entries));
  }
  search::Interruption interruption("stopping");
  search::DesignEvaluations evaluations(study, plan.gpu.config, genes, evaluator_options(options),
                                        interruption);
  Designs evaluate(evaluations, plan.scorer);
  const auto records = evaluate(designs);
  if (records.empty()) {
    return search::kInterruptedExit;
  }
  fmt::print("{}",
             options.json ? whatif_axis_json(study, records) : whatif_axis_text(study, records));
  return 0;
}

/// Search, then the sensitivity of the baseline and the reasons of the front.
std::optional<search::StudyAnalysis>
run_study(const WhatIfOptions& options, const Plan& plan, search::SearchStore& store) {
  search::Interruption interruption("stopping; what is evaluated is saved", options.grace);
  search::DesignEvaluations evaluations(options.study, plan.gpu.config, plan.genes,
                                        evaluator_options(options), interruption);
  search::Progress progress(std::cerr, progress_style(), options.study.budget);
  store.begin_session(options.jobs, options.command);
  search::SearchDriver driver(plan.space, store,
                              {.submit = [&](const auto& c) { evaluations.submit(c); },
                               .next = [&] { return evaluations.next(); }},
                              plan.scorer, interruption.stop(), progress);
  const Configuration baseline = plan.genes.default_configuration();
  const std::string stopped_by = driver.run(
      search::find_strategy(strategy_name(plan))
          .make(plan.space, {.seed = options.study.seed,
                             .lookahead = search::default_lookahead(options.study.budget),
                             .first = plan.space.find(baseline)}),
      options.study.budget);
  progress.finish();
  store.end_session(stopped_by);
  if (stopped_by == "signal") {
    return std::nullopt;
  }
  Designs evaluate(evaluations, plan.scorer);
  for (const EvaluationRecord& record : store.records().evaluations) {
    evaluate.know(record);
  }
  return search::analyse_study(options.study, baseline, chosen(store.records(), options.designs),
                               [&](const auto& designs) { return evaluate(designs); });
}

} // namespace

int run_whatif(const std::vector<std::string>& args) {
  const WhatIfOptions options = parse_whatif_options(args);
  if (options.help) {
    fmt::print("{}", whatif_help());
    return 0;
  }
  if (options.study.genes.empty() && options.axes.empty()) {
    return run_islands(options);
  }
  const Plan plan = make_plan(options.study);
  if (!options.axes.empty()) {
    return run_axis_sweep(options, plan);
  }
  search::check_feasible(options.study, plan.gpu.config, plan.space);
  const search::SearchHeader header = make_header(options, plan);
  search::SearchStore store = options.resume ? search::SearchStore::resume(options.out, header)
                                             : search::SearchStore::create(options.out, header);
  const auto analysis = run_study(options, plan, store);
  if (!analysis) {
    fmt::print(stderr, "interrupted: {} designs are saved; --resume goes on\n",
               store.records().evaluations.size());
    return search::kInterruptedExit;
  }
  const std::string page = search::study_page(options.study, store.records(), *analysis);
  const std::string file = (std::filesystem::path(options.out) / "whatif.html").string();
  write_file_atomically(file, page);
  const std::string json = whatif_json(options.study, store.records(), *analysis, options.out);
  write_file_atomically((std::filesystem::path(options.out) / "whatif.json").string(), json);
  fmt::print("{}",
             options.json ? json : whatif_text(options.study, store.records(), *analysis, file));
  return 0;
}

} // namespace coulomb::cli
