// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/ladder/belief.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace coulomb::calibration {

struct CampaignSettings {
  std::size_t silicon_budget = 10; ///< runs
  std::size_t batch = 3;           ///< runs before the gap model learns from them
  /// Standard deviations by which what is uncertain counts for slower: in the promotion, and on
  /// silicon where the candidate is unexplored.
  double penalty = 0.5;
  /// Relative improvement below which a measurement is not worth it, unless the silicon runs so
  /// far are noisier.
  double least_gain = 0.001;
};

/// A rung between the search's own simulations and silicon.
struct LadderRung {
  std::string name;       ///< "chip", "robust"
  std::size_t places = 0; ///< candidates per batch that are promoted to it
  double cost = 1.0;      ///< of one candidate, in simulations of the first rung
  /// By candidate. Nothing at all if it was interrupted.
  std::function<std::optional<std::vector<RungOutcome>>(const std::vector<const LadderCandidate*>&)>
      climb;
};

/// One batch of silicon runs.
struct CampaignRound {
  std::size_t candidates = 0;        ///< that there were to choose from
  std::vector<std::size_t> promoted; ///< by rung
  std::vector<SiliconRun> runs;
  double expected_gain = 0.0; ///< largest expected improvement before the batch, relative
};

/// Promotes the candidates of a search, rung by rung, to silicon: in small batches, each of which
/// teaches the gap model. A batch is chosen by expected improvement, one candidate after the other,
/// the model taking its own expectation of those chosen for true (Ginsbourger et al. 2010,
/// "Kriging believer"), so that a batch does not ask the same question three times.
class Campaign {
public:
  /// Nothing if it was interrupted.
  using Measure = std::function<std::optional<SiliconRun>(const LadderCandidate&)>;

  /// Without a gap model nothing is corrected and nothing learnt: candidates are measured in the
  /// order of their simulated times.
  Campaign(const CampaignSettings& settings,
           std::optional<GapModel> gap,
           std::vector<LadderRung> rungs,
           Measure measure);

  /// A candidate that the search has simulated; `rungs` are filled in.
  void add(LadderCandidate candidate);
  /// Promotes, measures and learns. No runs if the budget is spent or nothing is expected to gain
  /// more than the noise. Nothing if it was interrupted: the campaign is then not to be used on.
  std::optional<CampaignRound> round();

  /// What the simulated time is to be multiplied with, by all that is known now; for the search's
  /// objective.
  [[nodiscard]] double correction(const GapQuery& query) const;
  [[nodiscard]] std::size_t runs_left() const { return settings_.silicon_budget - runs_.size(); }
  [[nodiscard]] const std::vector<LadderCandidate>& candidates() const { return candidates_; }
  [[nodiscard]] const std::vector<LadderRung>& rungs() const { return rungs_; }
  [[nodiscard]] const std::vector<SiliconRun>& runs() const { return runs_; }
  [[nodiscard]] const std::optional<GapModel>& gap() const { return gap_; }
  /// The fastest run, or nothing if none ran.
  [[nodiscard]] const SiliconRun* best() const;
  [[nodiscard]] const LadderCandidate& candidate(std::uint64_t id) const;

private:
  struct Pick {
    std::size_t candidate = 0;
    double log_ms = 0.0;
    double gain = 0.0; ///< expected improvement of log(time)
  };

  /// The number that was promoted. Here and in climb(): false or nothing, it was interrupted.
  std::optional<std::size_t> promote_to(std::size_t rung);
  bool climb(std::size_t rung, const std::vector<std::size_t>& candidates);
  /// Candidates to measure, best first; fewer than a batch if no more promise enough.
  std::optional<std::vector<Pick>> choose_batch();
  /// The next one if `model` is true; not every rung may have seen it. Nothing: nobody is left, or
  /// promises enough.
  [[nodiscard]] std::optional<Pick> most_promising(const GapModel* model, double best_log_ms) const;
  [[nodiscard]] Observation observation(const LadderCandidate& candidate, double ms) const;
  /// Of the measurements so far, but never below least_gain.
  [[nodiscard]] double worthwhile_gain() const;

  CampaignSettings settings_;
  std::optional<GapModel> gap_;
  std::vector<LadderRung> rungs_;
  Measure measure_;
  std::vector<LadderCandidate> candidates_;
  std::map<std::uint64_t, std::size_t> position_; ///< id: in candidates_
  std::vector<SiliconRun> runs_;
  std::set<std::size_t> asked_;      ///< measured, or chosen to be
  std::set<std::string> asked_code_; ///< theirs
};

} // namespace coulomb::calibration
