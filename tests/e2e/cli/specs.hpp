// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/e2e/cli/coulomb_process.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace coulomb::e2e {

inline const std::string kGpu = "a100-pcie-40gb"; ///< that most tests simulate

/// The T1 file of one of Coulomb's own kernels.
[[nodiscard]] nlohmann::json shipped_spec(const std::string& name);
/// Writes NAME.json and copies the .cu file of the shipped kernel that it is derived from.
void write_spec(const Workplace& workplace,
                const std::string& name,
                const nlohmann::json& spec,
                const std::string& shipped);
/// saxpy over so few elements that a simulation takes milliseconds: "small.json".
void write_small_saxpy(const Workplace& workplace, std::int64_t elements = 65'536);
/// The convolution over 8 configurations that compile quickly: "tiny.json".
void write_tiny_convolution(const Workplace& workplace);
/// NAME.json and NAME.cu: a kernel of saxpy's arguments and oracle over 4,096 elements, one element
/// a thread, in blocks of 64. `body` computes element `i` from count, alpha, x and y.
void write_kernel(const Workplace& workplace, const std::string& name, const std::string& body);

/// Column: value.
using Cells = std::map<std::string, std::string>;
/// The rows of a shipped silicon table, DIRECTORY/NAME, that hold all cells of one of `wanted`,
/// under the shipped description: NAME.csv.
void write_table(const Workplace& workplace,
                 const std::string& directory,
                 const std::string& name,
                 const std::vector<Cells>& wanted);
/// Rows of the A100's convolution that compile quickly, and failing ones; returns the file's name.
[[nodiscard]] std::string write_a100_table(const Workplace& workplace);

/// The words of `json`'s keys.
[[nodiscard]] std::vector<std::string> keys(const nlohmann::json& json);
/// A file of the workplace.
[[nodiscard]] std::string read(const Workplace& workplace, const std::string& name);
/// The evaluations that the search directory `out` holds, without what depends on the host: seconds
/// and time of day.
[[nodiscard]] nlohmann::json recorded_evaluations(const Workplace& workplace,
                                                  const std::string& out);
/// Asserts {"error":{"kind","message","hint"}} and nothing else on standard output, and returns it.
[[nodiscard]] nlohmann::json error_of(const Result& result, const std::string& kind);

} // namespace coulomb::e2e
