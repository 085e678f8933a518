// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace coulomb::calibration {

/// Minimises a function of a few variables without derivatives: Nelder and Mead's simplex (1965)
/// with their coefficients. For functions that are steps on a fine scale, such as distances of
/// empirical distributions. Deterministic.
struct SimplexSearch {
  std::vector<double> start;
  std::vector<double> step;      ///< of each variable from `start`: the size of the first simplex
  std::size_t evaluations = 300; ///< at most, about
  double tolerance = 1e-5;       ///< ends when the values at the corners are this close together

  [[nodiscard]] std::vector<double>
  minimise(const std::function<double(const std::vector<double>&)>& cost) const;
};

} // namespace coulomb::calibration
