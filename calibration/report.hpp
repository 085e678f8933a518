// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gate.hpp"
#include "calibration/validation.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// The report as one JSON object (schema 1): times in ms, clocks in MHz, errors
/// and regrets as fractions; a figure that the rows do not define is null.
[[nodiscard]] std::string to_json_text(const ValidationReport& report,
                                       const std::vector<Gate>& gates);

/// The report for people: what was compared, the figures with their spread, the `worst` rows with
/// the largest errors, every miss, the verdict of each gate, and the line that reproduces it.
[[nodiscard]] std::string
to_text(const ValidationReport& report, const std::vector<Gate>& gates, std::size_t worst = 10);

} // namespace coulomb::calibration
