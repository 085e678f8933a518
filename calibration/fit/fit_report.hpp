// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/fit/fit.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coulomb::calibration {

/// Before and after, a table of its own for what was fitted and for each kind of held-out.
[[nodiscard]] std::string to_text(const FitReport& report);
/// Fractions; figures that are not defined are null.
[[nodiscard]] nlohmann::ordered_json to_json(const FitReport& report);

/// Source of a fitted value: kind "fit"; what it was fitted to with n, and in the note the error
/// before and after, fitted and held out apart. `tables`: names of the fitted tables' files, by
/// which `coulomb validate` knows that they were fitted to.
[[nodiscard]] config::Provenance provenance_of(const FitReport& report,
                                               const std::vector<std::string>& tables,
                                               const std::string& date);

} // namespace coulomb::calibration
