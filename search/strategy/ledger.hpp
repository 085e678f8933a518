// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/ga/seen_points.hpp"
#include "search/strategy/strategy.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace coulomb::search {

/// What every strategy keeps books of: which points were proposed, how many, and how many
/// evaluations are committed.
class Ledger {
public:
  /// Up to `lookahead` proposals (at least 1) are out at a time. `space` must outlive the ledger.
  Ledger(const SearchSpace& space, std::uint64_t lookahead);

  [[nodiscard]] const SearchSpace& space() const { return *space_; }
  [[nodiscard]] std::uint64_t proposed() const { return proposed_; }
  [[nodiscard]] std::uint64_t committed() const { return committed_; }
  [[nodiscard]] std::uint64_t lookahead() const { return lookahead_; }
  /// Commitments that keep to the lookahead.
  [[nodiscard]] std::uint64_t needs() const {
    return proposed_ < lookahead_ ? 0 : proposed_ - lookahead_ + 1;
  }

  [[nodiscard]] const SeenPoints& seen() const { return seen_; }
  [[nodiscard]] bool exhausted() const { return seen_.unseen() == 0; }
  /// Makes an unseen point the next proposal. Throws InternalError if it was proposed before.
  [[nodiscard]] Proposal propose(Point point, std::string_view origin);
  /// Throws InternalError unless `evaluated` is the first that was not committed.
  void commit(const Individual& evaluated);

private:
  const SearchSpace* space_;
  std::uint64_t lookahead_;
  SeenPoints seen_;
  std::uint64_t proposed_ = 0;
  std::uint64_t committed_ = 0;
};

} // namespace coulomb::search
