// SPDX-License-Identifier: Apache-2.0
#include "search/driver/strategy_catalogue.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "search/baseline/exhaustive.hpp"
#include "search/baseline/hill_climb.hpp"
#include "search/baseline/random_sample.hpp"
#include "search/ga/genetic_search.hpp"
#include "search/ga/island_search.hpp"
#include "search/surrogate/screened_ga.hpp"

#include <algorithm>
#include <array>

namespace coulomb::search {
namespace {

/// Children of a generation, if the lookahead is shorter.
constexpr std::uint64_t kLeastGeneration = 16;

GaSettings fenced(const StrategyStart& start, GaSettings settings = {}) {
  settings.fence = start.fence;
  return settings;
}

Strategy screened(const SearchSpace& space, const StrategyStart& start) {
  ScreenSettings settings;
  settings.ga = fenced(start);
  return ScreenedGa(space, settings, start);
}

Strategy frugal(const SearchSpace& space, const StrategyStart& start) {
  ScreenSettings settings;
  settings.ga = fenced(start);
  settings.model.cost_weight = 1.0;
  return ScreenedGa(space, settings, start);
}

Strategy steady(const SearchSpace& space, const StrategyStart& start) {
  return GeneticSearch(space, fenced(start), start, Replacement::steady_state);
}

Strategy generational(const SearchSpace& space, const StrategyStart& start) {
  StrategyStart longer = start;
  longer.lookahead = std::max(kLeastGeneration, start.lookahead);
  return GeneticSearch(space, fenced(start), longer, Replacement::generational);
}

Strategy islands(const SearchSpace& space, const StrategyStart& start) {
  IslandSettings settings;
  settings.ga = fenced(start, settings.ga);
  return IslandSearch(space, settings, start, make_topology(start.topology, start.islands));
}

/// A front takes more parents than one best does; it never stagnates, because its ends are many.
Strategy nsga2(const SearchSpace& space, const StrategyStart& start) {
  const GaSettings settings{.population = 32, .initial = 24, .stagnation = 0};
  return GeneticSearch(space, fenced(start, settings), start, Replacement::steady_state,
                       arrange_by_front);
}

template <class T>
Strategy plain(const SearchSpace& space, const StrategyStart& start) {
  return T(space, start);
}

constexpr std::array kStrategies = {
    StrategyEntry{.name = "ga",
                  .description = "steady-state genetic search, its children screened by a model",
                  .several_objectives = false,
                  .children = true,
                  .islands = false,
                  .make = screened},
    StrategyEntry{.name = "ga-cost",
                  .description = "ga for the least time spent: improvement per expected second",
                  .several_objectives = false,
                  .children = true,
                  .islands = false,
                  .make = frugal},
    StrategyEntry{.name = "ga-plain",
                  .description = "steady-state genetic search without the model",
                  .several_objectives = false,
                  .children = true,
                  .islands = false,
                  .make = steady},
    StrategyEntry{.name = "ga-generational",
                  .description = "genetic search in generations, without the model",
                  .several_objectives = false,
                  .children = true,
                  .islands = false,
                  .make = generational},
    StrategyEntry{.name = "ga-islands",
                  .description = "populations that breed apart and exchange their best",
                  .several_objectives = false,
                  .children = true,
                  .islands = true,
                  .make = islands},
    StrategyEntry{.name = "nsga2",
                  .description = "the front of several objectives (NSGA-II, steady-state)",
                  .several_objectives = true,
                  .children = true,
                  .islands = false,
                  .make = nsga2},
    StrategyEntry{.name = "hill-climb",
                  .description = "first-improvement local search, restarted at random",
                  .several_objectives = false,
                  .children = true,
                  .islands = false,
                  .make = plain<HillClimb>},
    StrategyEntry{.name = "random",
                  .description = "uniform random sampling without replacement",
                  .several_objectives = true,
                  .children = false,
                  .islands = false,
                  .make = plain<RandomSample>},
    StrategyEntry{.name = "exhaustive",
                  .description = "every valid configuration, in the space's order",
                  .several_objectives = true,
                  .children = false,
                  .islands = false,
                  .make = plain<Exhaustive>},
};

} // namespace

std::span<const StrategyEntry> strategies() {
  return kStrategies;
}

const StrategyEntry& find_strategy(const std::string& name) {
  std::vector<std::string> names;
  for (const StrategyEntry& entry : kStrategies) {
    if (entry.name == name) {
      return entry;
    }
    names.emplace_back(entry.name);
  }
  throw UserError(fmt::format("there is no search strategy \"{}\"; there are: {}", name,
                              fmt::join(names, ", ")),
                  did_you_mean(name, names));
}

} // namespace coulomb::search
