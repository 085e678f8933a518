// SPDX-License-Identifier: Apache-2.0
#include "search/pareto/dominance.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace coulomb::search {
namespace {

std::vector<std::size_t> by_values(std::span<const Objectives> points) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
  return order;
}

} // namespace

bool dominates(std::span<const double> a, std::span<const double> b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) {
      return false;
    }
    better = better || a[i] < b[i];
  }
  return better;
}

std::vector<std::size_t> front_numbers(std::span<const Objectives> points) {
  std::vector<std::size_t> numbers(points.size());
  std::vector<std::vector<std::size_t>> fronts;
  // In this order no point is dominated by a later one.
  for (const std::size_t p : by_values(points)) {
    const auto dominated = [&](const std::vector<std::size_t>& front) {
      // Of two objectives, the latest member has the least second value.
      const auto first = points[p].size() <= 2 ? front.end() - 1 : front.begin();
      return std::any_of(first, front.end(),
                         [&](std::size_t other) { return dominates(points[other], points[p]); });
    };
    // What a front dominates, all fronts before it dominate, too.
    const auto front = std::partition_point(fronts.begin(), fronts.end(), dominated);
    numbers[p] = static_cast<std::size_t>(front - fronts.begin());
    if (front == fronts.end()) {
      fronts.push_back({p});
    } else {
      front->push_back(p);
    }
  }
  return numbers;
}

std::vector<std::size_t> pareto_front(std::span<const Objectives> points) {
  const auto numbers = front_numbers(points);
  std::vector<std::size_t> front;
  for (const std::size_t p : by_values(points)) {
    if (numbers[p] == 0 && (front.empty() || points[front.back()] != points[p])) {
      front.push_back(p);
    }
  }
  return front;
}

std::vector<double> crowding_distances(std::span<const Objectives> front) {
  std::vector<double> distances(front.size(), 0.0);
  if (front.empty()) {
    return distances;
  }
  std::vector<std::size_t> order(front.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t m = 0; m < front.front().size(); ++m) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return front[a][m] < front[b][m]; });
    const double range = front[order.back()][m] - front[order.front()][m];
    if (!(range > 0.0)) {
      continue;
    }
    distances[order.front()] = std::numeric_limits<double>::infinity();
    distances[order.back()] = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i + 1 < order.size(); ++i) {
      distances[order[i]] += (front[order[i + 1]][m] - front[order[i - 1]][m]) / range;
    }
  }
  return distances;
}

} // namespace coulomb::search
