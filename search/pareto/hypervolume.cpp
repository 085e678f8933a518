// SPDX-License-Identifier: Apache-2.0
#include "search/pareto/hypervolume.hpp"

#include <algorithm>

namespace coulomb::search {
namespace {

/// Of the first `m` objectives of points that are all better than the reference.
double volume(std::vector<const Objectives*> points, const Objectives& reference, std::size_t m) {
  if (points.empty()) {
    return 0.0;
  }
  const std::size_t last = m - 1;
  std::stable_sort(points.begin(), points.end(), [&](const Objectives* a, const Objectives* b) {
    return (*a)[last] < (*b)[last];
  });
  if (m == 1) {
    return reference[0] - (*points.front())[0];
  }
  // Slices between neighbouring values of the last objective: what is better than both counts.
  double sum = 0.0;
  double widest = 0.0; // of two objectives, the first one's extent so far
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double next = i + 1 < points.size() ? (*points[i + 1])[last] : reference[last];
    widest = std::max(widest, reference[0] - (*points[i])[0]);
    const double depth = next - (*points[i])[last];
    if (depth > 0.0) {
      const auto end = points.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      sum += depth * (m == 2 ? widest : volume({points.begin(), end}, reference, last));
    }
  }
  return sum;
}

} // namespace

double hypervolume(std::span<const Objectives> points, const Objectives& reference) {
  std::vector<const Objectives*> inside;
  for (const Objectives& point : points) {
    if (std::equal(point.begin(), point.end(), reference.begin(), std::less<>())) {
      inside.push_back(&point);
    }
  }
  return volume(std::move(inside), reference, reference.size());
}

bool GrowingFront::add(const Objectives& values) {
  if (seen_ < kFirst) {
    least_.resize(values.size(), values.front());
    most_.resize(values.size(), values.front());
    for (std::size_t m = 0; m < values.size(); ++m) {
      least_[m] = seen_ == 0 ? values[m] : std::min(least_[m], values[m]);
      most_[m] = seen_ == 0 ? values[m] : std::max(most_[m], values[m]);
    }
  }
  ++seen_;
  const bool covered = std::any_of(front_.begin(), front_.end(), [&](const Objectives& other) {
    return other == values || dominates(other, values);
  });
  if (!covered) {
    std::erase_if(front_, [&](const Objectives& other) { return dominates(values, other); });
    front_.push_back(values);
  }
  return !covered || seen_ == kFirst;
}

Objectives GrowingFront::scaled(const Objectives& values) const {
  Objectives out(values.size());
  for (std::size_t m = 0; m < values.size(); ++m) {
    const double range = most_[m] - least_[m];
    // An objective that did not vary yet is measured in its own units.
    out[m] = (values[m] - least_[m]) / (range > 0.0 ? range : 1.0);
  }
  return out;
}

std::optional<double> GrowingFront::hypervolume() const {
  if (seen_ < kFirst) {
    return std::nullopt;
  }
  std::vector<Objectives> points;
  for (const Objectives& values : front_) {
    points.push_back(scaled(values));
  }
  return search::hypervolume(points, Objectives(least_.size(), 1.0));
}

} // namespace coulomb::search
