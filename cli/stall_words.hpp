// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace coulomb::cli {

/// "waiting for global memory" for Nsight Compute's "long_scoreboard"; an unknown reason stays.
[[nodiscard]] std::string stall_words(std::string_view reason);

} // namespace coulomb::cli
