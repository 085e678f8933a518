// SPDX-License-Identifier: Apache-2.0
#include "search/strategy/catalogue.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "search/baseline/exhaustive.hpp"
#include "search/baseline/hill_climb.hpp"
#include "search/baseline/random_sample.hpp"
#include "search/ga/generational_ga.hpp"
#include "search/ga/steady_state_ga.hpp"
#include "search/surrogate/screened_ga.hpp"

#include <array>

namespace coulomb::search {
namespace {

constexpr std::uint64_t kLeastBrood = 16;

constexpr std::array kStrategies = {
    StrategyEntry{"ga", "steady-state genetic search, its children screened by a model",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return ScreenedGa(space, ScreenSettings{}, start.seed, start.lookahead,
                                      start.first);
                  }},
    StrategyEntry{"ga-plain", "steady-state genetic search without the model",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return SteadyStateGa(space, GaSettings{}, start.seed, start.lookahead,
                                         start.first);
                  }},
    StrategyEntry{"ga-generational", "genetic search in generations, without the model",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return GenerationalGa(space, GaSettings{}, start.seed,
                                          std::max(kLeastBrood, start.lookahead), start.first);
                  }},
    StrategyEntry{"hill-climb", "first-improvement local search, restarted at random",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return HillClimb(space, start.seed, start.lookahead, start.first);
                  }},
    StrategyEntry{"random", "uniform random sampling without replacement",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return RandomSample(space, start.seed, start.lookahead);
                  }},
    StrategyEntry{"exhaustive", "every valid configuration, in the space's order",
                  [](const SearchSpace& space, const StrategyStart& start) -> Strategy {
                    return Exhaustive(space, start.lookahead);
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
