// SPDX-License-Identifier: Apache-2.0
#include "search/report/measure.hpp"

#include "base/results/html/text.hpp"
#include "search/report/time_unit.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace coulomb::search {

std::string Measure::title() const {
  return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
}

std::string Measure::text(std::size_t position) const {
  const std::string number = html::format_number(values[position], 5);
  return unit.empty() ? fmt::format("{} {}", name, number) : fmt::format("{} {}", number, unit);
}

Measure measure_of(const SearchRecords& records, const Ranking& ranking, std::size_t index) {
  Measure measure{.name = ranking.scorer().names()[index],
                  .unit = {},
                  .values = {},
                  .maximised = false,
                  .costs = {}};
  measure.maximised = ranking.scorer().maximised(index);
  double least_ms = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < records.evaluations.size(); ++i) {
    const Fitness& fitness = ranking.fitnesses()[i];
    const bool ok = fitness.status == eval::EvalStatus::ok;
    measure.values.push_back(ok ? ranking.scorer().own_value(fitness, index) : 0.0);
    measure.costs.push_back(ok ? fitness.objectives[index] : 0.0);
    if (ok) {
      least_ms = std::min(least_ms, measure.values.back());
    }
  }
  if (measure.name == "time") {
    const TimeUnit unit =
        least_ms < std::numeric_limits<double>::infinity() ? time_unit(least_ms) : TimeUnit{};
    measure.unit = unit.name;
    for (double& value : measure.values) {
      value *= unit.per_ms;
    }
  } else {
    measure.unit = ranking.scorer().unit(index);
  }
  return measure;
}

} // namespace coulomb::search
