// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"
#include "base/results/silicon_table.hpp"

namespace coulomb::calibration {

/// Exclusion reason of rows whose parameter values the spec does not list.
inline constexpr const char* kOutsideSpace = "a parameter value is not in the spec's list";

/// Makes the rows of a table configurations of `spec`: every parameter of the spec, in its order,
/// with the value as the spec writes it. Rows with a value that the spec does not list are
/// excluded, with kOutsideSpace. Rows that violate a restriction stay: silicon ran them, so
/// refusing them is an error of ours that must count. Throws UserError: the table states another
/// problem size, has a parameter that the spec does not know, or says nothing about one of the
/// spec's.
[[nodiscard]] results::SiliconTable align(results::SiliconTable table,
                                          const kernel::TunableSpec& spec);

} // namespace coulomb::calibration
