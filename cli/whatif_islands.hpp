// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/whatif_options.hpp"

namespace coulomb::cli {

/// A study with [islands] and no genes: each kernel on one rail and on voltage islands.
int run_islands(const WhatIfOptions& options);

} // namespace coulomb::cli
