// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"
#include "base/random.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace coulomb::search {

/// Position of a parameter's value in its ordered value list.
using Gene = std::uint16_t;
using Genes = std::vector<Gene>;
/// A valid configuration: its position in the space's fixed order.
using Point = std::size_t;

/// One parameter of a space; numbers are in ascending order, other values as the spec lists them.
struct Dimension {
  std::string name;
  std::vector<kernel::ParameterValue> values;
};

/// The valid configurations of a tunable kernel, in a fixed order, with the moves between them.
class SearchSpace {
public:
  /// Enumerates the configurations that satisfy the spec's restrictions. Throws UserError if there
  /// are none.
  explicit SearchSpace(const kernel::TunableSpec& spec);
  /// A space with the given dimensions and valid gene vectors. Throws InternalError for a vector of
  /// the wrong length, a gene out of range or a repeated vector; UserError if there are none.
  SearchSpace(std::vector<Dimension> dimensions, const std::vector<Genes>& valid);
  SearchSpace(SearchSpace&&) = default;
  SearchSpace& operator=(SearchSpace&&) = default;
  SearchSpace(const SearchSpace&) = delete; // the index views the genes
  SearchSpace& operator=(const SearchSpace&) = delete;
  ~SearchSpace() = default;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::vector<Dimension>& dimensions() const { return dimensions_; }
  /// Dimensions that take more than one value; the others cannot be searched.
  [[nodiscard]] const std::vector<std::size_t>& active() const { return active_; }

  [[nodiscard]] std::span<const Gene> genes(Point point) const {
    return {genes_.data() + point * dimensions_.size(), dimensions_.size()};
  }
  [[nodiscard]] kernel::Configuration configuration(Point point) const;
  [[nodiscard]] std::optional<Point> find(std::span<const Gene> genes) const;
  /// Nothing if the configuration is not valid, or names other parameters than the space's.
  [[nodiscard]] std::optional<Point> find(const kernel::Configuration& configuration) const;

  /// Valid points that differ in one gene, nearest values first, then by dimension, lower value
  /// first.
  [[nodiscard]] std::vector<Point> neighbours(Point point) const;
  /// The valid point nearest to any gene vector: fewest genes changed, then least total change
  /// (each gene's change as a share of its range), then the first in the space's order.
  [[nodiscard]] Point nearest(std::span<const Gene> genes) const;
  /// `count` different points, uniformly drawn without replacement (all of them if there are
  /// fewer).
  [[nodiscard]] std::vector<Point> sample(std::size_t count, RandomStream& random) const;

private:
  void add_dimensions(std::vector<Dimension> dimensions);
  void add_points(const std::vector<Genes>& valid);
  [[nodiscard]] double change(std::size_t dimension, Gene from, Gene to) const;
  [[nodiscard]] std::optional<Point> nearest_by_one_gene(std::span<const Gene> genes) const;
  [[nodiscard]] std::optional<Point> nearest_by_two_genes(std::span<const Gene> genes) const;
  [[nodiscard]] Point nearest_by_scan(std::span<const Gene> genes) const;

  std::vector<Dimension> dimensions_;
  std::vector<std::size_t> active_;
  std::size_t size_ = 0;
  std::vector<Gene> genes_;                           ///< [size][dimensions]
  std::unordered_map<std::string_view, Point> index_; ///< keys view the bytes of `genes_`
};

} // namespace coulomb::search
