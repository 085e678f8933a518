// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::calibration {

/// How a feature enters the gap model.
enum class Transform : std::uint8_t {
  identity,
  log1p, ///< log(1 + x): counts and rates that matter by their order of magnitude
};
[[nodiscard]] std::string_view to_string(Transform transform);

/// One input of the gap model: a feature of the evaluation that stands for a mechanism which a
/// simulator of this kind can get wrong. No input is a parameter of a kernel.
struct GapInput {
  std::string name; ///< of eval::feature_table()
  Transform transform = Transform::identity;
  double resolution = 0.01; ///< least scale, after the transform: a difference that says something
  std::size_t feature = 0;  ///< position in eval::feature_table()

  /// The input of a feature vector; NaN if it is not known.
  [[nodiscard]] double of(std::span<const double> features) const;
};

/// The inputs that new models use (docs/calibration.md says what each stands for).
[[nodiscard]] std::vector<GapInput> gap_inputs();

/// Throws UserError if there is no such feature or transform; `where` starts the message.
[[nodiscard]] GapInput make_gap_input(const std::string& name,
                                      const std::string& transform,
                                      double resolution,
                                      const std::string& where);

} // namespace coulomb::calibration
