// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/comparison.hpp"

#include <nlohmann/json.hpp>
#include <string>

namespace coulomb::cli {

/// What `compare` prints for people: both runs, inputs, stalls and counters that differ.
[[nodiscard]] std::string
comparison_text(const SavedRun& a, const SavedRun& b, const Comparison& comparison);
/// The same as an object, without "schema" and "gate".
[[nodiscard]] nlohmann::ordered_json
comparison_json(const SavedRun& a, const SavedRun& b, const Comparison& comparison);

} // namespace coulomb::cli
