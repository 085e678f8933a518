// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/gap/gap_model.hpp"
#include "cli/search_ladder_options.hpp"

#include <optional>
#include <string>

namespace coulomb::cli {

/// The gap model that a search on `board` with kernel `spec` begins with; nothing if it is left
/// out. The default one is learnt from data/calibration without what is of this board and kernel:
/// their silicon is what the search asks for. `own`: observations of both in a model from a file.
[[nodiscard]] std::optional<calibration::GapModel> search_gap_model(const LadderOptions& ladder,
                                                                    const std::string& board,
                                                                    const std::string& spec,
                                                                    std::size_t& own);

} // namespace coulomb::cli
