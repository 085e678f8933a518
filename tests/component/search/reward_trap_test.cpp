// SPDX-License-Identifier: Apache-2.0
// Weighted rewards on a space in which power and time pull apart.
#include "search/driver/search_driver.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <sstream>

namespace coulomb::search {
namespace {

constexpr std::uint64_t kBudget = 120;

/// All parameters high: 1 ms and 275 W; all low: 8 ms and 100 W.
Evaluation evaluate(const SearchSpace& space, const Candidate& candidate) {
  double low = 0.0;
  for (const Gene gene : space.genes(space.find(candidate.configuration).value())) {
    low += gene;
  }
  Evaluation e;
  e.id = candidate.id;
  e.configuration = candidate.configuration;
  e.status = eval::EvalStatus::ok;
  e.sim.time_ms = 8.0 - 0.2 * low;
  e.sim.cycles = 1e6 * e.sim.time_ms;
  e.sim.counters["model__power.avg"] = 100.0 + 5.0 * low;
  return e;
}

/// The fastest that a search by this reward looked at, ms.
double fastest(const SearchSpace& space,
               const std::string& dir,
               const RewardSchedule& reward,
               std::uint64_t seed) {
  SearchStore store = SearchStore::create(dir, synthetic_header());
  const std::atomic<bool> stop{false};
  std::ostringstream sink;
  Progress progress(sink, Progress::Style::lines, kBudget);
  std::deque<Candidate> out;
  SearchDriver driver(space, store,
                      {.submit = [&](const Candidate& c) { out.push_back(c); },
                       .next = [&]() -> std::optional<Evaluation> {
                         const Candidate candidate = out.front();
                         out.pop_front();
                         return evaluate(space, candidate);
                       }},
                      Scorer({.objectives = {"reward"}, .reward = reward}), stop, progress);
  driver.run(find_strategy("ga-plain").make(space, {.seed = seed, .lookahead = 1}), kBudget);
  double best = 99.0;
  for (const auto& record : store.records().evaluations) {
    best = std::min(best, record.time_ms);
  }
  return best;
}

TEST(RewardTraps, MuchWeightOnPowerEarlyEndsSlowerThanTimeFromTheStart) {
  const SearchSpace space = synthetic_space(5, 8);
  const ScratchDirectory scratch;
  const RewardWeights power = {{"power", 0.95}, {"latency", 0.05}};
  const RewardWeights time = {{"latency", 1.0}};
  double late = 0.0;
  double always = 0.0;
  double never = 0.0;
  constexpr int kSeeds = 20;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto dir = [&](const char* name) { return scratch.path(name + std::to_string(seed)); };
    late += fastest(space, dir("late"), {.start = power, .end = time}, seed) / kSeeds;
    always += fastest(space, dir("always"), {.start = time, .end = time}, seed) / kSeeds;
    never += fastest(space, dir("never"), {.start = power, .end = power}, seed) / kSeeds;
  }
  EXPECT_LT(always, 1.1) << "the fastest takes 1 ms";
  EXPECT_GT(late, 1.1 * always);
  EXPECT_GT(never, 1.2 * late) << "a schedule that raises performance leaves the frugal valley";
}

} // namespace
} // namespace coulomb::search
