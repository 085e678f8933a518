// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb calibrate explain MODEL [--observations FILE --row N]`: what the gap model learnt, and
/// why it predicts what it predicts.
int run_calibrate_explain(const std::vector<std::string>& args);

} // namespace coulomb::cli
