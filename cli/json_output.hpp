// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "calibration/expected_error.hpp"
#include "search/engine/evaluator.hpp"

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::cli {

/// Version of the JSON objects that commands print; raised when a field changes its meaning.
inline constexpr int kJsonSchema = 1;

/// True if the command line asks for JSON: an argument `--json`.
[[nodiscard]] bool wants_json(const std::vector<std::string>& args);
/// {"error":{"kind","message","hint"}} on one line.
[[nodiscard]] std::string error_json(const Error& error);
/// The "expected_error" field of `run --json`: null if the kernel was not timed; its figures are
/// null if no kernel of its character was measured.
[[nodiscard]] nlohmann::ordered_json
expected_error_json(const std::optional<calibration::ExpectedError>& expected);
/// The "features" field of `run --json`: eval::feature_table() by name; what is not known is null.
[[nodiscard]] nlohmann::ordered_json features_json(const search::Evaluation& evaluation,
                                                   const config::GpuConfig& gpu);
/// The object that `run --json` prints: fractions, seconds, bytes and NVIDIA's metric names.
/// Numbers that the evaluation does not have are null. The fields of `more` follow the others.
[[nodiscard]] nlohmann::ordered_json run_result_json(const search::Evaluation& evaluation,
                                                     const std::string& kernel,
                                                     const std::string& gpu,
                                                     const nlohmann::ordered_json& more);
/// As commands print it: indented; bytes of a kernel's output that are no UTF-8 are replaced.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value);

} // namespace coulomb::cli
