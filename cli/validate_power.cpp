// SPDX-License-Identifier: Apache-2.0
#include "cli/validate_power.hpp"

#include "base/config/gpu_catalogue.hpp"
#include "base/text.hpp"
#include "cli/kernel_runs.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace coulomb::cli {

namespace check = calibration::power;

int validate_power(const ValidatePowerOptions& options) {
  const auto points = check::read_power_points(options.table);
  KernelRuns runs(options.overrides);
  const auto checks = check::check_power_points(
      points,
      [&](const std::string& gpu) { return config::load_gpu(gpu, options.overrides).config; },
      [&](const std::string& gpu, const std::string& spec, double mhz) {
        return runs(gpu, spec, mhz);
      });
  const std::string json = check::power_report_json(checks) + "\n";
  if (!options.out.empty()) {
    write_file_atomically(options.out, json);
  }
  fmt::print("{}", options.json ? json : check::power_report_text(checks));
  return 0;
}

} // namespace coulomb::cli
