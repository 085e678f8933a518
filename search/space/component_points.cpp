// SPDX-License-Identifier: Apache-2.0
#include "search/space/component_points.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::search {

ComponentPoints::ComponentPoints(std::vector<std::size_t> dimensions, std::vector<Gene> rows)
    : dimensions_(std::move(dimensions)), rows_(std::move(rows)),
      buckets_(std::bit_ceil(2 * size()), 0) {
  for (std::size_t r = 0; r < size(); ++r) {
    const std::size_t bucket = bucket_of(row(r));
    COULOMB_CHECK(buckets_[bucket] == 0, "point {} repeats an earlier one", r);
    buckets_[bucket] = static_cast<std::uint32_t>(r + 1);
  }
}

/// The bucket that holds these genes, or the empty one where they would be.
std::size_t ComponentPoints::bucket_of(std::span<const Gene> genes) const {
  const std::size_t mask = buckets_.size() - 1;
  std::size_t bucket =
      hash64({reinterpret_cast<const char*>(genes.data()), genes.size_bytes()}) & mask;
  while (buckets_[bucket] != 0) {
    const auto held = row(buckets_[bucket] - 1);
    if (std::equal(held.begin(), held.end(), genes.begin())) {
      break;
    }
    bucket = (bucket + 1) & mask;
  }
  return bucket;
}

std::optional<std::size_t> ComponentPoints::find(std::span<const Gene> genes) const {
  const std::uint32_t held = buckets_[bucket_of(genes)];
  return held == 0 ? std::nullopt : std::optional<std::size_t>(held - 1);
}

std::size_t ComponentPoints::nearest(std::span<const Gene> genes,
                                     const std::vector<Dimension>& all) const {
  if (const auto same = find(genes)) {
    return *same;
  }
  std::size_t values = 0;
  for (const std::size_t d : dimensions_) {
    values += all[d].values.size() - 1;
  }
  // Trying changes pays only while there are fewer of them than points to scan.
  if (values < size()) {
    if (const auto one = nearest_by_one_gene(genes, all)) {
      return *one;
    }
  }
  if (values * values / 2 < size()) {
    if (const auto two = nearest_by_two_genes(genes, all)) {
      return *two;
    }
  }
  return nearest_by_scan(genes, all);
}

std::optional<std::size_t>
ComponentPoints::nearest_by_one_gene(std::span<const Gene> genes,
                                     const std::vector<Dimension>& all) const {
  std::optional<std::size_t> best;
  double best_change = 0.0;
  Genes g(genes.begin(), genes.end());
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Dimension& dimension = all[dimensions_[i]];
    for (std::size_t v = 0; v < dimension.values.size(); ++v) {
      g[i] = static_cast<Gene>(v);
      const auto found = find(g);
      const double c = found ? change(dimension, genes[i], g[i]) : 0.0;
      if (found && (!best || c < best_change || (c == best_change && *found < *best))) {
        best = found;
        best_change = c;
      }
    }
    g[i] = genes[i];
  }
  return best;
}

std::optional<std::size_t>
ComponentPoints::nearest_by_two_genes(std::span<const Gene> genes,
                                      const std::vector<Dimension>& all) const {
  std::optional<std::size_t> best;
  double best_change = 0.0;
  Genes g(genes.begin(), genes.end());
  for (std::size_t i = 0; i < g.size(); ++i) {
    const Dimension& a = all[dimensions_[i]];
    for (std::size_t j = i + 1; j < g.size(); ++j) {
      const Dimension& b = all[dimensions_[j]];
      for (std::size_t k = 0; k < a.values.size() * b.values.size(); ++k) {
        g[i] = static_cast<Gene>(k / b.values.size());
        g[j] = static_cast<Gene>(k % b.values.size());
        const double c = change(a, genes[i], g[i]) + change(b, genes[j], g[j]);
        if (best && c > best_change) {
          continue;
        }
        const auto found = find(g);
        if (found && (!best || c < best_change || *found < *best)) {
          best = found;
          best_change = c;
        }
      }
      g[j] = genes[j];
    }
    g[i] = genes[i];
  }
  return best;
}

std::size_t ComponentPoints::nearest_by_scan(std::span<const Gene> genes,
                                             const std::vector<Dimension>& all) const {
  std::size_t best = 0;
  std::size_t best_changed = dimensions_.size() + 1;
  double best_change = 0.0;
  for (std::size_t r = 0; r < size(); ++r) {
    const auto candidate = row(r);
    std::size_t changed = 0;
    for (std::size_t i = 0; i < genes.size() && changed <= best_changed; ++i) {
      changed += candidate[i] != genes[i] ? 1 : 0;
    }
    if (changed > best_changed) {
      continue;
    }
    double total = 0.0;
    for (std::size_t i = 0; i < genes.size(); ++i) {
      total += candidate[i] != genes[i] ? change(all[dimensions_[i]], genes[i], candidate[i]) : 0.0;
    }
    if (changed < best_changed || total < best_change) {
      best = r;
      best_changed = changed;
      best_change = total;
    }
  }
  return best;
}

} // namespace coulomb::search
