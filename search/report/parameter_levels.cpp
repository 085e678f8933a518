// SPDX-License-Identifier: Apache-2.0
#include "search/report/parameter_levels.hpp"

#include "search/space/value_order.hpp"

#include <map>
#include <unordered_set>

namespace coulomb::search {

std::vector<std::size_t> measured(const SearchRecords& records) {
  std::vector<std::size_t> positions;
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < records.evaluations.size(); ++i) {
    const auto& e = records.evaluations[i];
    if (e.status == eval::EvalStatus::ok && seen.insert(e.configuration.key()).second) {
      positions.push_back(i);
    }
  }
  return positions;
}

std::vector<ParameterLevels> parameter_levels(const SearchRecords& records,
                                              const std::vector<std::size_t>& positions) {
  std::vector<ParameterLevels> all;
  for (const auto& name : records.header.parameters) {
    const auto value_of = [&](std::size_t i) {
      const auto* value = records.evaluations[i].configuration.find(name);
      return value != nullptr ? *value : kernel::ParameterValue(std::string());
    };
    std::map<kernel::ParameterValue, std::size_t> levels;
    for (const std::size_t i : positions) {
      levels.try_emplace(value_of(i), 0);
    }
    ParameterLevels parameter{.name = name, .values = {}, .level = {}};
    for (const auto& [value, unused] : levels) {
      parameter.values.push_back(value);
    }
    parameter.values = ordered_values(std::move(parameter.values));
    for (std::size_t i = 0; i < parameter.values.size(); ++i) {
      levels[parameter.values[i]] = i;
    }
    for (const std::size_t i : positions) {
      parameter.level.push_back(levels.at(value_of(i)));
    }
    all.push_back(std::move(parameter));
  }
  return all;
}

} // namespace coulomb::search
