// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gap/gap_model.hpp"

#include <string>
#include <vector>

namespace coulomb::calibration {

/// What one input does to a prediction.
struct GapEffect {
  std::string feature;
  double value = 0.0;  ///< of the feature; NaN: unknown
  double offset = 0.0; ///< from the observations' mean, in standard deviations
  double effect = 0.0; ///< change of log_ratio against the same query with the mean in its place
};

struct GapNeighbour {
  std::size_t observation = 0; ///< position in GapModel::observations()
  double distance = 0.0;       ///< as GapPrediction's
};

/// Why the model predicts what it predicts.
struct GapExplanation {
  GapPrediction prediction;
  std::vector<double> parts;            ///< of log_ratio, by kGapParts: they sum up to it
  std::vector<GapEffect> effects;       ///< largest first; they need not sum up to anything
  std::vector<GapNeighbour> neighbours; ///< nearest observations, nearest first
};
[[nodiscard]] GapExplanation
explain(const GapModel& model, const GapQuery& query, std::size_t neighbours = 5);

/// The model as a whole.
struct GapGroup {
  std::string board;
  std::string spec;
  std::size_t n = 0;
  std::size_t outliers = 0; ///< observations whose trust is below one half
  double bias = 0.0;        ///< median of log_ratio
  double spread = 0.0;      ///< 90th less 10th percentile of log_ratio
};
struct GapInfluence {
  std::string feature;
  double mean_effect = 0.0; ///< mean of |GapEffect::effect| over (at most 200) observations
};
struct GapSummary {
  std::vector<GapGroup> groups;         ///< by board, then spec
  std::vector<GapInfluence> influences; ///< largest first
};
[[nodiscard]] GapSummary summarize(const GapModel& model);

} // namespace coulomb::calibration
