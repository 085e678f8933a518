// SPDX-License-Identifier: Apache-2.0
#include "search/ga/settings.hpp"

#include <algorithm>

namespace coulomb::search {
namespace {

/// The first generation gets about this share of the budget: enough to find the good regions, few
/// enough to leave generations that improve on them.
constexpr std::uint64_t kBudgetPerPopulation = 12;
constexpr std::uint64_t kSmallest = 8;
constexpr std::uint64_t kLargest = 64;

} // namespace

GaSettings settings_for(std::uint64_t budget, std::size_t active_genes) {
  GaSettings settings;
  settings.population =
      static_cast<std::uint32_t>(std::clamp(budget / kBudgetPerPopulation, kSmallest, kLargest));
  settings.brood = std::max<std::uint32_t>(settings.population / 2, 4);
  settings.elites = std::max<std::uint32_t>(settings.population / 8, 1);
  const double genes = static_cast<double>(std::max<std::size_t>(active_genes, 1));
  settings.mutation = std::min(0.5, 0.5 / genes);
  settings.clone_mutation = std::min(0.5, 1.5 / genes);
  return settings;
}

} // namespace coulomb::search
