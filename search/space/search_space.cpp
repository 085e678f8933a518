// SPDX-License-Identifier: Apache-2.0
#include "search/space/search_space.hpp"

#include "base/error.hpp"
#include "base/kernel/space_enumeration.hpp"
#include "search/space/value_order.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace coulomb::search {
namespace {

constexpr Gene kNone = 0xffff;

std::vector<Dimension> ordered_dimensions(const kernel::TunableSpec& spec) {
  std::vector<Dimension> dimensions;
  for (const auto& p : spec.parameters) {
    const bool ordered = p.kind == kernel::ParameterKind::ordered;
    dimensions.push_back({p.name, ordered ? ordered_values(p.values) : p.values, p.kind});
  }
  return dimensions;
}

/// [position in the spec's value list]: the gene of that value.
std::vector<Gene> genes_of_positions(const std::vector<kernel::ParameterValue>& listed,
                                     const std::vector<kernel::ParameterValue>& ordered) {
  std::vector<std::size_t> by_value(ordered.size());
  std::iota(by_value.begin(), by_value.end(), std::size_t{0});
  std::sort(by_value.begin(), by_value.end(),
            [&](std::size_t a, std::size_t b) { return ordered[a] < ordered[b]; });
  std::vector<Gene> genes;
  for (const auto& value : listed) {
    const auto at = std::lower_bound(
        by_value.begin(), by_value.end(), value,
        [&](std::size_t i, const kernel::ParameterValue& v) { return ordered[i] < v; });
    COULOMB_CHECK(at != by_value.end() && ordered[*at] == value, "{} is in no list",
                  kernel::to_text(value));
    genes.push_back(static_cast<Gene>(*at));
  }
  return genes;
}

} // namespace

SearchSpace::SearchSpace(const kernel::TunableSpec& spec) {
  add_dimensions(ordered_dimensions(spec));
  std::vector<std::vector<Gene>> genes;
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    genes.push_back(genes_of_positions(spec.parameters[d].values, dimensions_[d].values));
    std::vector<Gene> places(dimensions_[d].values.size(), kNone);
    for (std::size_t position = genes[d].size(); position-- > 0;) {
      places[genes[d][position]] = static_cast<Gene>(position); // the first of equal values
    }
    places_.push_back(std::move(places));
  }
  for (kernel::SpaceComponent& component : kernel::valid_components(spec)) {
    for (std::size_t i = 0; i < component.rows.size(); ++i) {
      const std::size_t d = component.parameters[i % component.parameters.size()];
      component.rows[i] = genes[d][component.rows[i]];
    }
    components_.emplace_back(std::move(component.parameters), std::move(component.rows));
  }
  finish();
}

SearchSpace::SearchSpace(std::vector<Dimension> dimensions, const std::vector<Genes>& valid) {
  add_dimensions(std::move(dimensions));
  if (valid.empty()) {
    throw UserError("the search space is empty: no configuration satisfies the restrictions",
                    "relax the Conditions of the spec, or add values to its TuningParameters");
  }
  std::vector<Gene> rows;
  rows.reserve(valid.size() * dimensions_.size());
  for (const auto& genes : valid) {
    COULOMB_CHECK(genes.size() == dimensions_.size(), "a point has {} genes, the space {}",
                  genes.size(), dimensions_.size());
    for (std::size_t d = 0; d < genes.size(); ++d) {
      COULOMB_CHECK(genes[d] < dimensions_[d].values.size(), "gene {} of {} is out of range",
                    genes[d], dimensions_[d].name);
    }
    rows.insert(rows.end(), genes.begin(), genes.end());
  }
  for (const Dimension& d : dimensions_) {
    places_.emplace_back(d.values.size());
    std::iota(places_.back().begin(), places_.back().end(), Gene{0});
  }
  std::vector<std::size_t> all(dimensions_.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  components_.emplace_back(std::move(all), std::move(rows));
  finish();
}

void SearchSpace::add_dimensions(std::vector<Dimension> dimensions) {
  dimensions_ = std::move(dimensions);
  for (std::size_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].values.size() > 1) {
      active_.push_back(d);
    }
  }
}

void SearchSpace::finish() {
  component_of_.assign(dimensions_.size(), 0);
  for (std::size_t c = 0; c < components_.size(); ++c) {
    for (const std::size_t d : components_[c].dimensions()) {
      component_of_[d] = c;
    }
  }
  order_.emplace(components_, places_);
}

Point SearchSpace::point_of(std::span<const std::size_t> indices) const {
  return order_->point(indices, components_, places_);
}

Genes SearchSpace::genes(Point point) const {
  COULOMB_CHECK(point < size(), "point {} of a space of {}", point, size());
  const auto indices = order_->indices(point, components_, places_);
  Genes genes(dimensions_.size());
  for (std::size_t c = 0; c < components_.size(); ++c) {
    const auto row = components_[c].row(indices[c]);
    for (std::size_t i = 0; i < row.size(); ++i) {
      genes[components_[c].dimensions()[i]] = row[i];
    }
  }
  return genes;
}

kernel::Configuration SearchSpace::configuration(Point point) const {
  std::vector<kernel::Configuration::Entry> entries;
  const Genes g = genes(point);
  for (std::size_t d = 0; d < g.size(); ++d) {
    entries.emplace_back(dimensions_[d].name, dimensions_[d].values[g[d]]);
  }
  return kernel::Configuration(std::move(entries));
}

Genes SearchSpace::own_genes(const ComponentPoints& component, std::span<const Gene> all) const {
  Genes own;
  for (const std::size_t d : component.dimensions()) {
    own.push_back(all[d]);
  }
  return own;
}

std::optional<Point> SearchSpace::find(std::span<const Gene> genes) const {
  if (genes.size() != dimensions_.size()) {
    return std::nullopt;
  }
  std::vector<std::size_t> indices;
  for (const ComponentPoints& component : components_) {
    const auto index = component.find(own_genes(component, genes));
    if (!index) {
      return std::nullopt;
    }
    indices.push_back(*index);
  }
  return point_of(indices);
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
    std::size_t distance;
    Point point;
  };
  std::vector<Move> moves;
  const Genes all = genes(point);
  auto indices = order_->indices(point, components_, places_);
  for (const std::size_t d : active_) {
    const ComponentPoints& component = components_[component_of_[d]];
    std::size_t& index = indices[component_of_[d]];
    const std::size_t original = index;
    Genes own = own_genes(component, all);
    const auto& dimensions = component.dimensions();
    Gene& gene = own[static_cast<std::size_t>(std::find(dimensions.begin(), dimensions.end(), d) -
                                              dimensions.begin())];
    for (const Gene value : steps(dimensions_[d], all[d])) {
      gene = value;
      if (const auto found = component.find(own)) {
        index = *found;
        moves.push_back({distance(dimensions_[d], all[d], value), point_of(indices)});
      }
    }
    index = original;
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

std::vector<Point> SearchSpace::sample(std::size_t count, RandomStream& random) const {
  // Fisher-Yates on a virtual identity permutation: only the displaced entries are stored.
  std::unordered_map<Point, Point> displaced;
  std::vector<Point> points;
  count = static_cast<std::size_t>(std::min<std::uint64_t>(count, size()));
  points.reserve(count);
  const auto at = [&](Point i) {
    const auto found = displaced.find(i);
    return found == displaced.end() ? i : found->second;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Point j = i + random.below(size() - i);
    points.push_back(at(j));
    displaced[j] = at(i);
  }
  return points;
}

} // namespace coulomb::search
