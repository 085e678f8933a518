// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace coulomb::hw {

/// Milliseconds after which NVML's power reading of this board no longer holds what was before:
/// the longer of its averaging window and its rise time, from `table` (data/power). A board that is
/// not in the table is taken to be as slow as the slowest that is. Throws UserError: unreadable
/// table.
[[nodiscard]] double power_window_ms(const std::string& table, const std::string& board);

} // namespace coulomb::hw
