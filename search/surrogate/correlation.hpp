// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/space/search_space.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace coulomb::search {

/// How alike the outcomes of two configurations are taken to be: the product over the searchable
/// parameters of exp(-distance / length), 1 for equal ones (the Matern kernel of order 1/2, which
/// suits the steps and cliffs of tuning spaces). The distance between two values is 0 to 1: along
/// the logarithm for positive numbers, along the position in the list for others, 0 or 1 between
/// categories, and by swaps of neighbouring items between permutations.
class Correlation {
public:
  explicit Correlation(const SearchSpace& space);

  /// Searchable parameters.
  [[nodiscard]] std::size_t dimensions() const { return axes_.size(); }
  [[nodiscard]] float length(std::size_t dimension) const { return axes_[dimension].length; }
  /// Distance over which likeness falls to 1/e; above 0.
  void set_length(std::size_t dimension, float length);

  /// `a` and `b` are whole gene vectors of the space.
  [[nodiscard]] float operator()(const Gene* a, const Gene* b) const {
    float product = 1.0F;
    for (const Axis& axis : axes_) {
      const Gene from = a[axis.gene];
      const Gene to = b[axis.gene];
      product *= axis.table.empty() ? axis.without_table(from, to)
                                    : axis.table[std::size_t{from} * axis.values + to];
    }
    return product;
  }
  /// Of `a` to each of several configurations, whose genes lie side by side: gene d of the j-th is
  /// `many[d * stride + j]`. The same values as one by one.
  void
  to_each(const Gene* a, const Gene* many, std::size_t stride, std::span<float> likeness) const;

private:
  struct Axis {
    std::size_t gene = 0;
    std::size_t values = 0;
    float length = 0.5F;
    Dimension dimension;
    std::vector<float> positions; ///< [values], if they are numbers; else empty
    std::vector<float> table; ///< [values][values] exp(-distance / length), unless they are many

    [[nodiscard]] float distance(Gene from, Gene to) const;
    [[nodiscard]] float without_table(Gene from, Gene to) const;
  };
  std::vector<Axis> axes_;
};

} // namespace coulomb::search
