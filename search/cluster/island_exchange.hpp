// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/cluster/migrant_file.hpp"
#include "search/driver/search_driver.hpp"
#include "search/store/search_store.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace coulomb::search {

/// The meetings of one island with the others, through the directory that they share. What it takes
/// goes into its own journal first, so a continued island takes the same at the same number of
/// commitments, and only later meetings look at what lies there now. It never waits for anybody.
class IslandExchange {
public:
  /// `store` is the island's own, whose header names the island, the topology and the interval; it
  /// must outlive this. `shared` is the directory of all islands.
  IslandExchange(SearchStore& store, const std::string& shared);

  /// For SearchDriver::exchange_with(); this must outlive the driver.
  [[nodiscard]] MigrantExchange exchange();
  /// Why the first offer that could not be written was not; empty: all were.
  [[nodiscard]] const std::string& problem() const { return problem_; }

private:
  [[nodiscard]] std::vector<EvaluationRecord> meet(std::uint64_t committed,
                                                   const std::vector<EvaluationRecord>& best);
  void offer(std::uint64_t sequence, const std::vector<EvaluationRecord>& best);
  [[nodiscard]] MigrationRecord look_around(std::uint64_t committed) const;

  SearchStore& store_;
  MigrantDirectory directory_;
  std::string search_;                                ///< what all islands have in common
  std::uint64_t published_;                           ///< sequence of the latest offer
  std::vector<std::uint64_t> sources_;                ///< islands that send migrants here
  std::map<std::uint64_t, std::uint64_t> taken_;      ///< island: sequence of its latest arrival
  std::map<std::uint64_t, MigrationRecord> recorded_; ///< by commitments
  std::string problem_;
};

} // namespace coulomb::search
