// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/evaluation_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// What an island offers to the others at one of its meetings.
struct Migrants {
  std::uint64_t island = 0;
  std::uint64_t sequence = 0; ///< 1, 2, 3, ... of this island
  std::string search;         ///< stands for what all islands of a search have in common
  std::vector<EvaluationRecord> evaluations; ///< best first
  bool operator==(const Migrants&) const = default;
};

/// A directory through which islands pass migrants: a small checksummed file for each meeting of
/// each island, written under another name and renamed, named by island and sequence. It needs no
/// lock. A file that is missing, torn or of another search is passed over.
class MigrantDirectory {
public:
  /// DIR/migrants of a directory that all islands share.
  explicit MigrantDirectory(const std::string& shared);

  /// The newest whole offer of `island` for `search`; nothing if there is none.
  [[nodiscard]] std::optional<Migrants> newest(std::uint64_t island,
                                               const std::string& search) const;
  /// Sequence of the newest file of `island`, whole or not; 0: there is none.
  [[nodiscard]] std::uint64_t last_sequence(std::uint64_t island) const;
  /// Adds an offer; all but the latest two of that island are removed, so that a reader that has
  /// just looked still finds one. Throws EnvironmentError if it cannot be written.
  void publish(const Migrants& migrants) const;
  /// Removes all offers of `island`: its search begins anew.
  void forget(std::uint64_t island) const;
  [[nodiscard]] std::string path(std::uint64_t island, std::uint64_t sequence) const;

private:
  /// Of an island's files, ascending.
  [[nodiscard]] std::vector<std::uint64_t> sequences(std::uint64_t island) const;

  std::string dir_;
};

} // namespace coulomb::search
