// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/least_squares.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace coulomb::calibration {
namespace {

using Vector = std::vector<double>;

constexpr double kDependent = 1e-9; ///< least length, of a column's, that the others must leave

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void subtract(Vector& from, double weight, const Vector& what) {
  for (std::size_t i = 0; i < from.size(); ++i) {
    from[i] -= weight * what[i];
  }
}

} // namespace

double norm(const Vector& vector) {
  return std::sqrt(dot(vector, vector));
}

Vector residual(const std::vector<Vector>& columns, const Vector& weights, Vector target) {
  for (std::size_t k = 0; k < columns.size(); ++k) {
    subtract(target, weights[k], columns[k]);
  }
  return target;
}

Vector least_squares(const std::vector<Vector>& columns, const Vector& target) {
  const std::size_t n = columns.size();
  std::vector<Vector> q = columns; // orthogonal, of length 1, or 0 where dependent
  std::vector<Vector> r(n, Vector(n, 0.0));
  Vector right(n, 0.0);
  Vector left = target;
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < k; ++j) {
      r[j][k] = dot(q[j], q[k]);
      subtract(q[k], r[j][k], q[j]);
    }
    const double length = norm(q[k]);
    if (length <= kDependent * norm(columns[k])) {
      q[k].assign(q[k].size(), 0.0);
      continue;
    }
    r[k][k] = length;
    for (double& x : q[k]) {
      x /= length;
    }
    right[k] = dot(q[k], left);
    subtract(left, right[k], q[k]);
  }
  Vector weights(n, 0.0);
  for (std::size_t k = n; k-- > 0;) {
    if (r[k][k] == 0.0) {
      continue;
    }
    double sum = right[k];
    for (std::size_t j = k + 1; j < n; ++j) {
      sum -= r[k][j] * weights[j];
    }
    weights[k] = sum / r[k][k];
  }
  return weights;
}

} // namespace coulomb::calibration
