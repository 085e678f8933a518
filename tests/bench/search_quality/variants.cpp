// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/search_quality/variants.hpp"

#include "search/driver/strategy_catalogue.hpp"
#include "search/ga/genetic_search.hpp"
#include "search/ga/island_search.hpp"
#include "search/surrogate/screened_ga.hpp"

namespace coulomb::bench {
namespace {

using search::GaSettings;
using search::ScreenSettings;

Variant screened(std::string name, std::uint64_t lookahead, const ScreenSettings& settings) {
  return {std::move(name), [=](const search::SearchSpace& space, std::uint64_t seed) {
            return search::Strategy(
                search::ScreenedGa(space, settings, {.seed = seed, .lookahead = lookahead}));
          }};
}

Variant plain(std::string name, std::uint64_t lookahead, const GaSettings& settings) {
  return {std::move(name), [=](const search::SearchSpace& space, std::uint64_t seed) {
            return search::Strategy(search::GeneticSearch(space, settings,
                                                          {.seed = seed, .lookahead = lookahead},
                                                          search::Replacement::steady_state));
          }};
}

Variant islands(std::string name, std::uint64_t lookahead, const std::string& topology) {
  return {std::move(name), [=](const search::SearchSpace& space, std::uint64_t seed) {
            return search::Strategy(search::IslandSearch(space, {},
                                                         {.seed = seed, .lookahead = lookahead},
                                                         search::make_topology(topology, 4)));
          }};
}

template <class Settings, class Change>
Settings changed(Change change) {
  Settings settings;
  change(settings);
  return settings;
}

} // namespace

std::vector<Variant> catalogue_variants(std::uint64_t lookahead) {
  std::vector<Variant> variants;
  for (const auto& entry : search::strategies()) {
    if (entry.name != "exhaustive") {
      variants.push_back({std::string(entry.name),
                          [make = entry.make, lookahead](const auto& space, std::uint64_t seed) {
                            return make(space, {.seed = seed, .lookahead = lookahead});
                          }});
    }
  }
  return variants;
}

std::vector<Variant> ablation_variants(std::uint64_t lookahead) {
  const auto screen = [&](const char* name, auto change) {
    return screened(name, lookahead, changed<ScreenSettings>(change));
  };
  const auto breed = [&](const char* name, auto change) {
    return plain(name, lookahead, changed<GaSettings>(change));
  };
  return {
      screen("ga", [](auto&) {}),
      screen("ga, nothing bred", [](auto& s) { s.bred = 0; }),
      screen("ga, no neighbours", [](auto& s) { s.elites = 0; }),
      screen("ga, root of cost", [](auto& s) { s.model.cost_weight = 0.5; }),
      screen("ga, per cost", [](auto& s) { s.model.cost_weight = 1.0; }),
      screen("ga, 512 candidates", [](auto& s) { s.candidates = 512; }),
      screen("ga, 2048 candidates", [](auto& s) { s.candidates = 2048; }),
      screen("ga, 4096 candidates", [](auto& s) { s.candidates = 4096; }),
      screen("ga, refit at 1.15", [](auto& s) { s.model.growth = 1.15; }),
      screen("ga, 200 observations", [](auto& s) { s.model.observations = 200; }),
      screen("ga, fit to 48", [](auto& s) { s.model.fit_observations = 48; }),
      breed("plain", [](auto&) {}),
      breed("plain, equal shares", [](auto& s) { s.adaptive = false; }),
      breed("plain, population 8", [](auto& s) { s.population = 8; }),
      breed("plain, population 24", [](auto& s) { s.population = 24; }),
      breed("plain, no restart", [](auto& s) { s.stagnation = 0; }),
      breed("plain, restart at 50", [](auto& s) { s.stagnation = 50; }),
      breed("plain, restart at 100", [](auto& s) { s.stagnation = 100; }),
      islands("islands, ring", lookahead, "ring"),
      islands("islands, complete", lookahead, "complete"),
      islands("islands, none", lookahead, "none"),
  };
}

} // namespace coulomb::bench
