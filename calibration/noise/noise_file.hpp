// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/noise/noise_parameters.hpp"

#include <cstdint>
#include <string>

namespace coulomb::calibration {

/// Fitted noise of a board as data/noise/<board>.toml keeps it, with where it comes from.
struct NoiseFile {
  std::string board; ///< GPU id
  NoiseParameters parameters;
  std::string table;    ///< that it was fitted to
  std::string kernel;   ///< of that table
  std::string measured; ///< date of the measurements, ISO 8601
  std::string fitted;   ///< date of the fit, ISO 8601; empty: not stated
  std::uint64_t seed = 0;
  std::uint64_t configurations_fitted = 0;
  std::uint64_t configurations_held_out = 0;
  double ks_fitted = 0.0; ///< Kolmogorov-Smirnov distance of the pooled residuals
  double ks_held_out = 0.0;
};

/// The TOML text; load_noise() of it gives the same back.
[[nodiscard]] std::string noise_toml(const NoiseFile& file);

/// Throws UserError with every mistake, each with path:line: malformed, unknown key (did you mean),
/// missing key, wrong type, out of range.
[[nodiscard]] NoiseFile load_noise(const std::string& path);

/// data/noise of this installation.
[[nodiscard]] std::string noise_dir();

/// The shipped noise of a board. Throws UserError with the boards that there are.
[[nodiscard]] NoiseFile find_noise(const std::string& board, const std::string& dir = noise_dir());

} // namespace coulomb::calibration
