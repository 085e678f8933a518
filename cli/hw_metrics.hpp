// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb hw metrics [--set NAME | --file F] [NAME...] [--chip GA100] [--json]`: asks CUPTI
/// whether a chip has these metrics, in which unit, and in how many passes they are collected
/// together. Needs no GPU. Without names and sets: the sets that there are. `args` are the words
/// after `metrics`. Returns 0, or 2 if a metric is unknown; throws Error, of exit code 3 if there
/// is no CUPTI.
int run_hw_metrics(const std::vector<std::string>& args);

} // namespace coulomb::cli
