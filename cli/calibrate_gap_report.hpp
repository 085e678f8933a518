// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gap/cross_validation.hpp"
#include "calibration/gap/explanation.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace coulomb::cli {

/// What `calibrate gap` prints.
struct GapReport {
  std::string out; ///< path of the model
  std::size_t observations = 0;
  calibration::HeldOutSettings split;
  calibration::CrossValidation held_out;
  std::vector<calibration::CrossValidationRow> excluded; ///< `held_out` means nothing there
};

[[nodiscard]] std::string gap_report_text(const GapReport& report);
[[nodiscard]] nlohmann::ordered_json gap_report_json(const GapReport& report);

/// The model as a whole.
[[nodiscard]] std::string gap_summary_text(const calibration::GapModel& model,
                                           const calibration::GapSummary& summary);
[[nodiscard]] nlohmann::ordered_json gap_summary_json(const calibration::GapModel& model,
                                                      const calibration::GapSummary& summary);

/// One prediction; `observed` is what was asked about.
[[nodiscard]] std::string gap_explanation_text(const calibration::GapModel& model,
                                               const calibration::Observation& observed,
                                               const calibration::GapExplanation& explanation);
[[nodiscard]] nlohmann::ordered_json
gap_explanation_json(const calibration::GapModel& model,
                     const calibration::Observation& observed,
                     const calibration::GapExplanation& explanation);

} // namespace coulomb::cli
