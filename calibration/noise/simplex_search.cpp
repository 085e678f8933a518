// SPDX-License-Identifier: Apache-2.0
#include "calibration/noise/simplex_search.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace coulomb::calibration {
namespace {

using Point = std::vector<double>;

struct Corner {
  Point at;
  double cost;
};

Point along(const Point& from, const Point& towards, double factor) {
  Point p(from.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = from[i] + factor * (towards[i] - from[i]);
  }
  return p;
}

Point centre(const std::vector<Corner>& corners) { // of all but the worst, which is last
  Point sum(corners.front().at.size(), 0.0);
  for (std::size_t c = 0; c + 1 < corners.size(); ++c) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
      sum[i] += corners[c].at[i] / double(corners.size() - 1);
    }
  }
  return sum;
}

} // namespace

std::vector<double>
SimplexSearch::minimise(const std::function<double(const std::vector<double>&)>& cost) const {
  COULOMB_CHECK(!start.empty() && start.size() == step.size(), "{} variables, {} steps",
                start.size(), step.size());
  std::size_t spent = 0;
  const auto evaluated = [&](Point at) {
    ++spent;
    const double value = cost(at);
    return Corner{std::move(at), value};
  };
  std::vector<Corner> corners{evaluated(start)};
  for (std::size_t i = 0; i < start.size(); ++i) {
    Point p = start;
    p[i] += step[i];
    corners.push_back(evaluated(std::move(p)));
  }
  const auto better = [](const Corner& a, const Corner& b) { return a.cost < b.cost; };
  for (;;) {
    std::stable_sort(corners.begin(), corners.end(), better);
    Corner& worst = corners.back();
    if (spent >= evaluations || worst.cost - corners.front().cost < tolerance) {
      return corners.front().at;
    }
    const Point middle = centre(corners);
    Corner next = evaluated(along(middle, worst.at, -1.0));
    if (better(next, corners.front())) {
      Corner further = evaluated(along(middle, worst.at, -2.0));
      if (better(further, next)) {
        next = std::move(further);
      }
    } else if (!better(next, corners[corners.size() - 2])) {
      // Outside if the reflected corner is at least better than the worst, else inside.
      next = evaluated(along(middle, better(next, worst) ? next.at : worst.at, 0.5));
    }
    if (better(next, worst)) {
      worst = std::move(next);
      continue;
    }
    for (std::size_t c = 1; c < corners.size(); ++c) {
      corners[c] = evaluated(along(corners.front().at, corners[c].at, 0.5));
    }
  }
}

} // namespace coulomb::calibration
