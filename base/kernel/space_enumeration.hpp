// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::kernel {

/// Every configuration that satisfies all restrictions, in the order of the value lists, last
/// parameter fastest. Backtracks: a restriction is evaluated as soon as its last parameter has a
/// value. Throws UserError if there is none, naming the restriction that removed the most.
[[nodiscard]] std::vector<Configuration> valid_configurations(const TunableSpec& spec);

/// How many there are, without making them; 0 is returned, not thrown.
[[nodiscard]] std::uint64_t count_valid(const TunableSpec& spec);

/// Size of the product of all value lists, restrictions ignored; saturates at 2^64 - 1.
[[nodiscard]] std::uint64_t cartesian_size(const TunableSpec& spec);

} // namespace coulomb::kernel
