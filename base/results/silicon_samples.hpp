// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/silicon_metadata.hpp"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace coulomb::results {

/// Data row of a silicon table: its single launches in milliseconds, in the order measured.
using SiliconSamples = std::unordered_map<std::size_t, std::vector<double>>;

/// The single launches of a table, if its metadata names them; else nothing. Throws UserError with
/// path:line for a value that is no positive number.
[[nodiscard]] SiliconSamples load_silicon_samples(const SiliconMetadata& metadata);

} // namespace coulomb::results
