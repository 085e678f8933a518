// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/table_simulator.hpp"

#include "base/error.hpp"

#include <filesystem>

namespace coulomb::calibration {

TableSimulator::TableSimulator(std::vector<FitTable> tables,
                               std::vector<FitParameter> parameters,
                               search::EvaluatorOptions options,
                               search::Interruption& interruption,
                               std::function<void(std::size_t, std::size_t)> progress)
    : tables_(std::move(tables)), parameters_(std::move(parameters)), options_(std::move(options)),
      interruption_(interruption), progress_(std::move(progress)),
      pool_(search::make_worker_pool(options_)) {
  options_.pool = pool_.get();
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const FitTable& table = tables_[t];
    for (const std::size_t r : table.rows) {
      cases_.push_back({.kernel = table.spec.name,
                        .board = table.table.metadata.gpu,
                        .table = std::filesystem::path(table.table.metadata.path).stem().string(),
                        .silicon_ms = table.table.rows.at(r).time_ms.value(),
                        .held_out = table.held_out});
      places_.push_back({t, r});
    }
  }
}

std::optional<config::GpuConfig> TableSimulator::gpu_with(const FitTable& table,
                                                          const std::vector<double>& values) const {
  std::vector<std::string> changes;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    if (values[p] != parameters_[p].start) {
      changes.push_back(parameters_[p].assignment(values[p]));
    }
  }
  config::GpuConfig gpu = table.gpu;
  try {
    config::apply_overrides(gpu, changes);
  } catch (const UserError&) {
    return std::nullopt; // every value is within its own range: a relation does not hold
  }
  return gpu;
}

std::optional<CaseTimes> TableSimulator::simulate(const std::vector<double>& values,
                                                  const std::vector<std::size_t>& cases) {
  CaseTimes times(cases.size());
  std::size_t done = 0;
  for (std::size_t t = 0; t < tables_.size(); ++t) {
    const FitTable& table = tables_[t];
    std::vector<search::Candidate> candidates;
    for (std::size_t k = 0; k < cases.size(); ++k) {
      if (const Place& place = places_.at(cases[k]); place.table == t) {
        candidates.push_back({k, table.table.rows.at(place.row).parameters});
      }
    }
    if (candidates.empty()) {
      continue;
    }
    const auto gpu = gpu_with(table, values);
    if (!gpu && !table.held_out) {
      return std::nullopt;
    }
    if (!gpu) {
      continue; // a relation of that board does not hold: its rows have no time
    }
    auto options = options_;
    options.fidelity.cache_state = table.table.metadata.cache_state;
    search::Evaluator evaluator(table.spec, *gpu, options);
    const search::Interruption::Guard guard(interruption_, evaluator);
    evaluator.evaluate(candidates, [&](const search::Evaluation& e) {
      if (e.status == eval::EvalStatus::ok) {
        times[e.id] = CaseTime{e.sim.time_ms, e.code};
      }
      ++done;
      if (progress_) {
        progress_(done, cases.size());
      }
    });
    if (interruption_.stop()) {
      throw FitInterrupted{};
    }
  }
  return times;
}

} // namespace coulomb::calibration
