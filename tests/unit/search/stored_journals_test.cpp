// SPDX-License-Identifier: Apache-2.0
// Searches that earlier builds recorded stay readable: docs/complaints.md.
#include "base/error.hpp"
#include "search/objective/ranking.hpp"
#include "search/store/export.hpp"
#include "search/store/search_summary.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using ::testing::ElementsAre;

/// A directory that holds a stored journal.
class StoredJournals : public ::testing::Test {
protected:
  SearchRecords load(const std::string& name) {
    std::filesystem::create_directories(dir_.path(name));
    std::filesystem::copy_file(std::string(COULOMB_SOURCE_DIR) + "/tests/unit/search/journals/" +
                                   name + ".journal",
                               journal_path(dir_.path(name)));
    return load_search(dir_.path(name));
  }

  ScratchDirectory dir_;
};

TEST_F(StoredJournals, OfSchema1HaveTheirEvaluationsAndTheStrategyOfTheirTime) {
  const SearchRecords records = load("schema1");
  EXPECT_EQ(records.damage, "");
  EXPECT_EQ(records.header.schema, 1);
  EXPECT_EQ(records.header.strategy, "generational, schema 1");
  EXPECT_THAT(records.header.objectives.objectives, ElementsAre("time"));
  EXPECT_EQ(records.header.fidelity.cache_state, "warm");
  EXPECT_EQ(records.stopped_by, "budget");
  const SearchSummary summary = summarise(records.evaluations);
  EXPECT_EQ(summary.evaluations, 30U);
  EXPECT_EQ(summary.unique, 30U);
  EXPECT_EQ(summary.ok(), 28U);
  EXPECT_EQ(summary.statuses[static_cast<std::size_t>(EvalStatus::launch_invalid)].count, 2U);
  const auto best = Ranking(records).best(1);
  ASSERT_THAT(best, ElementsAre(25U));
  EXPECT_EQ(records.evaluations[25].configuration.key(),
            "block_size=128 elements_per_thread=2 vector_width=1");
  EXPECT_EQ(records.evaluations[25].time_ms, 0.07221347517730496);
}

TEST_F(StoredJournals, OfSchema2HaveTheirEvaluationsAndOrigins) {
  const SearchRecords records = load("schema2");
  EXPECT_EQ(records.damage, "");
  EXPECT_EQ(records.header.schema, 2);
  EXPECT_EQ(records.header.strategy, "ga");
  EXPECT_EQ(records.header.lookahead, 8U);
  EXPECT_EQ(records.header.fence, std::nullopt);
  EXPECT_EQ(records.stopped_by, "") << "it was killed";
  ASSERT_EQ(records.evaluations.size(), 3U);
  EXPECT_EQ(records.evaluations[0].origin, "first");
  EXPECT_EQ(records.evaluations[0].time_ms, 0.14389787234042553);
}

TEST_F(StoredJournals, AreExportedLikeNewOnes) {
  for (const char* name : {"schema1", "schema2"}) {
    const SearchRecords records = load(name);
    EXPECT_EQ(nlohmann::json::parse(export_t4(records))["results"].size(),
              records.evaluations.size());
    EXPECT_EQ(nlohmann::json::parse(export_json(records))["evaluations"].size(),
              records.evaluations.size());
    results::write_hdf5(dir_.path(std::string(name) + ".h5"), export_hdf5(records));
    EXPECT_TRUE(std::filesystem::exists(dir_.path(std::string(name) + ".h5")));
  }
}

TEST_F(StoredJournals, AreNotContinuedAsAnotherSearchAndStayWhatTheyAre) {
  const SearchRecords before = load("schema1");
  try {
    (void)SearchStore::resume(dir_.path("schema1"), synthetic_header());
    FAIL();
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(),
                ::testing::HasSubstr("strategy: recorded generational, schema 1, now ga"));
  }
  EXPECT_EQ(load_search(dir_.path("schema1")).evaluations, before.evaluations);
}

} // namespace
} // namespace coulomb::search
