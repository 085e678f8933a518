// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/validation.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coulomb::calibration {

/// A condition on a report that makes a validation fail: "mape > 0.2".
struct Gate {
  std::string text;       ///< as written, for messages
  std::string metric;     ///< one of gate_metrics()
  std::string comparison; ///< ">", ">=", "<" or "<="
  double bound = 0.0;     ///< a fraction where the metric is one
};

/// Names as in the JSON report: "mape", "scale_free.mape", "invalid.sim_only", ...
[[nodiscard]] std::vector<std::string> gate_metrics();

/// Throws UserError: no comparison, unknown metric (did you mean), bound that is not a number.
[[nodiscard]] Gate parse_gate(const std::string& text);

/// Value of the gate's metric in the report; absent if the report has none.
[[nodiscard]] std::optional<double> metric_value(const Gate& gate, const ValidationReport& report);

/// Whether the validation fails. A metric that the report does not have fails too: a gate that
/// cannot be judged must not pass.
[[nodiscard]] bool fails(const Gate& gate, const ValidationReport& report);

} // namespace coulomb::calibration
