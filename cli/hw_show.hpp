// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb hw show FILE`: the measurements of a file as one table. Returns 0; throws UserError for
/// a file that is none.
int run_hw_show(const std::vector<std::string>& args);

} // namespace coulomb::cli
