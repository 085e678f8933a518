// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/search_options.hpp"
#include "search/engine/evaluator.hpp"
#include "search/space/search_space.hpp"

namespace coulomb::cli {

/// `search --dry-run`: compiles and simulates a few configurations, drawn at random with the
/// search's seed, and says what the whole budget would take. Nothing is stored; what was compiled
/// stays in the kernel cache. Returns 0, or 4 if none of them ran.
int estimate_search(const SearchOptions& options,
                    const kernel::TunableSpec& spec,
                    const search::SearchSpace& space,
                    search::Evaluator& evaluator);

} // namespace coulomb::cli
