// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/space/component_points.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace coulomb::search {

/// A valid configuration: its position in the space's fixed order.
using Point = std::uint64_t;

/// Numbers the combinations of the components' choices in lexicographic order of the dimensions.
/// Components whose dimensions do not interleave are the digits of a mixed-radix number; those that
/// do share a digit, which is found by counting the choices of each that come before.
class PointOrder {
public:
  /// `places[d][gene]` is the place of the gene in the order of dimension d. A component whose
  /// dimensions interleave with another's must have its rows in lexicographic order of places.
  /// Throws UserError if there are more than 2^62 points.
  PointOrder(const std::vector<ComponentPoints>& components,
             const std::vector<std::vector<Gene>>& places);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// From one index of each component, and back. `components` and `places` as in the constructor.
  [[nodiscard]] Point point(std::span<const std::size_t> indices,
                            const std::vector<ComponentPoints>& components,
                            const std::vector<std::vector<Gene>>& places) const;
  [[nodiscard]] std::vector<std::size_t>
  indices(Point point,
          const std::vector<ComponentPoints>& components,
          const std::vector<std::vector<Gene>>& places) const;

private:
  /// Components that share a digit.
  struct Digit {
    std::vector<std::size_t> components;
    /// If there are several: [dimension, ascending]: which of `components`, and which of its
    /// columns.
    std::vector<std::pair<std::size_t, std::size_t>> columns;
    std::uint64_t radix = 1;
    std::uint64_t weight = 1; ///< product of the radixes of later digits
  };
  void add_columns(Digit& digit, const std::vector<ComponentPoints>& components) const;

  std::vector<Digit> digits_;
  std::size_t components_ = 0;
  std::uint64_t size_ = 1;
};

} // namespace coulomb::search
