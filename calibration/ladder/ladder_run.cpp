// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/ladder_run.hpp"

#include "base/eval/features.hpp"
#include "search/store/export.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::calibration {
namespace {

using search::EvaluationRecord;

/// Feature vectors of all records of a search.
class Features {
public:
  explicit Features(const search::SearchRecords& records)
      : values_(search::feature_values(records)) {}
  [[nodiscard]] std::vector<double> of(std::size_t position) const {
    const std::size_t width = eval::feature_table().size();
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(position * width);
    return {first, first + static_cast<std::ptrdiff_t>(width)};
  }

private:
  std::vector<double> values_;
};

GapQuery
query_of(const LadderParts& parts, const EvaluationRecord& e, std::vector<double> features) {
  return {parts.board, parts.spec, e.configuration, std::move(features)};
}

/// Hands the campaign what the search has evaluated since the last time, in the order of ids:
/// the order in which workers finish must not matter.
void add_new(const LadderParts& parts, std::set<std::uint64_t>& known) {
  const auto& evaluations = parts.store.records().evaluations;
  std::vector<std::size_t> fresh;
  for (std::size_t i = 0; i < evaluations.size(); ++i) {
    if (evaluations[i].status == eval::EvalStatus::ok && known.insert(evaluations[i].id).second) {
      fresh.push_back(i);
    }
  }
  std::sort(fresh.begin(), fresh.end(),
            [&](std::size_t a, std::size_t b) { return evaluations[a].id < evaluations[b].id; });
  const Features features(parts.store.records());
  for (const std::size_t i : fresh) {
    const EvaluationRecord& e = evaluations[i];
    parts.campaign.add({e.id, query_of(parts, e, features.of(i)), e.time_ms, e.code, {}});
  }
}

/// The search goes on with the times that the gap model corrects.
void correct(LadderParts& parts) {
  parts.driver.correct(parts.strategy, [&parts](const EvaluationRecord& e) {
    search::SearchRecords one;
    one.header = parts.store.records().header;
    one.evaluations = {e};
    return parts.campaign.correction(query_of(parts, e, Features(one).of(0)));
  });
}

} // namespace

std::uint64_t simulations_before(const LadderSchedule& schedule, std::size_t round) {
  if (schedule.rounds <= 1 || round + 1 >= schedule.rounds) {
    return schedule.simulations;
  }
  const double later = static_cast<double>(round) / static_cast<double>(schedule.rounds - 1);
  const double share = schedule.first_share + (1.0 - schedule.first_share) * later;
  const auto done =
      static_cast<std::uint64_t>(std::llround(share * static_cast<double>(schedule.simulations)));
  return std::max<std::uint64_t>(done, 1);
}

std::string run_ladder(LadderParts& parts, const LadderSchedule& schedule) {
  std::set<std::uint64_t> known;
  if (parts.campaign.gap()) {
    correct(parts);
  }
  std::string ended;
  for (std::size_t round = 0; round < schedule.rounds; ++round) {
    ended = parts.driver.advance(parts.strategy, simulations_before(schedule, round));
    if (ended == "signal") {
      return ended;
    }
    add_new(parts, known);
    const auto batch = parts.campaign.round();
    if (!batch) {
      return "signal";
    }
    parts.finished(*batch);
    if (!batch->runs.empty() && parts.campaign.gap()) {
      correct(parts);
    }
  }
  return run_rounds(parts.campaign, parts.finished) ? ended : "signal";
}

bool run_rounds(Campaign& campaign, const std::function<void(const CampaignRound&)>& finished) {
  while (campaign.runs_left() > 0) {
    const auto batch = campaign.round();
    if (!batch) {
      return false;
    }
    finished(*batch);
    if (batch->runs.empty()) {
      break;
    }
  }
  return true;
}

} // namespace coulomb::calibration
