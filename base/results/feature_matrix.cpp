// SPDX-License-Identifier: Apache-2.0
#include "base/results/feature_matrix.hpp"

#include "base/eval/features.hpp"

#include <utility>

namespace coulomb::results {

Hdf5Matrix feature_matrix(std::vector<double> values) {
  Hdf5Matrix matrix;
  matrix.name = "features";
  matrix.unit = "see units";
  matrix.description = "features of each evaluation (docs/features.md), NaN where one is not known";
  for (const eval::Feature& feature : eval::feature_table()) {
    matrix.columns.emplace_back(feature.name);
    matrix.column_units.emplace_back(feature.unit);
    matrix.column_descriptions.emplace_back(feature.definition);
  }
  matrix.values = std::move(values);
  return matrix;
}

} // namespace coulomb::results
