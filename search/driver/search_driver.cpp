// SPDX-License-Identifier: Apache-2.0
#include "search/driver/search_driver.hpp"

#include "base/error.hpp"

#include <cmath>

namespace coulomb::search {
namespace {

Fitness fitness_of(const EvaluationRecord& record) {
  return {record.status, record.time_ms};
}

std::map<std::string, double> finite(const std::map<std::string, double>& values) {
  std::map<std::string, double> kept;
  for (const auto& [name, value] : values) {
    if (std::isfinite(value)) {
      kept.emplace(name, value);
    }
  }
  return kept;
}

bool usable(double value) {
  return std::isfinite(value) && value > 0.0;
}

} // namespace

EvaluationRecord make_record(const Evaluation& e, std::uint32_t generation) {
  EvaluationRecord r;
  r.id = e.id;
  r.generation = generation;
  r.configuration = e.configuration;
  r.status = e.status;
  r.message = e.message;
  r.cubin_hash = e.compile.cubin_hash;
  r.compiler_s = e.compile.compile_s;
  r.compile_s = e.compile_s;
  r.sim_s = e.sim_s;
  r.same_as = e.same_as;
  r.registers = e.sim.registers;
  r.counters = finite(e.sim.counters);
  r.stalls = finite(e.sim.stalls);
  r.finished = utc_now();
  if (r.status == eval::EvalStatus::ok && !(usable(e.sim.time_ms) && usable(e.sim.cycles))) {
    r.status = eval::EvalStatus::wrong_result;
    r.message = fmt::format("the simulation ended with time_ms = {} and cycles = {}", e.sim.time_ms,
                            e.sim.cycles);
  }
  if (r.status == eval::EvalStatus::ok) {
    r.time_ms = e.sim.time_ms;
    r.cycles = e.sim.cycles;
    r.ipc = std::isfinite(e.sim.ipc) ? e.sim.ipc : 0.0;
  }
  return r;
}

SearchDriver::SearchDriver(const SearchSpace& space,
                           SearchStore& store,
                           EvaluateBatch evaluate,
                           const std::atomic<bool>& stop,
                           Progress& progress)
    : space_(space), store_(store), evaluate_(std::move(evaluate)), stop_(stop),
      progress_(progress) {
  const auto& evaluations = store_.records().evaluations;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    recorded_.emplace(evaluations[i].id, i);
  }
}

std::string SearchDriver::run(const SearchPlan& plan) {
  GeneticSearch genetic(space_, plan.ga, plan.seed, plan.first);
  std::uint64_t done = 0;
  while (done < plan.budget) {
    const auto proposals = genetic.propose(plan.budget - done);
    if (proposals.empty()) {
      return "exhausted";
    }
    const auto fitnesses = evaluate(proposals);
    if (fitnesses.size() < proposals.size()) {
      return "signal";
    }
    genetic.commit(fitnesses);
    done += proposals.size();
  }
  return "budget";
}

std::vector<Fitness> SearchDriver::evaluate(const std::vector<Proposal>& proposals) {
  std::vector<Fitness> fitnesses;
  std::vector<Candidate> candidates;
  for (const auto& proposal : proposals) {
    const auto known = recorded(proposal);
    if (known && candidates.empty()) {
      fitnesses.push_back(*known);
      progress_.recorded(store_.records().evaluations[recorded_.at(proposal.id)]);
      continue;
    }
    COULOMB_CHECK(!known, "candidate {} is recorded, but one before it is not", proposal.id);
    candidates.push_back({proposal.id, space_.configuration(proposal.point)});
  }
  if (candidates.empty() || stop_.load()) {
    return fitnesses;
  }
  const std::uint32_t generation = proposals.front().generation;
  const std::size_t delivered = evaluate_(candidates, [&](const Evaluation& evaluation) {
    const EvaluationRecord record = make_record(evaluation, generation);
    store_.add(record);
    fitnesses.push_back(fitness_of(record));
    progress_.evaluated(record);
  });
  COULOMB_CHECK(delivered == candidates.size() || stop_.load(),
                "{} of {} candidates were delivered, and nobody asked to stop", delivered,
                candidates.size());
  return fitnesses;
}

std::optional<Fitness> SearchDriver::recorded(const Proposal& proposal) const {
  const auto at = recorded_.find(proposal.id);
  if (at == recorded_.end()) {
    return std::nullopt;
  }
  const EvaluationRecord& record = store_.records().evaluations[at->second];
  const auto proposed = space_.configuration(proposal.point);
  if (record.configuration != proposed) {
    throw UserError(
        fmt::format("{}: candidate {} is recorded as {}, but this search leads to {}", store_.dir(),
                    proposal.id, record.configuration.key(), proposed.key()),
        "the search was recorded by another build of coulomb: continue it with that one");
  }
  return fitness_of(record);
}

} // namespace coulomb::search
