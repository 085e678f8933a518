// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/space/dimension.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace coulomb::search {

/// The valid choices of dimensions that restrictions join, in a fixed order. Gene vectors here have
/// the genes of these dimensions only.
class ComponentPoints {
public:
  /// `rows` is [choice][dimension]; `dimensions` ascend. Throws InternalError for a repeated row.
  ComponentPoints(std::vector<std::size_t> dimensions, std::vector<Gene> rows);

  [[nodiscard]] std::size_t size() const { return rows_.size() / dimensions_.size(); }
  [[nodiscard]] const std::vector<std::size_t>& dimensions() const { return dimensions_; }
  [[nodiscard]] std::span<const Gene> row(std::size_t index) const {
    return {rows_.data() + index * dimensions_.size(), dimensions_.size()};
  }
  [[nodiscard]] std::optional<std::size_t> find(std::span<const Gene> genes) const;

private:
  [[nodiscard]] std::size_t bucket_of(std::span<const Gene> genes) const;

  std::vector<std::size_t> dimensions_;
  std::vector<Gene> rows_;
  std::vector<std::uint32_t> buckets_; ///< row + 1, or 0; a power of two of them, half empty
};

} // namespace coulomb::search
