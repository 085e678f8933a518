// SPDX-License-Identifier: Apache-2.0
#include "search/driver/strategy_catalogue.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "search/baseline/exhaustive.hpp"
#include "search/baseline/hill_climb.hpp"
#include "search/baseline/random_sample.hpp"
#include "search/ga/genetic_search.hpp"
#include "search/surrogate/screened_ga.hpp"

#include <algorithm>
#include <array>

namespace coulomb::search {
namespace {

/// Children of a generation, if the lookahead is shorter.
constexpr std::uint64_t kLeastGeneration = 16;

Strategy generational(const SearchSpace& space, StrategyStart start) {
  start.lookahead = std::max(kLeastGeneration, start.lookahead);
  return GeneticSearch(space, GaSettings{}, start, Replacement::generational);
}

constexpr std::array kStrategies = {
    StrategyEntry{"ga", "steady-state genetic search, its children screened by a model",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return ScreenedGa(space, ScreenSettings{}, start);
                  }},
    StrategyEntry{"ga-plain", "steady-state genetic search without the model",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return GeneticSearch(space, GaSettings{}, start, Replacement::steady_state);
                  }},
    StrategyEntry{"ga-generational", "genetic search in generations, without the model",
                  [](const SearchSpace& space, const StrategyStart& start) {
                    return generational(space, start);
                  }},
    StrategyEntry{"hill-climb", "first-improvement local search, restarted at random",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return HillClimb(space, start);
                  }},
    StrategyEntry{"random", "uniform random sampling without replacement",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return RandomSample(space, start);
                  }},
    StrategyEntry{"exhaustive", "every valid configuration, in the space's order",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return Exhaustive(space, start);
                  }},
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
