// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/profile.hpp"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace coulomb::cli {

/// The `count` instructions with the most warp-cycles, the most first, and the source lines they
/// add up to; shares are of the warp-cycles of all instructions. Empty if nothing was recorded.
[[nodiscard]] std::string hot_report_text(const std::vector<eval::HotInstruction>& instructions,
                                          std::size_t count);

/// The same as the arrays `hot` and `hot_lines` of `object`; fractions, raw counts of the simulated
/// CTAs.
void add_hot_json(nlohmann::ordered_json& object,
                  const std::vector<eval::HotInstruction>& instructions,
                  std::size_t count);

} // namespace coulomb::cli
