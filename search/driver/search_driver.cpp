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
  std::uint64_t proposed = committed_;
  bool exhausted = false;
  while (true) {
    // Propose as soon as the strategy allows, and never later: what it knows then must not depend
    // on how fast the workers are.
    while (!exhausted && !stop_.load() && proposed < budget &&
           proposed - out.size() >= strategy.needs()) {
      const auto proposal = strategy.propose();
      if (!proposal) {
        exhausted = true;
        break;
      }
      ++proposed;
      taken_.insert(proposal->point);
      start(*proposal);
      out.push_back(*proposal);
    }
    if (out.empty()) {
      return exhausted ? "exhausted" : proposed < budget ? "signal" : "budget";
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

const EvaluationRecord& SearchDriver::record_of(std::uint64_t id) const {
  return id >= kFirstImmigrant ? immigrants_[id - kFirstImmigrant]
                               : store_.records().evaluations[recorded_.at(id)];
}

Individual SearchDriver::individual(const Known& known, double progress) const {
  const EvaluationRecord& record = record_of(known.id);
  Fitness fitness = scorer_.fitness(record, progress);
  if (factor_ && fitness.status == eval::EvalStatus::ok) {
    const double factor = factor_(record);
    fitness.value *= factor;
    for (double& objective : fitness.objectives) {
      objective *= factor;
    }
  }
  return {known.id, known.point, std::move(fitness), record.compiler_s + record.sim_s};
}

void SearchDriver::relearn(Strategy& strategy, double progress) {
  std::vector<Individual> history;
  standing_.clear();
  for (const Known& known : known_) {
    history.push_back(individual(known, progress));
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
  const std::uint64_t stage = committed_ * kStages / budget;
  const auto progress = static_cast<double>(stage) / double{kStages - 1};
  if (scorer_.changes() && committed_ > 0 && stage != (committed_ - 1) * kStages / budget) {
    relearn(strategy, progress);
  }
  ++committed_;
  known_.push_back({proposal.id, proposal.point});
  const Individual outcome = individual(known_.back(), progress);
  strategy.commit(outcome);
  const bool moved = standing_.add(outcome.fitness);
  if (!scorer_.by_time() && (moved || scorer_.changes())) {
    progress_.stands(standing_.text());
  }
  migrate(strategy, progress);
}

void SearchDriver::migrate(Strategy& strategy, double progress) {
  if (!exchange_.meet || !strategy.takes_migrants() || !scorer_.ready() ||
      committed_ % exchange_.interval != 0) {
    return;
  }
  std::vector<EvaluationRecord> best;
  for (const Individual& emigrant : strategy.emigrants(exchange_.emigrants)) {
    if (emigrant.fitness.status == eval::EvalStatus::ok) {
      best.push_back(record_of(emigrant.id));
    }
  }
  for (EvaluationRecord& record : exchange_.meet(committed_, best)) {
    const auto point = space_.find(record.configuration);
    if (!point || !taken_.insert(*point).second) {
      continue; // not of this space, or known here
    }
    immigrants_.push_back(std::move(record));
    known_.push_back({kFirstImmigrant + immigrants_.size() - 1, *point});
    strategy.adopt(individual(known_.back(), progress));
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
