// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/explanation.hpp"

#include "calibration/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace coulomb::calibration {
namespace {

constexpr std::size_t kSummarized = 200;

/// The query, then the query without each of the inputs in turn: unknown stands for the mean.
std::vector<GapQuery> with_and_without(const GapModel& model, const GapQuery& query) {
  std::vector<GapQuery> queries(1 + model.inputs().size(), query);
  for (std::size_t d = 0; d < model.inputs().size(); ++d) {
    queries[1 + d].features[model.inputs()[d].feature] = std::numeric_limits<double>::quiet_NaN();
  }
  return queries;
}

std::vector<GapNeighbour> nearest(const GapModel& model, const GapQuery& query, std::size_t n) {
  std::vector<GapNeighbour> all;
  for (const double distance : model.distances(query)) {
    all.push_back({all.size(), distance});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.distance < b.distance; });
  all.resize(std::min(n, all.size()));
  return all;
}

std::vector<GapGroup> groups_of(const GapModel& model) {
  std::map<std::pair<std::string, std::string>, GapGroup> groups;
  std::map<std::pair<std::string, std::string>, std::vector<double>> ratios;
  const std::vector<double> trust = model.trust();
  for (std::size_t i = 0; i < trust.size(); ++i) {
    const Observation& o = model.observations()[i];
    GapGroup& group = groups[{o.board, o.spec}];
    group.board = o.board;
    group.spec = o.spec;
    ++group.n;
    group.outliers += trust[i] < 0.5 ? 1 : 0;
    ratios[{o.board, o.spec}].push_back(o.log_ratio());
  }
  std::vector<GapGroup> out;
  for (auto& [key, group] : groups) {
    const std::vector<double>& values = ratios[key];
    group.bias = *quantile(values, 0.5);
    group.spread = *quantile(values, 0.9) - *quantile(values, 0.1);
    out.push_back(group);
  }
  return out;
}

} // namespace

GapExplanation explain(const GapModel& model, const GapQuery& query, std::size_t neighbours) {
  GapExplanation out;
  const std::vector<GapPrediction> predictions = model.predict(with_and_without(model, query));
  out.prediction = predictions.front();
  out.parts = model.contributions(query);
  for (std::size_t d = 0; d < model.inputs().size(); ++d) {
    const GapInput& input = model.inputs()[d];
    const double x = input.of(query.features);
    out.effects.push_back({input.name, query.features[input.feature],
                           std::isnan(x) ? 0.0 : (x - model.means()[d]) / model.scales()[d],
                           predictions.front().log_ratio - predictions[1 + d].log_ratio});
  }
  std::stable_sort(out.effects.begin(), out.effects.end(), [](const auto& a, const auto& b) {
    return std::abs(a.effect) > std::abs(b.effect);
  });
  out.neighbours = nearest(model, query, neighbours);
  return out;
}

GapSummary summarize(const GapModel& model) {
  GapSummary out{groups_of(model), {}};
  for (const GapInput& input : model.inputs()) {
    out.influences.push_back({input.name, 0.0});
  }
  const std::size_t n = model.observations().size();
  const std::size_t stride = std::max<std::size_t>(1, (n + kSummarized - 1) / kSummarized);
  double asked = 0.0;
  for (std::size_t i = 0; i < n; i += stride, asked += 1.0) {
    const auto predictions =
        model.predict(with_and_without(model, query_of(model.observations()[i])));
    for (std::size_t d = 0; d < out.influences.size(); ++d) {
      out.influences[d].mean_effect +=
          std::abs(predictions.front().log_ratio - predictions[1 + d].log_ratio);
    }
  }
  for (GapInfluence& influence : out.influences) {
    influence.mean_effect /= std::max(asked, 1.0);
  }
  std::stable_sort(out.influences.begin(), out.influences.end(),
                   [](const auto& a, const auto& b) { return a.mean_effect > b.mean_effect; });
  return out;
}

} // namespace coulomb::calibration
