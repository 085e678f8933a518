// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/surrogate/correlation.hpp"

#include <span>

namespace coulomb::search {

/// Configurations and what was measured of them, standardised to mean 0 and variance 1.
struct Observations {
  std::size_t genes = 0;     ///< per configuration
  std::vector<Gene> points;  ///< [size][genes]
  std::vector<float> values; ///< [size]

  [[nodiscard]] std::size_t size() const { return values.size(); }
  [[nodiscard]] const Gene* point(std::size_t i) const { return points.data() + i * genes; }
};

/// Makes the correlation lengths and the noise (a share of the variance) those under which the
/// observations are most likely, a prior included: lengths around 0.7, noise around 0.001.
/// Coordinate-wise search from the present values, so that a later fit starts where the last ended.
void fit_hyperparameters(const Observations& observations, Correlation& correlation, float& noise);

/// -log of that likelihood, up to a constant; for tests.
[[nodiscard]] double negative_log_likelihood(const Observations& observations,
                                             const Correlation& correlation,
                                             float noise);

} // namespace coulomb::search
