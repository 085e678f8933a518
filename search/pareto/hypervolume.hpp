// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/pareto/dominance.hpp"

#include <optional>

namespace coulomb::search {

/// Volume of what the points dominate up to `reference`. Points that are not better than it in
/// every objective add nothing. O(n log n) for two objectives, O(n^(m-1) log n) for m.
[[nodiscard]] double hypervolume(std::span<const Objectives> points, const Objectives& reference);

/// The front of a search as it grows, and its hypervolume in units that do not depend on those of
/// the objectives: each is scaled so that its worst value among the first kFirst candidates, which
/// is the reference, is 1 and its best 0.
class GrowingFront {
public:
  static constexpr std::size_t kFirst = 12;

  /// Values of one more candidate. Returns true if the front or its hypervolume is another now.
  bool add(const Objectives& values);
  [[nodiscard]] std::size_t size() const { return front_.size(); }
  /// Nothing before there are kFirst candidates.
  [[nodiscard]] std::optional<double> hypervolume() const;

private:
  [[nodiscard]] Objectives scaled(const Objectives& values) const;

  std::vector<Objectives> front_;
  std::size_t seen_ = 0;
  Objectives least_;
  Objectives most_;
};

} // namespace coulomb::search
