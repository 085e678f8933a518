// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coulomb::kernel {

/// Parameters that restrictions join, with every choice of their values that satisfies them. The
/// valid configurations of a spec are all combinations of its components' choices.
struct SpaceComponent {
  std::vector<std::size_t> parameters; ///< ascending
  /// [choice][parameter]: positions in the value lists, in lexicographic order.
  std::vector<std::uint16_t> rows;
  [[nodiscard]] std::size_t size() const { return rows.size() / parameters.size(); }
};

/// The components of a spec, by first parameter; none if it has no parameters. Each is enumerated
/// by backtracking with forward checking over compiled restrictions, so the product of components
/// is never walked. A value that is listed twice counts once. Throws UserError if no configuration
/// is valid, naming the restriction that removed the most; if a component has more than 2^25
/// choices; and for a choice that satisfies all restrictions before one that cannot be evaluated.
[[nodiscard]] std::vector<SpaceComponent> valid_components(const TunableSpec& spec);

/// Every configuration that satisfies all restrictions, in the order of the value lists, last
/// parameter fastest. Throws as valid_components() does, and if there are more than 2^25.
[[nodiscard]] std::vector<Configuration> valid_configurations(const TunableSpec& spec);

/// How many there are, without making them; 0 is returned, not thrown. Saturates at 2^64 - 1.
[[nodiscard]] std::uint64_t count_valid(const TunableSpec& spec);

/// Size of the product of all value lists, restrictions ignored; saturates at 2^64 - 1.
[[nodiscard]] std::uint64_t cartesian_size(const TunableSpec& spec);

} // namespace coulomb::kernel
