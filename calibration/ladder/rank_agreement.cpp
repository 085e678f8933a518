// SPDX-License-Identifier: Apache-2.0
#include "calibration/ladder/rank_agreement.hpp"

#include "calibration/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::calibration {
namespace {

constexpr std::size_t kFewest = 3;

RankAgreement agreement(std::string lower,
                        std::string upper,
                        const std::vector<double>& lower_ms,
                        const std::vector<double>& upper_ms) {
  RankAgreement result{std::move(lower), std::move(upper), lower_ms.size(), {}, {}};
  if (lower_ms.size() < kFewest) {
    return result;
  }
  result.spearman = spearman(lower_ms, upper_ms);
  result.top_regret =
      top_k_regret(upper_ms, lower_ms, 1, *std::min_element(upper_ms.begin(), upper_ms.end()));
  return result;
}

/// Time on a rung above the first, if the candidate was there and did not fail.
std::optional<double> rung_ms(const LadderCandidate& candidate, std::size_t rung) {
  const auto& outcome = candidate.rungs[rung];
  return outcome && outcome->problem.empty()
             ? std::optional(candidate.sim_ms * std::exp(outcome->log_factor))
             : std::nullopt;
}

} // namespace

std::vector<RankAgreement> rank_agreements(const Campaign& campaign,
                                           const std::string& first_rung) {
  std::vector<RankAgreement> all;
  const auto& rungs = campaign.rungs();
  for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
    std::vector<double> lower;
    std::vector<double> upper;
    for (const LadderCandidate& candidate : campaign.candidates()) {
      if (const auto ms = rung_ms(candidate, rung)) {
        lower.push_back(candidate.sim_ms);
        upper.push_back(*ms);
      }
    }
    all.push_back(agreement(first_rung, rungs[rung].name, lower, upper));
  }
  std::vector<double> simulated;
  std::vector<double> expected;
  std::vector<double> silicon;
  std::vector<std::vector<double>> on_rung(rungs.size());
  for (const SiliconRun& run : campaign.runs()) {
    if (!run.problem.empty()) {
      continue;
    }
    const LadderCandidate& candidate = campaign.candidate(run.id);
    silicon.push_back(run.ms);
    expected.push_back(run.expected_ms);
    simulated.push_back(candidate.sim_ms);
    for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
      on_rung[rung].push_back(rung_ms(candidate, rung).value_or(candidate.sim_ms));
    }
  }
  all.push_back(agreement(first_rung, "silicon", simulated, silicon));
  for (std::size_t rung = 0; rung < rungs.size(); ++rung) {
    all.push_back(agreement(rungs[rung].name, "silicon", on_rung[rung], silicon));
  }
  all.push_back(agreement("expected", "silicon", expected, silicon));
  return all;
}

} // namespace coulomb::calibration
