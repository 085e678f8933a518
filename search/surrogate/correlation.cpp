// SPDX-License-Identifier: Apache-2.0
#include "search/surrogate/correlation.hpp"

#include "base/error.hpp"
#include "search/space/value_order.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::search {
namespace {

/// Values beyond which a table of all pairs would take more room than it is worth.
constexpr std::size_t kMostInTable = 512;

/// Where each value lies, 0 to 1; empty if they are not numbers in order.
std::vector<float> positions_of(const Dimension& dimension) {
  std::vector<double> numbers;
  for (const auto& value : dimension.values) {
    if (const auto n = as_number(value)) {
      numbers.push_back(*n);
    }
  }
  if (numbers.size() < dimension.values.size() ||
      dimension.kind != kernel::ParameterKind::ordered) {
    return {};
  }
  const bool logarithmic = numbers.size() > 2 && numbers.front() > 0.0;
  std::vector<float> at;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double x = logarithmic ? std::log(numbers[i] / numbers.front()) /
                                       std::log(numbers.back() / numbers.front())
                                 : static_cast<double>(i) / static_cast<double>(numbers.size() - 1);
    at.push_back(static_cast<float>(x));
  }
  return at;
}

} // namespace

float Correlation::Axis::distance(Gene from, Gene to) const {
  return positions.empty() ? static_cast<float>(change(dimension, from, to))
                           : std::abs(positions[from] - positions[to]);
}

float Correlation::Axis::without_table(Gene from, Gene to) const {
  return std::exp(-distance(from, to) / length);
}

Correlation::Correlation(const SearchSpace& space) {
  for (const std::size_t d : space.active()) {
    Axis axis;
    axis.gene = d;
    axis.dimension = space.dimensions()[d];
    axis.values = axis.dimension.values.size();
    axis.positions = positions_of(axis.dimension);
    axes_.push_back(std::move(axis));
    set_length(axes_.size() - 1, axes_.back().length);
  }
}

void Correlation::set_length(std::size_t dimension, float length) {
  COULOMB_CHECK(length > 0.0F, "a correlation length of {}", length);
  Axis& axis = axes_[dimension];
  axis.length = length;
  if (axis.values > kMostInTable) {
    return;
  }
  axis.table.resize(axis.values * axis.values);
  for (std::size_t from = 0; from < axis.values; ++from) {
    for (std::size_t to = 0; to < axis.values; ++to) {
      axis.table[from * axis.values + to] =
          axis.without_table(static_cast<Gene>(from), static_cast<Gene>(to));
    }
  }
}

void Correlation::to_each(const Gene* a,
                          const Gene* many,
                          std::size_t stride,
                          std::span<float> likeness) const {
  std::fill(likeness.begin(), likeness.end(), 1.0F);
  for (const Axis& axis : axes_) {
    const Gene from = a[axis.gene];
    const Gene* to = many + axis.gene * stride;
    if (axis.table.empty()) {
      for (std::size_t j = 0; j < likeness.size(); ++j) {
        likeness[j] *= axis.without_table(from, to[j]);
      }
      continue;
    }
    const float* row = axis.table.data() + std::size_t{from} * axis.values;
    for (std::size_t j = 0; j < likeness.size(); ++j) {
      likeness[j] *= row[to[j]];
    }
  }
}

} // namespace coulomb::search
