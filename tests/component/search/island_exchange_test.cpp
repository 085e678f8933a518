// SPDX-License-Identifier: Apache-2.0
// Islands that are searches of their own: what they take from others, and that a continued one
// takes the same.
#include "search/cluster/island_exchange.hpp"

#include "search/cluster/island.hpp"
#include "search/objective/weighted_reward.hpp"
#include "search/store/search_summary.hpp"
#include "tests/component/search/driven_search.hpp"
#include "tests/unit/search/scratch_directory.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::search {
namespace {

SearchHeader island_header(std::uint64_t index) {
  SearchHeader header = synthetic_header();
  header.islands = 3;
  header.topology = "ring";
  header.island = index;
  header.migration_interval = 6;
  return header;
}

class IslandsWith : public ::testing::TestWithParam<std::string> {
protected:
  /// Runs an island of `shared` from its beginning; `limit`: as DrivenSearch.
  void begin(const std::string& shared,
             std::uint64_t index,
             std::size_t limit = std::numeric_limits<std::size_t>::max()) {
    (void)how(shared, index, limit)
        .run(space_, SearchStore::create(island_dir(shared, index), island_header(index)));
  }
  void resume(const std::string& shared, std::uint64_t index) {
    (void)how(shared, index, std::numeric_limits<std::size_t>::max())
        .run(space_, SearchStore::resume(island_dir(shared, index), island_header(index)));
  }
  SearchRecords records(const std::string& shared, std::uint64_t index) const {
    return load_search(island_dir(shared, index));
  }
  DrivenSearch how(const std::string& shared, std::uint64_t index, std::size_t limit) const {
    DrivenSearch search{.strategy = GetParam(), .objectives = objectives_, .shared = shared};
    search.start.seed = Island{index, 3}.seed(1);
    search.limit = limit;
    return search;
  }

