// SPDX-License-Identifier: Apache-2.0
#include "search/space/search_space.hpp"

#include "base/error.hpp"
#include "base/kernel/space_enumeration.hpp"
#include "search/space/value_order.hpp"

#include <algorithm>
#include <cmath>

namespace coulomb::search {
namespace {

std::string_view key_of(std::span<const Gene> genes) {
  return {reinterpret_cast<const char*>(genes.data()), genes.size_bytes()};
}

std::vector<Dimension> ordered_dimensions(const kernel::TunableSpec& spec) {
  std::vector<Dimension> dimensions;
  for (const auto& parameter : spec.parameters) {
    dimensions.push_back({parameter.name, ordered_values(parameter.values)});
  }
  return dimensions;
}

std::vector<Genes> valid_genes(const kernel::TunableSpec& spec,
                               const std::vector<Dimension>& dimensions) {
  std::vector<Genes> valid;
  for (const auto& configuration : kernel::valid_configurations(spec)) {
    Genes genes(dimensions.size());
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const auto& values = dimensions[d].values;
      const auto at = std::find(values.begin(), values.end(), configuration.entries().at(d).second);
      COULOMB_CHECK(at != values.end(), "{} has a value that is not in its list",
                    dimensions[d].name);
      genes[d] = static_cast<Gene>(at - values.begin());
    }
    valid.push_back(std::move(genes));
  }
  return valid;
}

} // namespace

SearchSpace::SearchSpace(const kernel::TunableSpec& spec) {
  add_dimensions(ordered_dimensions(spec));
  add_points(valid_genes(spec, dimensions_));
}

SearchSpace::SearchSpace(std::vector<Dimension> dimensions, const std::vector<Genes>& valid) {
  add_dimensions(std::move(dimensions));
  add_points(valid);
}

void SearchSpace::add_dimensions(std::vector<Dimension> dimensions) {
  dimensions_ = std::move(dimensions);
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].values.size() > 1) {
      active_.push_back(d);
    }
  }
}

void SearchSpace::add_points(const std::vector<Genes>& valid) {
  if (valid.empty()) {
    throw UserError("the search space is empty: no configuration satisfies the restrictions",
                    "relax the Conditions of the spec, or add values to its TuningParameters");
  }
  size_ = valid.size();
  genes_.reserve(size_ * dimensions_.size());
  for (const auto& genes : valid) {
    COULOMB_CHECK(genes.size() == dimensions_.size(), "a point has {} genes, the space {}",
                  genes.size(), dimensions_.size());
    for (std::size_t d = 0; d < genes.size(); ++d) {
      COULOMB_CHECK(genes[d] < dimensions_[d].values.size(), "gene {} of {} is out of range",
                    genes[d], dimensions_[d].name);
    }
    genes_.insert(genes_.end(), genes.begin(), genes.end());
  }
  index_.reserve(size_);
  for (Point p = 0; p < size_; ++p) {
    const bool added = index_.emplace(key_of(this->genes(p)), p).second;
    COULOMB_CHECK(added, "point {} repeats an earlier one", p);
  }
}

kernel::Configuration SearchSpace::configuration(Point point) const {
  std::vector<kernel::Configuration::Entry> entries;
  const auto g = genes(point);
  for (std::size_t d = 0; d < g.size(); ++d) {
    entries.emplace_back(dimensions_[d].name, dimensions_[d].values[g[d]]);
  }
  return kernel::Configuration(std::move(entries));
}

std::optional<Point> SearchSpace::find(std::span<const Gene> genes) const {
  const auto at = index_.find(key_of(genes));
  return at == index_.end() ? std::nullopt : std::optional<Point>(at->second);
}

std::optional<Point> SearchSpace::find(const kernel::Configuration& configuration) const {
  if (configuration.entries().size() != dimensions_.size()) {
    return std::nullopt;
  }
  Genes genes(dimensions_.size());
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    const kernel::ParameterValue* value = configuration.find(dimensions_[d].name);
    if (value == nullptr) {
      return std::nullopt;
    }
    const auto& values = dimensions_[d].values;
    const auto at = std::find(values.begin(), values.end(), *value);
    if (at == values.end()) {
      return std::nullopt;
    }
    genes[d] = static_cast<Gene>(at - values.begin());
  }
  return find(genes);
}

