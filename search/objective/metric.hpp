// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/evaluation_record.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// Names that objectives may use beside those of counters: time_ms, cycles, ipc, registers, and of
/// the power model power_w (W), energy_mj (mJ a launch), edp (mJ ms), temperature_c (C), and
/// area_mm2 of the die.
[[nodiscard]] std::vector<std::string> figure_names();
/// The figure of an ok evaluation, a counter by its NVIDIA name included; nothing if it has none.
[[nodiscard]] std::optional<double> metric(const EvaluationRecord& record, const std::string& name);
/// Checks that evaluations which have the figures and counters `available` have all of `wanted`.
/// Throws UnsupportedError for a figure of the power model that is not there, UserError (did
/// you mean) for any other.
void check_metrics(const std::vector<std::string>& wanted,
                   const std::vector<std::string>& available);

} // namespace coulomb::search
