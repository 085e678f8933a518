// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"
#include "base/random.hpp"
#include "search/space/component_points.hpp"
#include "search/space/dimension.hpp"
#include "search/space/point_order.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coulomb::search {

/// The valid configurations of a tunable kernel, in a fixed order, with the moves between them.
/// Only the choices of parameters that restrictions join are kept, not their combinations: a space
/// of 10^15 points costs what its parts cost.
class SearchSpace {
public:
  /// Enumerates the configurations that satisfy the spec's restrictions, in the order of its value
  /// lists, last parameter fastest. Throws UserError if there are none, or more than 2^62.
  explicit SearchSpace(const kernel::TunableSpec& spec);
  /// A space with the given dimensions and valid gene vectors. Throws InternalError for a vector of
  /// the wrong length, a gene out of range or a repeated vector; UserError if there are none.
  SearchSpace(std::vector<Dimension> dimensions, const std::vector<Genes>& valid);
  SearchSpace(SearchSpace&&) = default;
  SearchSpace& operator=(SearchSpace&&) = default;
  SearchSpace(const SearchSpace&) = delete; // it may be large
  SearchSpace& operator=(const SearchSpace&) = delete;
  ~SearchSpace() = default;

  [[nodiscard]] std::uint64_t size() const { return order_->size(); }
  [[nodiscard]] const std::vector<Dimension>& dimensions() const { return dimensions_; }
  /// Dimensions that take more than one value; the others cannot be searched.
  [[nodiscard]] const std::vector<std::size_t>& active() const { return active_; }
  /// Sets of dimensions that can be chosen independently of each other.
  [[nodiscard]] const std::vector<ComponentPoints>& components() const { return components_; }

  /// Of every dimension, in the order of dimensions().
  [[nodiscard]] Genes genes(Point point) const;
  [[nodiscard]] kernel::Configuration configuration(Point point) const;
  [[nodiscard]] std::optional<Point> find(std::span<const Gene> genes) const;
  /// Nothing if the configuration is not valid, or names other parameters than the space's.
  [[nodiscard]] std::optional<Point> find(const kernel::Configuration& configuration) const;

  /// Valid points that differ in one gene, of a permutation by one swap of neighbouring items;
  /// nearest values first, then by dimension, lower value first.
  [[nodiscard]] std::vector<Point> neighbours(Point point) const;
  /// `count` different points, uniformly drawn without replacement (all of them if there are
  /// fewer).
  [[nodiscard]] std::vector<Point> sample(std::size_t count, RandomStream& random) const;

private:
  void add_dimensions(std::vector<Dimension> dimensions);
  void finish();
  [[nodiscard]] Genes own_genes(const ComponentPoints& component, std::span<const Gene> all) const;
  [[nodiscard]] Point point_of(std::span<const std::size_t> indices) const;

  std::vector<Dimension> dimensions_;
  std::vector<std::size_t> active_;
  std::vector<std::vector<Gene>> places_; ///< [dimension][gene]: place in the spec's value list
  std::vector<ComponentPoints> components_;
  std::vector<std::size_t> component_of_; ///< [dimension]
  std::optional<PointOrder> order_;       ///< set by the constructors
};

} // namespace coulomb::search
