// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// True if `word` is a sub-command that looks at a search: status, best, export.
[[nodiscard]] bool is_inspection(const std::string& word);
/// Runs `coulomb search status|best|export DIR ...`; `args` starts with the sub-command. Returns 0;
/// throws UserError for wrong options and a directory that holds no search.
int run_inspection(const std::vector<std::string>& args);

} // namespace coulomb::cli
