// SPDX-License-Identifier: Apache-2.0
#include "calibration/accuracy/gap_calibration.hpp"

#include <fmt/format.h>
#include <memory>
#include <set>

namespace coulomb::calibration {
namespace {

std::vector<double> corrected(const GapModel& model, const std::vector<Observation>& asked) {
  std::vector<GapQuery> queries;
  for (const Observation& o : asked) {
    queries.push_back(query_of(o));
  }
  const auto predictions = model.predict(queries);
  std::vector<double> times;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    times.push_back(corrected_ms(predictions.at(i), asked[i].sim_ms));
  }
  return times;
}

std::string identity_of(const Observation& o) {
  return fmt::format("{}\n{}\n{}", o.board, o.spec, o.parameters.key());
}

} // namespace

Calibrate gap_calibration(GapSettings settings) {
  return [settings = std::move(settings)](const auto& known, const auto& asked) {
    return corrected(GapModel::fit(known, settings), asked);
  };
}

StoredCalibration stored_calibration(GapModel model) {
  std::set<std::string> seen;
  for (const Observation& o : model.observations()) {
    seen.insert(identity_of(o));
  }
  const auto shared = std::make_shared<const GapModel>(std::move(model));
  return {.predict = [shared](const auto&, const auto& asked) { return corrected(*shared, asked); },
          .saw = [seen = std::move(seen)](
                     const Observation& o) { return seen.contains(identity_of(o)); }};
}

} // namespace coulomb::calibration
