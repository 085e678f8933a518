// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/search_view.hpp"

#include "base/error.hpp"
#include "search/cluster/island.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

constexpr std::int64_t kNow = 1'769'862'900; // 2026-01-31T12:35:00Z

SearchHeader island_header(std::uint64_t index) {
  SearchHeader header = synthetic_header();
  header.budget = 3;
  header.islands = 2;
  header.topology = "ring";
  header.island = index;
  header.migration_interval = 12;
  return header;
}

class ViewOfIslands : public ::testing::Test {
protected:
  SearchStore island(std::uint64_t index) {
    auto store = SearchStore::create(island_dir(dir_.path("d"), index), island_header(index));
    store.begin_session(2, "test");
    return store;
  }
  void beat(std::uint64_t index, const std::string& host, std::int64_t age) {
    Heartbeat h;
    h.host = host;
    h.written_s = kNow - age;
    h.fresh = 1;
    h.session_s = 3600.0;
    write_heartbeat(island_dir(dir_.path("d"), index), h);
  }
  SearchView view() const { return view_search(dir_.path("d"), kNow); }

  ScratchDirectory dir_;
};

TEST_F(ViewOfIslands, IsAllTheyFoundEachConfigurationOnce) {
  {
    auto first = island(0);
    first.add(ok_record(0, 3.0));
    first.add(ok_record(1, 2.0));
    auto second = island(1);
    second.add(ok_record(0, 3.0)); // as the first island did
    second.add(failed_record(5, eval::EvalStatus::timeout, "slow"));
    second.add(MigrationRecord{.at = 12, .arrivals = {{0, 1, {ok_record(1, 2.0)}}}});
    const SearchView live = view();
    EXPECT_TRUE(live.running);
    EXPECT_EQ(live.state, "2 islands: 2 running");
    EXPECT_EQ(live.records.stopped_by, "");
    first.end_session("budget");
    second.end_session("exhausted");
  }
  const SearchView done = view();
  ASSERT_EQ(done.records.evaluations.size(), 3U);
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(done.records.evaluations[i].id, i);
  }
  EXPECT_EQ(done.records.evaluations[2].message, "slow");
  EXPECT_EQ(done.records.header.budget, 6U);
  EXPECT_EQ(done.records.header.island, std::nullopt);
  EXPECT_EQ(done.records.sessions, 2U);
  EXPECT_EQ(done.records.last_jobs, 4U);
  EXPECT_EQ(done.records.stopped_by, "budget");
  EXPECT_EQ(done.state, "2 islands: 1 stopped by budget, 1 stopped by exhausted");
  EXPECT_FALSE(done.running);
  ASSERT_EQ(done.islands.size(), 2U);
  EXPECT_EQ(done.islands[1].evaluations, 2U);
  EXPECT_EQ(done.islands[1].ok, 1U);
  EXPECT_EQ(done.islands[1].immigrants, 1U);
}

TEST_F(ViewOfIslands, IsNotCompleteWhileOneHasNotBegun) {
  island(1).end_session("budget");
  EXPECT_EQ(view().records.stopped_by, "");
  EXPECT_EQ(view().state, "1 island: 1 stopped by budget");
}

TEST_F(ViewOfIslands, TellsTheKilledFromTheSilent) {
  island(0).add(ok_record(0, 3.0)); // its lock is free again, and it never said that it ended
  island(1).add(ok_record(0, 3.0));
  EXPECT_EQ(view().islands[0].state, "killed") << "without a heartbeat";
  beat(0, host_name(), 1);
  beat(1, "another-node", kSilentAfter + 1);
  EXPECT_EQ(view().islands[0].state, "killed") << "nobody holds the lock on this machine";
  EXPECT_EQ(view().islands[1].state, "silent since 2026-01-31T12:33:59Z");
  EXPECT_FALSE(view().running);
  beat(1, "another-node", kSilentAfter);
  EXPECT_EQ(view().islands[1].state, "running") << "a lock elsewhere cannot be seen from here";
  EXPECT_TRUE(view().running);
  EXPECT_DOUBLE_EQ(view().islands[1].seconds_left().value(), 2.0 * 3600.0)
      << "2 evaluations at 1 an hour";
  EXPECT_EQ(view().islands[0].seconds_left(), std::nullopt);
}

TEST_F(ViewOfIslands, ThatHoldsItsLockAndSaysNothingIsSilentToo) {
  auto store = island(0);
  EXPECT_EQ(view().islands[0].state, "running") << "an older release, without a heartbeat";
  beat(0, host_name(), 2 * kSilentAfter);
  EXPECT_EQ(view().islands[0].state, "silent since 2026-01-31T12:33:00Z");
}

TEST_F(ViewOfIslands, OfDifferentSearchesIsRefused) {
  (void)island(0);
  SearchHeader other = island_header(1);
  other.gpu = "rtx-3090";
  (void)SearchStore::create(island_dir(dir_.path("d"), 1), other);
  try {
    (void)view();
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()), fmt::format("{0}/island-1 cannot be merged with {0}/island-0:"
                                                 "\n  gpu: recorded a100-pcie-40gb, now rtx-3090",
                                                 dir_.path("d")));
  }
}

TEST(ViewOfASearch, ThatIsAloneIsThatSearch) {
  const ScratchDirectory dir;
  {
    auto store = SearchStore::create(dir.path("s"), synthetic_header());
    store.begin_session(2, "test");
    store.add(ok_record(4, 3.0));
    store.end_session("signal");
  }
  const SearchView view = view_search(dir.path("s"));
  EXPECT_EQ(view.state, "stopped by signal");
  EXPECT_EQ(view.records.evaluations, load_search(dir.path("s")).evaluations);
  EXPECT_EQ(view.records.header, synthetic_header());
  ASSERT_EQ(view.islands.size(), 1U);
  EXPECT_THROW((void)view_search(dir.path("nothing")), UserError);
}

} // namespace
} // namespace coulomb::search
