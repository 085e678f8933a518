// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::search {

/// Position of a parameter's value in its ordered value list.
using Gene = std::uint16_t;
using Genes = std::vector<Gene>;

/// One parameter of a space; numbers are in ascending order, other values as the spec lists them.
struct Dimension {
  std::string name;
  std::vector<kernel::ParameterValue> values;
  kernel::ParameterKind kind = kernel::ParameterKind::ordered;
};

/// Steps between two values: places in the list, 1 between different categories, swaps of
/// neighbouring items of a permutation.
[[nodiscard]] std::size_t distance(const Dimension& dimension, Gene from, Gene to);

/// The distance as a share of the largest one, 0 to 1.
[[nodiscard]] double change(const Dimension& dimension, Gene from, Gene to);

/// The values that a search may step to from `from`, ascending: all others; of a permutation those
/// that one swap of neighbouring items makes.
[[nodiscard]] Genes steps(const Dimension& dimension, Gene from);

} // namespace coulomb::search
