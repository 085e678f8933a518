// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/space/search_space.hpp"

#include <cstddef>
#include <optional>

namespace coulomb::search {

/// How far a child may be from its nearest parent: steps summed over the parameters (see
/// distance()). Points that have no parent, random ones, are not bound.
class Fence {
public:
  /// `space` must outlive the fence; no `steps`: everything is allowed. A fence is 1 step at least.
  Fence(const SearchSpace& space, std::optional<std::size_t> steps)
      : space_(&space), steps_(steps) {}

  [[nodiscard]] bool open() const { return !steps_; }
  [[nodiscard]] bool allows(Point parent, Point child) const;

private:
  const SearchSpace* space_;
  std::optional<std::size_t> steps_;
};

} // namespace coulomb::search
