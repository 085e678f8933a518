// SPDX-License-Identifier: Apache-2.0
#include "cli/whatif_islands.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "cli/json_output.hpp"
#include "cli/run_evaluation.hpp"
#include "sim/power/islands.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace coulomb::cli {
namespace {

using Json = nlohmann::ordered_json;
using power::IslandOutcome;

/// A kernel of the study, simulated.
struct KernelRun {
  search::Evaluation evaluation;
  config::GpuConfig gpu;
};

KernelRun
simulate(const search::Study& study, const search::StudyKernel& kernel, double more_latency) {
  std::vector<std::string> args = {kernel.spec, "--gpu", study.gpu, "--no-check"};
  const auto add = [&](const char* option, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      args.insert(args.end(), {option, value});
    }
  };
  add("--param", kernel.params);
  add("--set", study.set);
  if (more_latency > 0.0) {
    const auto gpu = config::load_gpu(study.gpu, study.set).config;
    add("--set",
        {fmt::format("l2.hit_latency={}", gpu.l2.hit_latency + std::lround(more_latency))});
  }
  RunOptions options = parse_run_options(args);
  KernelRun run{evaluate_run(options), options.gpu.config};
  if (run.evaluation.status != eval::EvalStatus::ok) {
    throw UserError(fmt::format("what-if: {} is {}: {}", kernel.name,
                                eval::to_string(run.evaluation.status), run.evaluation.message));
  }
  return run;
}

power::CtaWork cta_work(const search::Evaluation& e) {
  const eval::SimOutcome& s = e.sim;
  const double warps =
      static_cast<double>(s.occupancy.warps_per_sm) / std::max(1U, s.occupancy.ctas_per_sm);
  const auto resident = s.counters.find("sm__warps_active.sum");
  power::CtaWork work{s.ctas_total, std::max(1U, s.occupancy.ctas_per_sm), 0.0};
  work.cta_cycles = resident->second / std::max(warps, 1.0) / static_cast<double>(s.ctas_total);
  return work;
}

std::vector<IslandOutcome>
weigh(const search::Study& study, const search::StudyKernel& kernel, double& sensitivity) {
  const search::StudyIslands& islands = *study.islands;
  const KernelRun run = simulate(study, kernel, 0.0);
  const KernelRun later = simulate(study, kernel, islands.boundary_cycles);
  sensitivity = std::max(0.0, later.evaluation.sim.cycles / run.evaluation.sim.cycles - 1.0) /
                std::max(1.0, std::round(islands.boundary_cycles));
  const auto& sizes = power::kIslandSizes;
  power::IslandStudy setup;
  setup.size = static_cast<power::IslandSize>(std::find(sizes.begin(), sizes.end(), islands.size) -
                                              sizes.begin());
  setup.sigma = islands.sigma;
  setup.seed = study.seed;
  setup.conversion_loss = islands.conversion_loss;
  setup.boundary_cycles = islands.boundary_cycles;
  setup.latency_sensitivity = sensitivity;
  setup.gate_idle_sms = islands.gate_idle_sms;
  const auto activity = power::activity_of(run.evaluation.sim.counters, run.evaluation.sim.time_ms,
                                           run.gpu.sm_clock_mhz);
  const auto work = cta_work(run.evaluation);
  auto outcomes = power::study_islands(run.gpu, activity, work, setup);
  for (const double spread : islands.spreads_mhz) {
    setup.spread_mhz = spread;
    const auto more = power::study_islands(run.gpu, activity, work, setup);
    outcomes.insert(outcomes.end(), more.begin() + 2, more.end());
  }
  return outcomes;
}

std::string outcome_line(const IslandOutcome& o, const IslandOutcome& base) {
  const auto change = [](double a, double b) { return 100.0 * (a / b - 1.0); };
  return fmt::format("    {:<34} {:>9.4f} ms {:>+7.2f} %  {:>7.1f} W  {:>9.4g} mJ {:>+7.2f} %  EDP "
                     "{:>+7.2f} %\n",
                     o.name, 1000.0 * o.time_s, change(o.time_s, base.time_s), o.power_w,
                     1000.0 * o.energy_j, change(o.energy_j, base.energy_j),
                     change(o.edp, base.edp));
}

Json outcome_json(const IslandOutcome& o) {
  return {{"name", o.name},       {"time_ms", 1000.0 * o.time_s},
          {"power_w", o.power_w}, {"energy_mj", 1000.0 * o.energy_j},
          {"edp", o.edp},         {"idle_share", o.idle_share}};
}

/// Whether islands pay against what one rail can do: itself, and at the uniform clock that is as
/// fast.
std::string verdict(const std::vector<IslandOutcome>& outcomes) {
  constexpr double kTie = 0.005;
  const IslandOutcome& rail = outcomes.front();
  double best = outcomes[1].edp / rail.edp;
  std::string what = outcomes[1].name;
  for (std::size_t i = 2; i + 1 < outcomes.size(); i += 2) {
    const double ratio = outcomes[i].edp / outcomes[i + 1].edp;
    if (ratio < best) {
      best = ratio;
      what = outcomes[i].name;
    }
  }
  if (best > 1.0 + kTie) {
    return fmt::format("islands lose: {:+.1f} % EDP at best", 100.0 * (best - 1.0));
  }
  return best < 1.0 - kTie ? fmt::format("{} pay: {:+.1f} % EDP", what, 100.0 * (best - 1.0))
                           : std::string("a tie");
}

} // namespace

int run_islands(const WhatIfOptions& options) {
  const search::Study& study = options.study;
  Json all = {{"schema", kJsonSchema}, {"study", study.name}, {"gpu", study.gpu}};
  all["kernels"] = Json::array();
  std::string text = fmt::format(
      "study      {}: voltage islands per {} of {}, sigma {:.1f} %, regulators lose {:.0f} %\n",
      study.name, study.islands->size, study.gpu, 100.0 * study.islands->sigma,
      100.0 * study.islands->conversion_loss);
  for (const search::StudyKernel& kernel : study.kernels) {
    double sensitivity = 0.0;
    const auto outcomes = weigh(study, kernel, sensitivity);
    text += fmt::format("\n  {}   {:.3f} % more time per cycle of L2 latency; {:.1f} % of SM time "
                        "idle\n",
                        kernel.name, 100.0 * sensitivity, 100.0 * outcomes.front().idle_share);
    Json list = Json::array();
    for (const IslandOutcome& o : outcomes) {
      text += outcome_line(o, outcomes.front());
      list.push_back(outcome_json(o));
    }
    text += fmt::format("    verdict: {}\n", verdict(outcomes));
    all["kernels"].push_back({{"kernel", kernel.name},
                              {"latency_sensitivity", sensitivity},
                              {"verdict", verdict(outcomes)},
                              {"outcomes", std::move(list)}});
  }
  fmt::print("{}", options.json ? json_text(all) + "\n" : text);
  return 0;
}

} // namespace coulomb::cli
