// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace coulomb::calibration {

/// Weights of `columns` whose sum comes nearest to `target`: modified Gram-Schmidt (Bjorck, BIT 7,
/// 1967), for a handful of columns. All have target's length. A column of zeros, or one that those
/// before it make up to 9 digits, has weight 0.
[[nodiscard]] std::vector<double> least_squares(const std::vector<std::vector<double>>& columns,
                                                const std::vector<double>& target);

/// What the weighted columns leave of the target.
[[nodiscard]] std::vector<double> residual(const std::vector<std::vector<double>>& columns,
                                           const std::vector<double>& weights,
                                           std::vector<double> target);

[[nodiscard]] double norm(const std::vector<double>& vector);

} // namespace coulomb::calibration
