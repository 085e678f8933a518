// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/island_exchange.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "search/ga/topology.hpp"

#include <boost/range/iterator_range.hpp>
#include <nlohmann/json.hpp>

namespace coulomb::search {
namespace {

std::vector<std::uint64_t> islands_that_reach(std::uint64_t island, const SearchHeader& header) {
  const auto topology = make_topology(header.topology, header.islands);
  std::vector<std::uint64_t> sources;
  for (const auto edge : boost::make_iterator_range(boost::edges(*topology))) {
    if (boost::target(edge, *topology) == island) {
      sources.push_back(boost::source(edge, *topology));
    }
  }
  return sources;
}

} // namespace

IslandExchange::IslandExchange(SearchStore& store, const std::string& shared)
    : store_(store), directory_(shared) {
  const SearchHeader& header = store_.records().header;
  COULOMB_CHECK(header.island && header.migration_interval > 0, "{} is no island", store_.dir());
  search_ = hash128_hex(to_json(common_part(header)).dump());
  if (store_.records().evaluations.empty()) {
    directory_.forget(*header.island);
  }
  published_ = directory_.last_sequence(*header.island);
  sources_ = islands_that_reach(*header.island, header);
  for (const MigrationRecord& migration : store_.records().migrations) {
    recorded_.emplace(migration.at, migration);
  }
}

MigrantExchange IslandExchange::exchange() {
  return {.interval = store_.records().header.migration_interval,
          .meet = [this](std::uint64_t committed, const std::vector<EvaluationRecord>& best) {
            return meet(committed, best);
          }};
}

std::vector<EvaluationRecord> IslandExchange::meet(std::uint64_t committed,
                                                   const std::vector<EvaluationRecord>& best) {
  offer(committed / store_.records().header.migration_interval, best);
  MigrationRecord migration;
  if (const auto known = recorded_.find(committed); known != recorded_.end()) {
    migration = known->second;
  } else {
    migration = look_around(committed);
    store_.add(migration); // also an empty one: a continued search must not find more
  }
  std::vector<EvaluationRecord> arrived;
  for (MigrationRecord::Arrival& arrival : migration.arrivals) {
    taken_[arrival.island] = arrival.sequence;
    for (EvaluationRecord& evaluation : arrival.evaluations) {
      arrived.push_back(std::move(evaluation));
    }
  }
  return arrived;
}

void IslandExchange::offer(std::uint64_t sequence, const std::vector<EvaluationRecord>& best) {
  if (sequence <= published_ || best.empty()) {
    return; // an earlier session did
  }
  try {
    directory_.publish({.island = *store_.records().header.island,
                        .sequence = sequence,
                        .search = search_,
                        .evaluations = best});
    published_ = sequence;
  } catch (const EnvironmentError& error) {
    problem_ = problem_.empty() ? error.what() : problem_; // the search itself loses nothing
  }
}

MigrationRecord IslandExchange::look_around(std::uint64_t committed) const {
  MigrationRecord migration{.at = committed, .arrivals = {}};
  for (const std::uint64_t source : sources_) {
    auto migrants = directory_.newest(source, search_);
    const auto latest = taken_.find(source);
    if (migrants && (latest == taken_.end() || migrants->sequence > latest->second)) {
      migration.arrivals.push_back({source, migrants->sequence, std::move(migrants->evaluations)});
    }
  }
  return migration;
}

} // namespace coulomb::search
