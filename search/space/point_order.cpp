// SPDX-License-Identifier: Apache-2.0
#include "search/space/point_order.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace coulomb::search {
namespace {

constexpr std::uint64_t kMaxPoints = std::uint64_t{1} << 62;

/// First and last dimension that takes different values in a component.
struct Span {
  std::size_t first = std::numeric_limits<std::size_t>::max();
  std::size_t last = 0;
  std::size_t component = 0;
};

Span span_of(const ComponentPoints& points, std::size_t component) {
  Span span;
  span.component = component;
  for (std::size_t i = 0; i < points.dimensions().size(); ++i) {
    bool varies = false;
    for (std::size_t r = 1; r < points.size() && !varies; ++r) {
      varies = points.row(r)[i] != points.row(0)[i];
    }
    if (varies) {
      span.first = std::min(span.first, points.dimensions()[i]);
      span.last = points.dimensions()[i];
    }
  }
  return span;
}

/// Rows of one component that agree with the genes settled so far, and how to narrow them down.
class RowRange {
public:
  RowRange(const ComponentPoints& points, const std::vector<std::vector<Gene>>& places)
      : points_(&points), places_(&places), end_(points.size()) {}

  [[nodiscard]] std::size_t size() const { return end_ - first_; }
  [[nodiscard]] std::size_t first() const { return first_; }

  /// Keeps the rows that have in `column` what `row` has, all columns before being settled.
  /// Returns how many rows before those are dropped.
  std::size_t narrow(std::size_t column, std::size_t row) {
    const Gene wanted = place(row, column);
    const std::size_t before = first_;
    first_ = partition(before, end_, [&](std::size_t r) { return place(r, column) < wanted; });
    end_ = partition(first_, end_, [&](std::size_t r) { return place(r, column) <= wanted; });
    return first_ - before;
  }

private:
  [[nodiscard]] Gene place(std::size_t row, std::size_t column) const {
    return (*places_)[points_->dimensions()[column]][points_->row(row)[column]];
  }
  /// The first row of [first, end) that `below` does not hold for.
  template <class Below>
  static std::size_t partition(std::size_t first, std::size_t end, const Below& below) {
    while (first < end) {
      const std::size_t middle = first + (end - first) / 2;
      if (below(middle)) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }

  const ComponentPoints* points_;
  const std::vector<std::vector<Gene>>* places_;
  std::size_t first_ = 0;
  std::size_t end_;
};

/// Combinations of the rows that the other ranges have left.
std::uint64_t others(const std::vector<RowRange>& ranges, std::size_t own) {
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    product *= i == own ? 1 : ranges[i].size();
  }
  return product;
}

} // namespace

PointOrder::PointOrder(const std::vector<ComponentPoints>& components,
                       const std::vector<std::vector<Gene>>& places)
    : components_(components.size()) {
  std::vector<Span> spans;
  for (std::size_t c = 0; c < components.size(); ++c) {
    spans.push_back(span_of(components[c], c));
  }
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return std::tie(a.first, a.component) < std::tie(b.first, b.component);
  });
  std::size_t last = 0;
  for (const Span& span : spans) {
    if (digits_.empty() || span.first > last) {
      digits_.emplace_back();
    }
    last = std::max(last, span.last);
    digits_.back().components.push_back(span.component);
  }
  for (Digit& digit : digits_) {
    for (const std::size_t c : digit.components) {
      if (__builtin_mul_overflow(digit.radix, components[c].size(), &digit.radix)) {
        digit.radix = std::numeric_limits<std::uint64_t>::max();
      }
    }
    if (__builtin_mul_overflow(size_, digit.radix, &size_) || size_ > kMaxPoints) {
      throw UserError("the search space has more than 2^62 valid configurations",
                      "give its parameters fewer values, or levels");
    }
    add_columns(digit, components);
  }
  for (std::size_t i = digits_.size(); i-- > 1;) {
    digits_[i - 1].weight = digits_[i].weight * digits_[i].radix;
  }
  COULOMB_CHECK(!places.empty() || components.empty(), "components without dimensions");
}

void PointOrder::add_columns(Digit& digit, const std::vector<ComponentPoints>& components) const {
  std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> columns;
  for (std::size_t i = 0; i < digit.components.size(); ++i) {
    const auto& dimensions = components[digit.components[i]].dimensions();
    for (std::size_t column = 0; column < dimensions.size(); ++column) {
      columns.emplace_back(dimensions[column], i, column);
    }
  }
  std::sort(columns.begin(), columns.end());
  for (const auto& [dimension, i, column] : columns) {
    digit.columns.emplace_back(i, column);
  }
}

Point PointOrder::point(std::span<const std::size_t> indices,
                        const std::vector<ComponentPoints>& components,
                        const std::vector<std::vector<Gene>>& places) const {
  Point point = 0;
  for (const Digit& digit : digits_) {
    if (digit.components.size() == 1) {
      point += indices[digit.components[0]] * digit.weight;
      continue;
    }
    std::vector<RowRange> ranges;
    for (const std::size_t c : digit.components) {
      ranges.emplace_back(components[c], places);
    }
    for (const auto& [i, column] : digit.columns) {
      const std::size_t dropped = ranges[i].narrow(column, indices[digit.components[i]]);
      point += dropped * others(ranges, i) * digit.weight;
    }
  }
  return point;
}

std::vector<std::size_t> PointOrder::indices(Point point,
                                             const std::vector<ComponentPoints>& components,
                                             const std::vector<std::vector<Gene>>& places) const {
  std::vector<std::size_t> indices(components_, 0);
  for (const Digit& digit : digits_) {
    std::uint64_t rank = point / digit.weight % digit.radix;
    if (digit.components.size() == 1) {
      indices[digit.components[0]] = rank;
      continue;
    }
    std::vector<RowRange> ranges;
    for (const std::size_t c : digit.components) {
      ranges.emplace_back(components[c], places);
    }
    for (const auto& [i, column] : digit.columns) {
      const std::uint64_t each = others(ranges, i);
      const std::size_t dropped = ranges[i].narrow(column, ranges[i].first() + rank / each);
      rank -= dropped * each;
    }
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      indices[digit.components[i]] = ranges[i].first();
    }
  }
  return indices;
}

} // namespace coulomb::search
