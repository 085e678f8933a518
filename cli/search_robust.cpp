// SPDX-License-Identifier: Apache-2.0
#include "cli/search_robust.hpp"

#include "base/error.hpp"
#include "calibration/robust/robust_metrics.hpp"

namespace coulomb::cli {

calibration::GpuDraws robust_draws(const SearchOptions& options, const config::GpuConfig& gpu) {
  if (options.robust == 0) {
    return {};
  }
  return calibration::common_draws(calibration::ModelNoise::load(options.noise), gpu,
                                   options.robust);
}

void check_robust_metrics(const std::vector<std::string>& metrics, const SearchOptions& options) {
  for (const std::string& metric : metrics) {
    if (options.robust == 0 && metric.starts_with(calibration::kRobustPrefix)) {
      throw UserError(fmt::format("objective: {} is of perturbed GPUs, and there are none", metric),
                      "add --robust 8: draws of the model noise");
    }
  }
}

} // namespace coulomb::cli
