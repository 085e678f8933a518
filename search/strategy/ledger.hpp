// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/strategy/seen_points.hpp"
#include "search/strategy/strategy.hpp"
#include "search/strategy/strategy_start.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace coulomb::search {

/// A point that a strategy chose, and what made it choose.
struct Choice {
  Point point = 0;
  std::string_view origin;
};

/// What every strategy keeps books of: which points were proposed, how many, and how many
/// evaluations are committed.
class Ledger {
public:
  /// `space` must outlive the ledger.
  Ledger(const SearchSpace& space, const StrategyStart& start);

  [[nodiscard]] const SearchSpace& space() const { return *space_; }
  [[nodiscard]] std::uint64_t proposed() const { return proposed_; }
  [[nodiscard]] std::uint64_t committed() const { return committed_; }
  /// Commitments that keep to the lookahead.
  [[nodiscard]] std::uint64_t needs() const {
    return proposed_ < start_.lookahead ? 0 : proposed_ - start_.lookahead + 1;
  }
  [[nodiscard]] const SeenPoints& seen() const { return seen_; }
  /// A point that somebody else evaluated: it will not be proposed. Known ones change nothing.
  void adopt(Point point) { seen_.add(point); }
  [[nodiscard]] bool exhausted() const { return seen_.unseen() == 0; }
  /// The random stream of this purpose for the next proposal.
  [[nodiscard]] RandomStream random(std::string_view purpose) const {
    return {start_.seed, purpose, proposed_};
  }
  /// The same for another index than the next proposal's number.
  [[nodiscard]] RandomStream random(std::string_view purpose, std::uint64_t index) const {
    return {start_.seed, purpose, index};
  }

  /// The next proposal: the point that the search was told to begin with, else what `choose`
  /// returns, a Choice of an unseen point or nothing. Throws InternalError if the point was
  /// proposed before, or the lookahead is exceeded.
  template <class Choose>
  [[nodiscard]] std::optional<Proposal> propose(const Choose& choose) {
    const std::optional<Choice> choice =
        proposed_ == 0 && start_.first ? Choice{*start_.first, "first"} : choose();
    return choice ? std::optional(enter(*choice)) : std::nullopt;
  }
  /// Throws InternalError unless `evaluated` is the first that was not committed.
  void commit(const Individual& evaluated);

private:
  Proposal enter(const Choice& choice);

  const SearchSpace* space_;
  StrategyStart start_;
  SeenPoints seen_;
  std::uint64_t proposed_ = 0;
  std::uint64_t committed_ = 0;
};

} // namespace coulomb::search
