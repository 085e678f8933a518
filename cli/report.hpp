// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// Runs `coulomb report DIR [-o FILE]`: one HTML file about the search in DIR; with
/// --accuracy, run_report_accuracy(). Returns 0; throws UserError for wrong options and a directory
/// that holds no search.
int run_report(const std::vector<std::string>& args);

} // namespace coulomb::cli
