// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb compare A.json B.json`: what differs between two saved outputs of `run --json`. Returns
/// 1 if `--gate PERCENT` is given and B takes more than that longer, else 0; throws UserError for a
/// file that is not such an output.
int run_compare(const std::vector<std::string>& args);

} // namespace coulomb::cli
