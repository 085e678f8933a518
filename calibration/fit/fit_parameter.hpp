// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"

#include <string>
#include <vector>

namespace coulomb::calibration {

/// A number of a GPU file that may be fitted, and the range it is looked for in. Values are in the
/// key's unit.
struct FitParameter {
  std::string key;
  double low = 0.0;
  double high = 0.0;        ///< above low
  double start = 0.0;       ///< of the GPU file, within low and high
  bool whole = false;       ///< takes whole numbers only
  bool logarithmic = false; ///< steps are factors: the range spans a factor of kLogarithmicFrom

  /// The value at a position in the range, 0: low, 1: high; rounded if whole.
  [[nodiscard]] double value_at(double position) const;
  [[nodiscard]] double position_of(double value) const;
  /// "key=value", as `--set` takes it.
  [[nodiscard]] std::string assignment(double value) const;
  /// With its unit, as a person would write it.
  [[nodiscard]] std::string text(double value) const;
};
inline constexpr double kLogarithmicFrom = 8.0;

/// `request` is KEY, or KEY=LOW:HIGH for a part of the documented range (`coulomb config explain
/// KEY`). Throws UserError: unknown key; a key whose source is neither a fit nor an assumption,
/// with the kinds; a key that is no number and so has no range; bounds that cannot be read, are not
/// ascending, lie outside the documented range, or leave the present value out.
[[nodiscard]] FitParameter fit_parameter(const config::ResolvedGpu& gpu,
                                         const std::string& request);

/// Refuses to judge what is fitted on another GPU: it must have the present values, or taking over
/// the new ones means nothing. `table`: measured on `other`, for the message. Throws UserError.
void check_present_values(const std::vector<FitParameter>& parameters,
                          const config::GpuConfig& other,
                          const std::string& table);

} // namespace coulomb::calibration
