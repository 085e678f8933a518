// SPDX-License-Identifier: Apache-2.0
#include "search/store/migration_record.hpp"

#include "base/error.hpp"

#include <nlohmann/json.hpp>

namespace coulomb::search {

nlohmann::json to_json(const MigrationRecord& record) {
  auto arrivals = nlohmann::json::array();
  for (const auto& arrival : record.arrivals) {
    auto evaluations = nlohmann::json::array();
    for (const EvaluationRecord& evaluation : arrival.evaluations) {
      evaluations.push_back(to_json(evaluation));
    }
    arrivals.push_back({{"island", arrival.island},
                        {"sequence", arrival.sequence},
                        {"evaluations", std::move(evaluations)}});
  }
  return {{"at", record.at}, {"arrivals", std::move(arrivals)}};
}

MigrationRecord migration_from_json(const nlohmann::json& json) {
  try {
    MigrationRecord record;
    json.at("at").get_to(record.at);
    for (const auto& each : json.at("arrivals")) {
      MigrationRecord::Arrival arrival;
      each.at("island").get_to(arrival.island);
      each.at("sequence").get_to(arrival.sequence);
      for (const auto& evaluation : each.at("evaluations")) {
        arrival.evaluations.push_back(evaluation_from_json(evaluation));
      }
      record.arrivals.push_back(std::move(arrival));
    }
    return record;
  } catch (const nlohmann::json::exception& e) {
    throw UserError(fmt::format("not a migration: {}", e.what()));
  }
}

} // namespace coulomb::search
