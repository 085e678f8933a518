// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_points.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::calibration {
namespace {

/// Two texts that differ, each in a column of its own, are then 1 apart.
const double kText = std::sqrt(0.5);

template <class Name>
int id(const std::map<Name, int>& ids, const Name& name) {
  const auto at = ids.find(name);
  return at == ids.end() ? -1 : at->second;
}

std::string column_name(const kernel::Configuration::Entry& entry) {
  const auto* text = std::get_if<std::string>(&entry.second);
  return text == nullptr ? entry.first : entry.first + '=' + *text;
}

double doublings(double value) {
  return std::copysign(std::log2(1.0 + std::abs(value)), value);
}

double coordinate(const kernel::ParameterValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) {
    return doublings(static_cast<double>(*whole));
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return doublings(*real);
  }
  if (const auto* truth = std::get_if<bool>(&value)) {
    return *truth ? 1.0 : 0.0;
  }
  return kText;
}

} // namespace

GapQuery query_of(const Observation& observation) {
  return {observation.board, observation.spec, observation.parameters, observation.features};
}

GapFrame::GapFrame(std::vector<GapInput> inputs, const std::vector<Observation>& observations)
    : inputs_(std::move(inputs)) {
  for (const GapInput& input : inputs_) {
    double n = 0.0;
    double mean = 0.0;
    double squares = 0.0; // Welford's: deviations from the running mean
    for (const Observation& o : observations) {
      const double x = input.of(o.features);
      if (!std::isnan(x)) {
        n += 1.0;
        const double off = x - mean;
        mean += off / n;
        squares += off * (x - mean);
      }
    }
    means_.push_back(mean);
    scales_.push_back(std::max(n > 0.0 ? std::sqrt(squares / n) : 0.0, input.resolution));
  }
  number(observations);
}

GapFrame::GapFrame(std::vector<GapInput> inputs,
                   std::vector<double> means,
                   std::vector<double> scales,
                   const std::vector<Observation>& observations)
    : inputs_(std::move(inputs)), means_(std::move(means)), scales_(std::move(scales)) {
  COULOMB_CHECK(means_.size() == inputs_.size() && scales_.size() == inputs_.size(),
                "{} inputs, {} means, {} scales", inputs_.size(), means_.size(), scales_.size());
  number(observations);
}

void GapFrame::number(const std::vector<Observation>& observations) {
  for (const Observation& o : observations) {
    boards_.try_emplace(o.board, static_cast<int>(boards_.size()));
    specs_.try_emplace(o.spec, static_cast<int>(specs_.size()));
    pairs_.try_emplace({o.board, o.spec}, static_cast<int>(pairs_.size()));
    for (const auto& entry : o.parameters.entries()) {
      columns_.try_emplace(column_name(entry), static_cast<int>(columns_.size()));
    }
  }
}

template <class Items>
GapPoints GapFrame::points_of(const Items& items) const {
  const auto n = static_cast<Eigen::Index>(items.size());
  const auto width = static_cast<Eigen::Index>(inputs_.size());
  GapPoints out;
  out.inputs.resize(n, width);
  out.configuration.setZero(n, static_cast<Eigen::Index>(columns_.size()));
  Eigen::Index row = 0;
  for (const auto& item : items) {
    for (std::size_t d = 0; d < inputs_.size(); ++d) {
      const double x = inputs_[d].of(item.features);
      out.inputs(row, static_cast<Eigen::Index>(d)) =
          std::isnan(x) ? 0.0 : (x - means_[d]) / scales_[d]; // unknown: the mean
    }
    for (const auto& entry : item.parameters.entries()) {
      if (const int column = id(columns_, column_name(entry)); column >= 0) {
        out.configuration(row, column) = coordinate(entry.second);
      }
    }
    out.board.push_back(id(boards_, item.board));
    out.spec.push_back(id(specs_, item.spec));
    out.pair.push_back(id(pairs_, {item.board, item.spec}));
    ++row;
  }
  return out;
}

GapPoints GapFrame::points(const std::vector<Observation>& observations) const {
  return points_of(observations);
}

GapPoints GapFrame::points(std::span<const GapQuery> queries) const {
  return points_of(queries);
}

} // namespace coulomb::calibration
