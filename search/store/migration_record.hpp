// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/evaluation_record.hpp"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace coulomb::search {

/// What an island took over from others at one of its meetings, so that a continued search takes
/// the same again, whatever lies in the shared directory by then.
struct MigrationRecord {
  /// From one island.
  struct Arrival {
    std::uint64_t island = 0;
    std::uint64_t sequence = 0; ///< of that island's publications, from 1
    std::vector<EvaluationRecord> evaluations;
    bool operator==(const Arrival&) const = default;
  };

  std::uint64_t at = 0;          ///< evaluations that were committed then
  std::vector<Arrival> arrivals; ///< none: nothing new was there
  bool operator==(const MigrationRecord&) const = default;
};

[[nodiscard]] nlohmann::json to_json(const MigrationRecord& record);
/// Throws UserError naming the missing or malformed field.
[[nodiscard]] MigrationRecord migration_from_json(const nlohmann::json& json);

} // namespace coulomb::search
