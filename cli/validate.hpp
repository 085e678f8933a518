// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb validate --spec SPEC --gpu G --silicon TABLE ...`: simulates rows drawn from a table of
/// recorded silicon and reports how far off the simulator is. `args` are the words after
/// `validate`. Returns 0, or 1 if a --fail-if condition holds; throws Error for wrong input and a
/// wrong environment.
int run_validate(const std::vector<std::string>& args);

} // namespace coulomb::cli
