// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/campaign.hpp"

#include "base/error.hpp"
#include "calibration/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace coulomb::calibration {

Campaign::Campaign(const CampaignSettings& settings,
                   std::optional<GapModel> gap,
                   std::vector<LadderRung> rungs,
                   Measure measure)
    : settings_(settings), gap_(std::move(gap)), rungs_(std::move(rungs)),
      measure_(std::move(measure)) {}

void Campaign::add(LadderCandidate candidate) {
  COULOMB_CHECK(candidate.sim_ms > 0.0, "candidate {} takes {} ms", candidate.id, candidate.sim_ms);
  candidate.rungs.resize(rungs_.size());
  position_.emplace(candidate.id, candidates_.size());
  candidates_.push_back(std::move(candidate));
}

std::optional<CampaignRound> Campaign::round() {
  CampaignRound round;
  round.candidates = candidates_.size();
  if (candidates_.empty() || runs_left() == 0) {
    return round;
  }
  for (std::size_t rung = 0; rung < rungs_.size(); ++rung) {
    const auto promoted = promote_to(rung);
    if (!promoted) {
      return std::nullopt;
    }
    round.promoted.push_back(*promoted);
  }
  const auto picks = choose_batch();
  if (!picks) {
    return std::nullopt;
  }
  std::vector<Observation> learnt;
  for (const Pick& next : *picks) {
    const LadderCandidate& chosen = candidates_[next.candidate];
    auto run = measure_(chosen);
    if (!run) {
      return std::nullopt;
    }
    run->id = chosen.id;
    run->expected_ms = std::exp(next.log_ms);
    if (run->problem.empty()) {
      learnt.push_back(observation(chosen, run->ms));
      learnt.back().silicon_noise = run->noise;
    }
    round.expected_gain = std::max(round.expected_gain, next.gain);
    runs_.push_back(*run);
    round.runs.push_back(*run);
  }
  if (gap_ && !learnt.empty()) {
    gap_ = gap_->with(learnt);
  }
  return round;
}

std::optional<std::vector<Campaign::Pick>> Campaign::choose_batch() {
  std::optional<GapModel> model = gap_;
  double best_log_ms =
      best() != nullptr ? std::log(best()->ms) : std::numeric_limits<double>::infinity();
  std::vector<Pick> picks;
  while (picks.size() < std::min(settings_.batch, runs_left())) {
    const auto next = most_promising(model ? &*model : nullptr, best_log_ms);
    if (!next) {
      break;
    }
    const LadderCandidate& chosen = candidates_[next->candidate];
    const auto missing = std::find_if(chosen.rungs.begin(), chosen.rungs.end(),
                                      [](const auto& outcome) { return !outcome; });
    if (missing != chosen.rungs.end()) {
      // What it finds there may make another one more promising.
      if (!climb(static_cast<std::size_t>(missing - chosen.rungs.begin()), {next->candidate})) {
        return std::nullopt;
      }
      continue;
    }
    asked_.insert(next->candidate);
    if (!chosen.code.empty()) {
      asked_code_.insert(chosen.code);
    }
    if (model) {
      const Observation believed = observation(chosen, std::exp(next->log_ms));
      model = model->with(std::span(&believed, 1));
    }
    best_log_ms = std::min(best_log_ms, next->log_ms);
    picks.push_back(*next);
  }
  return picks;
}

double Campaign::correction(const GapQuery& query) const {
  if (!gap_) {
    return 1.0;
  }
  return corrected_ms(gap_->predict(query), 1.0, settings_.penalty);
}

const SiliconRun* Campaign::best() const {
  const SiliconRun* best = nullptr;
  for (const SiliconRun& run : runs_) {
    if (run.problem.empty() && (best == nullptr || run.ms < best->ms)) {
      best = &run;
    }
  }
  return best;
}

const LadderCandidate& Campaign::candidate(std::uint64_t id) const {
  return candidates_[position_.at(id)];
}

std::optional<std::size_t> Campaign::promote_to(std::size_t rung) {
  const auto believed = beliefs(candidates_, gap_ ? &*gap_ : nullptr);
  auto order = ranked(candidates_, believed, settings_.penalty);
  std::erase_if(order, [&](std::size_t i) {
    const auto& rungs = candidates_[i].rungs;
    return rungs[rung] || (rung > 0 && !rungs[rung - 1]) || asked_.contains(i) ||
           asked_code_.contains(candidates_[i].code);
  });
  const auto promoted = promote(candidates_, order, rungs_[rung].places);
  return climb(rung, promoted) ? std::optional(promoted.size()) : std::nullopt;
}

bool Campaign::climb(std::size_t rung, const std::vector<std::size_t>& candidates) {
  if (candidates.empty()) {
    return true;
  }
  std::vector<const LadderCandidate*> climbers;
  for (const std::size_t i : candidates) {
    climbers.push_back(&candidates_[i]);
  }
  auto outcomes = rungs_[rung].climb(climbers);
  if (!outcomes) {
    return false;
  }
  COULOMB_CHECK(outcomes->size() == climbers.size(), "rung {}: {} outcomes of {} candidates",
                rungs_[rung].name, outcomes->size(), climbers.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates_[candidates[i]].rungs[rung] = std::move((*outcomes)[i]);
  }
  return true;
}

std::optional<Campaign::Pick> Campaign::most_promising(const GapModel* model,
                                                       double best_log_ms) const {
  const auto believed = beliefs(candidates_, model);
  std::optional<Pick> best;
  for (const std::size_t i : ranked(candidates_, believed, settings_.penalty)) {
    if (asked_.contains(i) || asked_code_.contains(candidates_[i].code)) {
      continue;
    }
    if (std::isinf(best_log_ms)) { // nothing to improve on yet: the first of the ranking
      return Pick{i, believed[i].log_ms, 0.0};
    }
    Belief cautious = believed[i];
    cautious.log_ms += cautious.unexplored ? settings_.penalty * cautious.deviation : 0.0;
    const double gain = expected_improvement(cautious, best_log_ms);
    if (!best || gain > best->gain) {
      best = Pick{i, believed[i].log_ms, gain};
    }
  }
  // Without a model there is no uncertainty, and the next of the ranking is all that is known.
  return best && model != nullptr && best->gain < worthwhile_gain() ? std::nullopt : best;
}

Observation Campaign::observation(const LadderCandidate& candidate, double ms) const {
  Observation o;
  o.board = candidate.query.board;
  o.spec = candidate.query.spec;
  o.parameters = candidate.query.parameters;
  o.features = candidate.query.features;
  o.sim_ms = candidate.sim_ms;
  for (const auto& rung : candidate.rungs) {
    o.sim_ms *= rung ? std::exp(rung->log_factor) : 1.0;
  }
  o.silicon_ms = ms;
  return o;
}

double Campaign::worthwhile_gain() const {
  std::vector<double> noises;
  for (const SiliconRun& run : runs_) {
    if (run.problem.empty() && run.noise > 0.0) {
      noises.push_back(run.noise);
    }
  }
  return std::max(settings_.least_gain, quantile(std::move(noises), 0.5).value_or(0.0));
}

} // namespace coulomb::calibration
