// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/search_ladder.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace coulomb::cli {

/// The "silicon" field of `search --json`. `curve`: pairs [runs, best ms], one per improvement.
[[nodiscard]] nlohmann::ordered_json ladder_json(const LadderOutcome& outcome);
/// The same for a reader: the best run, a table of the rungs, how far their ranks agree, what
/// became of the winner at other problem sizes.
[[nodiscard]] std::string ladder_text(const LadderOutcome& outcome);

} // namespace coulomb::cli