  ScratchDirectory dir_;
  SearchSpace space_ = synthetic_space(5, 4, 3);
  ObjectiveSettings objectives_;
};

INSTANTIATE_TEST_SUITE_P(TakeMigrants,
                         IslandsWith,
                         ::testing::Values("ga", "ga-plain", "ga-generational", "nsga2"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

std::set<std::string> configurations(const std::vector<EvaluationRecord>& evaluations) {
  std::set<std::string> keys;
  for (const EvaluationRecord& e : evaluations) {
    keys.insert(e.configuration.key());
  }
  return keys;
}

TEST_P(IslandsWith, TakeTheBestOfTheirNeighbourAndDoNotEvaluateItAgain) {
  const std::string shared = dir_.path("d");
  begin(shared, 0);
  begin(shared, 1);
  const SearchRecords first = records(shared, 0);
  ASSERT_EQ(first.migrations.size(), 10U) << "60 evaluations, a meeting every 6";
  for (const MigrationRecord& migration : first.migrations) {
    EXPECT_TRUE(migration.arrivals.empty()) << "island 2 had not begun";
  }
  const SearchRecords second = records(shared, 1);
  ASSERT_EQ(second.evaluations.size(), 60U);
  ASSERT_EQ(second.migrations.front().at, 6U);
  ASSERT_EQ(second.migrations.front().arrivals.size(), 1U);
  const auto& arrival = second.migrations.front().arrivals.front();
  EXPECT_EQ(arrival.island, 0U);
  EXPECT_EQ(arrival.sequence, 10U) << "the newest";
  ASSERT_FALSE(arrival.evaluations.empty());
  const std::size_t learnt = GetParam() == "ga-generational" ? 48 : 60; // 3 generations of 16
  double best = 1e9;
  for (std::size_t i = 0; i < learnt; ++i) {
    const EvaluationRecord& e = first.evaluations[i];
    best = e.status == eval::EvalStatus::ok ? std::min(best, e.time_ms) : best;
  }
  EXPECT_EQ(arrival.evaluations.front().time_ms, best);
  const auto before = configurations(
      {second.evaluations.begin(), second.evaluations.begin() + 6 + 4}); // 4 are out then
  const auto own = configurations(second.evaluations);
  for (const EvaluationRecord& e : arrival.evaluations) {
    EXPECT_TRUE(before.contains(e.configuration.key()) || !own.contains(e.configuration.key()))
        << e.configuration.key() << " was known, and evaluated again";
  }
}

TEST_P(IslandsWith, SearchOtherwiseThanAlone) {
  const std::string shared = dir_.path("d");
  begin(shared, 0);
  begin(shared, 1);
  const std::string alone = dir_.path("alone");
  begin(alone, 1);
  EXPECT_NE(without_times_of_day(records(shared, 1)), without_times_of_day(records(alone, 1)))
      << "what arrived changed nothing";
}

TEST_P(IslandsWith, ContinuedAnywhereTakeTheSameWhateverLiesThereByThen) {
  const std::string shared = dir_.path("d");
  begin(shared, 0);
  begin(shared, 1);
  const auto whole = without_times_of_day(records(shared, 1));
  const auto migrations = records(shared, 1).migrations;
  for (std::size_t cut = 3; cut < 60; cut += 7) {
    const std::string again = dir_.path(fmt::format("cut{}", cut));
    std::filesystem::create_directories(again);
    std::filesystem::copy(shared + "/migrants", again + "/migrants");
    begin(again, 1, cut);
    ASSERT_EQ(records(again, 1).evaluations.size(), cut);
    if (!records(again, 1).migrations.empty()) {
      // What was taken is journaled. Nothing that was not taken may come later: the island offers
      // once, so no newer file is there.
      std::filesystem::remove_all(again + "/migrants");
    }
    resume(again, 1);
    EXPECT_EQ(without_times_of_day(records(again, 1)), whole) << "cut at " << cut;
    EXPECT_EQ(records(again, 1).migrations, migrations) << "cut at " << cut;
  }
}

TEST_P(IslandsWith, LearnAnewWithWhatArrived) {
  objectives_.objectives = {std::string(kReward)};
  objectives_.reward = {.start = {{"latency", 1.0}}, .end = {{"latency", 0.5}, {"ipc", 0.5}}};
  const std::string shared = dir_.path("d");
  begin(shared, 0);
  begin(shared, 1);
  ASSERT_FALSE(records(shared, 1).migrations.front().arrivals.empty());
  const auto whole = without_times_of_day(records(shared, 1));
  EXPECT_EQ(whole.size(), 60U);
  const std::string again = dir_.path("again");
  std::filesystem::create_directories(again);
  std::filesystem::copy(shared + "/migrants", again + "/migrants");
  begin(again, 1, 40);
  resume(again, 1);
  EXPECT_EQ(without_times_of_day(records(again, 1)), whole);
}

TEST_P(IslandsWith, AloneSearchAsAnySearchWithTheirSeed) {
  const std::string shared = dir_.path("d");
  begin(shared, 1);
  DrivenSearch plain = how("", 1, std::numeric_limits<std::size_t>::max());
  (void)plain.run(space_, SearchStore::create(dir_.path("plain"), synthetic_header()));
  EXPECT_EQ(without_times_of_day(records(shared, 1)),
            without_times_of_day(load_search(dir_.path("plain"))));
}

TEST(IslandExchange, ThatCannotOfferAnythingSaysSoAndGoesOn) {
  const ScratchDirectory dir;
  const std::string shared = dir.path("d");
  std::filesystem::create_directories(shared);
  std::filesystem::create_symlink("/dev/null", shared + "/migrants");
  SearchStore store = SearchStore::create(island_dir(shared, 0), island_header(0));
  IslandExchange exchange(store, shared);
  EXPECT_TRUE(exchange.exchange().meet(6, {ok_record(0, 1.0)}).empty());
  EXPECT_THAT(exchange.problem(), ::testing::HasSubstr("/migrants"));
  EXPECT_EQ(store.records().migrations.size(), 1U);
}

TEST(IslandExchange, BegunAnewForgetsWhatItOnceOffered) {
  const ScratchDirectory dir;
  const std::string shared = dir.path("d");
  MigrantDirectory(shared).publish({0, 40, "old", {ok_record(0, 1.0)}});
  SearchStore store = SearchStore::create(island_dir(shared, 0), island_header(0));
  IslandExchange exchange(store, shared);
  EXPECT_EQ(MigrantDirectory(shared).last_sequence(0), 0U);
  (void)exchange.exchange().meet(6, {ok_record(0, 1.0)});
  EXPECT_EQ(MigrantDirectory(shared).last_sequence(0), 1U);
}

} // namespace
} // namespace coulomb::search
