// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb config list | show GPU | explain KEY [--gpu G] | diff A B | check FILE`, each with
/// --json. `args` are the words after `config`. Returns the exit code; throws Error.
int run_config(const std::vector<std::string>& args);

} // namespace coulomb::cli
