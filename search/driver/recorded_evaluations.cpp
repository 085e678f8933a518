// SPDX-License-Identifier: Apache-2.0
#include "search/driver/recorded_evaluations.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <set>

namespace coulomb::search {
namespace {

/// Nothing if the space has no such configuration.
std::optional<Genes> genes_of(const SearchSpace& space, const kernel::Configuration& parameters) {
  Genes genes;
  for (const Dimension& dimension : space.dimensions()) {
    const auto* wanted = parameters.find(dimension.name);
    const auto at = std::find_if(
        dimension.values.begin(), dimension.values.end(), [&](const kernel::ParameterValue& value) {
          return wanted != nullptr && kernel::to_text(value) == kernel::to_text(*wanted);
        });
    if (at == dimension.values.end()) {
      return std::nullopt;
    }
    genes.push_back(static_cast<Gene>(at - dimension.values.begin()));
  }
  return space.find(genes) ? std::optional(genes) : std::nullopt;
}

Evaluation outcome(const Candidate& candidate,
                   const results::SiliconRow& row,
                   const results::SiliconMetadata& metadata) {
  Evaluation evaluation;
  evaluation.id = candidate.id;
  evaluation.configuration = candidate.configuration;
  evaluation.status = row.status;
  if (row.time_ms) {
    evaluation.sim.time_ms = *row.time_ms;
    evaluation.sim.cycles = *row.time_ms * metadata.sm_clock_mhz * 1e3;
  } else {
    evaluation.message =
        fmt::format("recorded as {} in row {}", eval::to_string(row.status), row.row);
  }
  return evaluation;
}

} // namespace

SearchSpace recorded_space(const SearchSpace& space, const results::SiliconTable& table) {
  std::set<Genes> valid;
  for (const auto& row : table.rows) {
    if (!row.eligible() && !row.failed()) {
      continue;
    }
    if (const auto genes = genes_of(space, row.parameters)) {
      valid.insert(*genes);
    }
  }
  if (valid.empty()) {
    throw UserError(fmt::format("{}: none of its {} rows is a valid configuration of this kernel",
                                table.path, table.rows.size()),
                    "name the kernel that the table was measured with");
  }
  return {space.dimensions(), {valid.begin(), valid.end()}};
}

std::optional<double> recorded_optimum(const SearchSpace& space, const hw::ReplayDevice& device) {
  std::optional<double> best;
  for (Point point = 0; point < space.size(); ++point) {
    const auto& row = device.measure(space.configuration(point));
    if (row.time_ms) {
      best = std::min(best.value_or(*row.time_ms), *row.time_ms);
    }
  }
  return best;
}

Evaluations recorded_evaluations(const hw::ReplayDevice& device, const std::atomic<bool>& stop) {
  const auto waiting = std::make_shared<std::deque<Candidate>>();
  return {.submit = [waiting](const Candidate& candidate) { waiting->push_back(candidate); },
          .next = [waiting, &device, &stop]() -> std::optional<Evaluation> {
            if (waiting->empty() || stop.load()) {
              return std::nullopt;
            }
            const Candidate candidate = std::move(waiting->front());
            waiting->pop_front();
            return outcome(candidate, device.measure(candidate.configuration),
                           device.table().metadata);
          }};
}

} // namespace coulomb::search
