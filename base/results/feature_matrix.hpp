// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/hdf5_writer.hpp"

#include <vector>

namespace coulomb::results {

/// The matrix `features` of an HDF5 file: one column per feature of eval::feature_table(), with its
/// name, unit and definition. `values` are [rows][features], as eval::features() gives them: NaN
/// where a feature is not known.
[[nodiscard]] Hdf5Matrix feature_matrix(std::vector<double> values);

} // namespace coulomb::results
