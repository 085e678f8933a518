// SPDX-License-Identifier: Apache-2.0
#include "calibration/validation.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace coulomb::calibration {
namespace {

using eval::EvalStatus;

/// The candidate itself is at fault, as opposed to the simulator.
bool is_verdict(EvalStatus status) {
  switch (status) {
  case EvalStatus::restricted:
  case EvalStatus::compile_failed:
  case EvalStatus::launch_invalid:
  case EvalStatus::wrong_result:
  case EvalStatus::deadlock:
    return true;
  case EvalStatus::ok:
  case EvalStatus::compile_timeout:
  case EvalStatus::unsupported:
  case EvalStatus::timeout:
  case EvalStatus::crashed:
    return false;
  }
  return false;
}

ComparedRow compared(const results::SiliconRow& silicon, const Simulated& simulated) {
  ComparedRow row;
  row.row = silicon.row;
  row.parameters = silicon.parameters;
  row.silicon_status = silicon.status;
  row.silicon_ms = silicon.time_ms;
  row.status = simulated.status;
  row.message = simulated.message;
  row.character = simulated.character;
  row.features = simulated.features;
  if (simulated.status == EvalStatus::ok) {
    COULOMB_CHECK(std::isfinite(simulated.time_ms) && simulated.time_ms > 0.0,
                  "row {} is ok with a simulated time of {} ms", silicon.row, simulated.time_ms);
    row.sim_ms = simulated.time_ms;
  }
  return row;
}

void count(const ComparedRow& row, InvalidCounts& invalid) {
  const bool silicon_ran = row.silicon_ms.has_value();
  const bool timed = row.sim_ms.has_value();
  if (silicon_ran && !timed) {
    ++invalid.sim_only;
  } else if (!silicon_ran && timed) {
    ++invalid.silicon_only;
  } else if (!silicon_ran) {
    ++(is_verdict(row.status) ? invalid.both : invalid.undecided);
  }
}

void set_figures(ValidationReport& report) {
  std::vector<double> silicon;
  std::vector<double> sim;
  double best = 0.0;
  for (const auto& row : report.rows) {
    if (row.silicon_ms) {
      best = best > 0.0 ? std::min(best, *row.silicon_ms) : *row.silicon_ms;
    }
    if (row.silicon_ms && row.sim_ms) {
      silicon.push_back(*row.silicon_ms);
      sim.push_back(*row.sim_ms);
    }
  }
  report.n = silicon.size();
  report.errors = summarize_errors(silicon, sim);
  report.scale = scale_free(silicon, sim);
  report.spearman = spearman(silicon, sim);
  report.kendall = kendall_tau_b(silicon, sim);
  report.spearman_best5pct = spearman_best5pct(silicon, sim);
  if (report.n > 0) {
    report.top1_regret = top_k_regret(silicon, sim, 1, best);
    report.top5_regret = top_k_regret(silicon, sim, 5, best);
  }
}

} // namespace

std::optional<double> ComparedRow::error() const {
  if (!silicon_ms || !sim_ms) {
    return std::nullopt;
  }
  return (*sim_ms - *silicon_ms) / *silicon_ms;
}

std::optional<double> ValidationCost::warp_insts_per_s() const {
  if (!(simulation_s > 0.0)) {
    return std::nullopt;
  }
  return static_cast<double>(warp_insts) / simulation_s;
}

std::vector<std::string> clock_overrides(const results::SiliconMetadata& metadata) {
  std::vector<std::string> overrides;
  for (const auto& [key, mhz] : {std::pair{"sm_clock_mhz", metadata.sm_clock_mhz},
                                 std::pair{"memory_clock_mhz", metadata.memory_clock_mhz}}) {
    if (mhz > 0.0) {
      overrides.push_back(fmt::format("{}={}", key, mhz));
    }
  }
  return overrides;
}

ValidationReport compare(const results::SiliconTable& table,
                         const Sample& sample,
                         const ValidationSubject& subject,
                         const std::vector<Simulated>& results) {
  COULOMB_CHECK(results.size() == sample.rows.size(), "{} results for {} rows", results.size(),
                sample.rows.size());
  ValidationReport report;
  report.subject = subject;
  report.table = recorded_path(table.path);
  report.sample = sample;
  report.excluded = table.excluded();
  report.drawn = sample.rows.size();
  report.rows.reserve(results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    report.rows.push_back(compared(table.rows.at(sample.rows[i]), results[i]));
    count(report.rows.back(), report.invalid);
    report.cost.compile_s += results[i].compile_s;
    report.cost.simulation_s += results[i].simulation_s;
    report.cost.warp_insts += results[i].warp_insts;
  }
  set_figures(report);
  return report;
}

ValidationReport run_validation(const results::SiliconTable& table,
                                const Sample& sample,
                                const ValidationSubject& subject,
                                const SimulateAll& simulate,
                                const std::function<void(std::size_t, std::size_t)>& progress,
                                const std::atomic<bool>* stop) {
  std::vector<kernel::Configuration> configurations;
  configurations.reserve(sample.rows.size());
  for (const std::size_t i : sample.rows) {
    configurations.push_back(table.rows.at(i).parameters);
  }
  std::vector<std::optional<Simulated>> answers(configurations.size());
  std::size_t done = 0;
  const auto start = std::chrono::steady_clock::now();
  simulate(configurations, [&](std::size_t index, const Simulated& result) {
    COULOMB_CHECK(index < answers.size() && !answers[index],
                  "result {} of {} came twice or is unknown", index, answers.size());
    answers[index] = result;
    ++done;
    if (progress) {
      progress(done, answers.size());
    }
  });
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  COULOMB_CHECK(done == answers.size() || (stop != nullptr && *stop),
                "{} of {} configurations were answered", done, answers.size());
  Sample answered = sample;
  answered.rows.clear();
  std::vector<Simulated> results;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (answers[i]) {
      answered.rows.push_back(sample.rows[i]);
      results.push_back(std::move(*answers[i]));
    }
  }
  ValidationReport report = compare(table, answered, subject, results);
  report.interrupted = done < answers.size();
  report.drawn = answers.size();
  report.cost.wall_s = wall.count();
  return report;
}

} // namespace coulomb::calibration
