// SPDX-License-Identifier: Apache-2.0
#include "search/driver/search_driver.hpp"

#include "base/error.hpp"
#include "base/eval/features.hpp"

#include <cmath>
#include <deque>

namespace coulomb::search {
namespace {

/// Stages of a search whose objective changes.
constexpr std::uint64_t kStages = 8;

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

EvaluationRecord make_record(const Evaluation& e, const std::string& origin, const Scorer& scorer) {
  EvaluationRecord r;
  r.id = e.id;
  r.origin = origin;
  r.configuration = e.configuration;
  r.status = e.status;
  r.message = e.message;
  r.cubin_hash = e.compile.cubin_hash;
  r.compiler_s = e.compile.compile_s;
  r.compile_s = e.compile_s;
  r.sim_s = e.sim_s;
  r.code = e.code;
  r.registers = e.sim.registers;
  r.counters = finite(e.sim.counters);
  r.stalls = finite(e.sim.stalls);
  r.launch = eval::launch_numbers(e.launch, e.sim);
  r.code_mix = e.sim.code_mix;
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
    if (const std::string problem = scorer.problem(r); !problem.empty()) {
      r.status = eval::EvalStatus::wrong_result;
      r.message = problem;
    }
  }
  return r;
}

SearchDriver::SearchDriver(const SearchSpace& space,
                           SearchStore& store,
                           Evaluations evaluations,
                           Scorer scorer,
                           const std::atomic<bool>& stop,
                           Progress& progress)
    : space_(space), store_(store), evaluations_(std::move(evaluations)),
      scorer_(std::move(scorer)), standing_(scorer_), stop_(stop), progress_(progress) {
  const auto& records = store_.records().evaluations;
  for (std::size_t i = 0; i < records.size(); ++i) {
    recorded_.emplace(records[i].id, i);
  }
}

std::string SearchDriver::run(Strategy strategy, std::uint64_t budget) {
  return advance(strategy, budget);
}

std::string SearchDriver::advance(Strategy& strategy, std::uint64_t budget) {
  std::deque<Proposal> out; // proposed and not committed
  std::uint64_t proposed = committed_.size();
  bool exhausted = false;
  while (true) {
    // Propose as soon as the strategy allows, and never later: what it knows then must not depend
    // on how fast the workers are.
    while (!exhausted && proposed < budget && proposed - out.size() >= strategy.needs()) {
      const auto proposal = strategy.propose();
      if (!proposal) {
        exhausted = true;
        break;
      }
      ++proposed;
      start(*proposal);
      out.push_back(*proposal);
    }
    if (out.empty()) {
      return exhausted ? "exhausted" : "budget";
    }
    const auto* record = finish(out.front());
    if (record == nullptr) {
      return "signal"; // next() has returned all that had finished
    }
    scorer_.observe(*record);
    commit(out.front(), budget, strategy);
    out.pop_front();
  }
}

Individual SearchDriver::individual(std::size_t index, double progress) const {
  const Proposal& proposal = committed_[index];
  const auto& record = store_.records().evaluations[recorded_.at(proposal.id)];
  Fitness fitness = scorer_.fitness(record, progress);
  if (factor_ && fitness.status == eval::EvalStatus::ok) {
    const double factor = factor_(record);
    fitness.value *= factor;
    for (double& objective : fitness.objectives) {
      objective *= factor;
    }
  }
  return {proposal.id, proposal.point, std::move(fitness)};
}

void SearchDriver::relearn(Strategy& strategy, double progress) {
  std::vector<Individual> history;
  standing_.clear();
  for (std::size_t i = 0; i < committed_.size(); ++i) {
    history.push_back(individual(i, progress));
    standing_.add(history.back().fitness);
  }
  strategy.relearn(history);
}

void SearchDriver::correct(Strategy& strategy,
                           std::function<double(const EvaluationRecord&)> factor) {
  factor_ = std::move(factor);
  relearn(strategy, 1.0);
}

void SearchDriver::commit(const Proposal& proposal, std::uint64_t budget, Strategy& strategy) {
  const std::uint64_t stage = committed_.size() * kStages / budget;
  const auto progress = static_cast<double>(stage) / double{kStages - 1};
  if (scorer_.changes() && !committed_.empty() &&
      stage != (committed_.size() - 1) * kStages / budget) {
    relearn(strategy, progress);
  }
  committed_.push_back(proposal);
  const Individual outcome = individual(committed_.size() - 1, progress);
  strategy.commit(outcome);
  const bool moved = standing_.add(outcome.fitness);
  if (!scorer_.by_time() && (moved || scorer_.changes())) {
    progress_.stands(standing_.text());
  }
}

void SearchDriver::start(const Proposal& proposal) {
  if (const auto* record = recorded(proposal)) {
    progress_.recorded(*record);
  } else if (!stop_.load()) {
    origins_.emplace(proposal.id, proposal.origin);
    evaluations_.submit({proposal.id, space_.configuration(proposal.point)});
  }
}

const EvaluationRecord* SearchDriver::finish(const Proposal& proposal) {
  while (recorded_.find(proposal.id) == recorded_.end()) {
    const auto evaluation = evaluations_.next();
    if (!evaluation) {
      COULOMB_CHECK(stop_.load(), "candidate {} got no outcome, and nobody asked to stop",
                    proposal.id);
      return nullptr;
    }
    const auto origin = origins_.extract(evaluation->id);
    COULOMB_CHECK(!origin.empty(), "candidate {} was not being evaluated", evaluation->id);
    const EvaluationRecord record = make_record(*evaluation, origin.mapped(), scorer_);
    recorded_.emplace(record.id, store_.records().evaluations.size());
    store_.add(record);
    progress_.evaluated(record);
  }
  return &store_.records().evaluations[recorded_.at(proposal.id)];
}

const EvaluationRecord* SearchDriver::recorded(const Proposal& proposal) const {
  const auto at = recorded_.find(proposal.id);
  if (at == recorded_.end()) {
    return nullptr;
  }
  const EvaluationRecord& record = store_.records().evaluations[at->second];
  const auto proposed = space_.configuration(proposal.point);
  if (record.configuration != proposed) {
    throw UserError(
        fmt::format("{}: candidate {} is recorded as {}, but this search leads to {}", store_.dir(),
                    proposal.id, record.configuration.key(), proposed.key()),
        "the search was recorded by another build of coulomb: continue it with that one");
  }
  return &record;
}

} // namespace coulomb::search
