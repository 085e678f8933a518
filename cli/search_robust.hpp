// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/robust/perturbed_evaluators.hpp"
#include "cli/search_options.hpp"

#include <string>
#include <vector>

namespace coulomb::cli {

/// The draws of the model noise that `options` ask for; none if the search is not robust. Throws
/// what ModelNoise::load() and draw() throw.
[[nodiscard]] calibration::GpuDraws robust_draws(const SearchOptions& options,
                                                 const config::GpuConfig& gpu);
/// Throws UserError if `metrics` has one that only a robust search gives, and this is none.
void check_robust_metrics(const std::vector<std::string>& metrics, const SearchOptions& options);

} // namespace coulomb::cli