std::vector<Point> SearchSpace::neighbours(Point point) const {
  struct Move {
    int distance;
    Point point;
  };
  std::vector<Move> moves;
  Genes g(genes(point).begin(), genes(point).end());
  for (const std::size_t d : active_) {
    const Gene original = g[d];
    for (std::size_t v = 0; v < dimensions_[d].values.size(); ++v) {
      if (v == original) {
        continue;
      }
      g[d] = static_cast<Gene>(v);
      if (const auto found = find(g)) {
        moves.push_back({std::abs(static_cast<int>(v) - static_cast<int>(original)), *found});
      }
    }
    g[d] = original;
  }
  std::stable_sort(moves.begin(), moves.end(),
                   [](const Move& a, const Move& b) { return a.distance < b.distance; });
  std::vector<Point> points;
  points.reserve(moves.size());
  for (const auto& move : moves) {
    points.push_back(move.point);
  }
  return points;
}

double SearchSpace::change(std::size_t dimension, Gene from, Gene to) const {
  const double range = static_cast<double>(dimensions_[dimension].values.size()) - 1.0;
  return range == 0.0 ? 0.0 : std::abs(static_cast<double>(from) - static_cast<double>(to)) / range;
}

Point SearchSpace::nearest(std::span<const Gene> genes) const {
  COULOMB_CHECK(genes.size() == dimensions_.size(), "{} genes for a space of {}", genes.size(),
                dimensions_.size());
  if (const auto same = find(genes)) {
    return *same;
  }
  if (const auto one = nearest_by_one_gene(genes)) {
    return *one;
  }
  // Trying all pairs of changes pays only while there are fewer of them than points to scan.
  std::size_t values = 0;
  for (const std::size_t d : active_) {
    values += dimensions_[d].values.size() - 1;
  }
  if (values * values / 2 < size_) {
    if (const auto two = nearest_by_two_genes(genes)) {
      return *two;
    }
  }
  return nearest_by_scan(genes);
}

std::optional<Point> SearchSpace::nearest_by_one_gene(std::span<const Gene> genes) const {
  std::optional<Point> best;
  double best_change = 0.0;
  Genes g(genes.begin(), genes.end());
  for (const std::size_t d : active_) {
    for (std::size_t v = 0; v < dimensions_[d].values.size(); ++v) {
      g[d] = static_cast<Gene>(v);
      const auto found = find(g);
      const double c = change(d, genes[d], g[d]);
      if (found && (!best || c < best_change || (c == best_change && *found < *best))) {
        best = found;
        best_change = c;
      }
    }
    g[d] = genes[d];
  }
  return best;
}

std::optional<Point> SearchSpace::nearest_by_two_genes(std::span<const Gene> genes) const {
  std::optional<Point> best;
  double best_change = 0.0;
  Genes g(genes.begin(), genes.end());
  for (std::size_t i = 0; i < active_.size(); ++i) {
    const std::size_t a = active_[i];
    for (std::size_t j = i + 1; j < active_.size(); ++j) {
      const std::size_t b = active_[j];
      const std::size_t pairs = dimensions_[a].values.size() * dimensions_[b].values.size();
      for (std::size_t k = 0; k < pairs; ++k) {
        g[a] = static_cast<Gene>(k / dimensions_[b].values.size());
        g[b] = static_cast<Gene>(k % dimensions_[b].values.size());
        const double c = change(a, genes[a], g[a]) + change(b, genes[b], g[b]);
        if (best && c > best_change) {
          continue;
        }
        const auto found = find(g);
        if (found && (!best || c < best_change || *found < *best)) {
          best = found;
          best_change = c;
        }
      }
      g[b] = genes[b];
    }
    g[a] = genes[a];
  }
  return best;
}

Point SearchSpace::nearest_by_scan(std::span<const Gene> genes) const {
  Point best = 0;
  int best_changed = static_cast<int>(dimensions_.size()) + 1;
  double best_change = 0.0;
  for (Point p = 0; p < size_; ++p) {
    const auto candidate = this->genes(p);
    int changed = 0;
    double total = 0.0;
    for (const std::size_t d : active_) {
      if (candidate[d] != genes[d]) {
        ++changed;
        total += change(d, genes[d], candidate[d]);
      }
    }
    if (changed < best_changed || (changed == best_changed && total < best_change)) {
      best = p;
      best_changed = changed;
      best_change = total;
    }
  }
  return best;
}

std::vector<Point> SearchSpace::sample(std::size_t count, RandomStream& random) const {
  // Fisher-Yates on a virtual identity permutation: only the displaced entries are stored.
  std::unordered_map<Point, Point> displaced;
  std::vector<Point> points;
  count = std::min(count, size_);
  points.reserve(count);
  const auto at = [&](Point i) {
    const auto found = displaced.find(i);
    return found == displaced.end() ? i : found->second;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto j = i + static_cast<Point>(random.below(size_ - i));
    points.push_back(at(j));
    displaced[j] = at(i);
  }
  return points;
}

} // namespace coulomb::search
