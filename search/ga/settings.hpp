// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace coulomb::search {

/// What steers a genetic search. Nothing here depends on the number of jobs.
struct GaSettings {
  std::uint32_t population = 32; ///< individuals that breed; also the size of the first generation
  std::uint32_t brood = 16;      ///< children of each later generation
  std::uint32_t elites = 2;      ///< best individuals that always survive; at most `population`
  int tournament = 3;            ///< draws per parent
  double crossover = 0.8;        ///< probability that a child has two parents
  double uniform = 0.5;          ///< share of uniform crossovers, the rest are one-point
  double mutation = 0.1;         ///< probability of change per active gene after a crossover
  double clone_mutation = 0.2;   ///< same, for a child of one parent
  int attempts = 8;              ///< further mutations of a child that is already known
  bool operator==(const GaSettings&) const = default;
};

/// Settings for a budget of evaluations over a space with `active_genes` searchable parameters.
[[nodiscard]] GaSettings settings_for(std::uint64_t budget, std::size_t active_genes);

} // namespace coulomb::search
