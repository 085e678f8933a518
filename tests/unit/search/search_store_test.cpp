// SPDX-License-Identifier: Apache-2.0
#include "search/store/search_store.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "search/objective/ranking.hpp"
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

TEST(EvaluationRecord, SurvivesJsonExactly) {
  EvaluationRecord ok = ok_record(7, 0.1 + 0.2);
  ok.code = "c0de";
  for (const auto& record : {ok, failed_record(8, EvalStatus::compile_failed, "line 3: \"x\"")}) {
    const auto text = to_json(record).dump();
    EXPECT_EQ(evaluation_from_json(nlohmann::json::parse(text)), record);
  }
}

TEST(EvaluationRecord, KeepsTheTypesOfParameterValues) {
  EvaluationRecord record = ok_record(0, 1.0);
  record.configuration = kernel::Configuration(
      {{"i", std::int64_t{1}}, {"d", 1.0}, {"b", true}, {"s", std::string("1")}});
  const auto back = evaluation_from_json(nlohmann::json::parse(to_json(record).dump()));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back.configuration.entries()[i].second.index(),
              record.configuration.entries()[i].second.index());
  }
}

TEST(EvaluationRecord, GivesAFailureNoTime) {
  const auto json = to_json(failed_record(0, EvalStatus::timeout, "too long"));
  EXPECT_FALSE(json.contains("time_ms"));
  EXPECT_FALSE(json.contains("cycles"));
}

TEST(EvaluationRecord, NamesWhatIsMissing) {
  try {
    (void)evaluation_from_json(nlohmann::json::object());
    FAIL();
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), ::testing::StartsWith("not an evaluation record: "));
    EXPECT_THAT(e.what(), ::testing::HasSubstr("key 'id' not found"));
  }
}

TEST(MigrationRecord, SurvivesJsonAndTheJournal) {
  const MigrationRecord migration{
      .at = 12, .arrivals = {{2, 7, {ok_record(4, 1.5), ok_record(9, 2.0)}}, {5, 1, {}}}};
  EXPECT_EQ(migration_from_json(nlohmann::json::parse(to_json(migration).dump())), migration);
  const MigrationRecord nothing{.at = 24, .arrivals = {}};
  const ScratchDirectory dir;
  {
    auto store = SearchStore::create(dir.path("s"), synthetic_header());
    store.add(migration);
    store.add(nothing);
  }
  EXPECT_THAT(load_search(dir.path("s")).migrations, ElementsAre(migration, nothing));
  try {
    (void)migration_from_json(nlohmann::json::object());
    FAIL();
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), ::testing::StartsWith("not a migration: "));
  }
}

TEST(SearchHeader, SurvivesJson) {
  EXPECT_EQ(header_from_json(nlohmann::json::parse(to_json(synthetic_header()).dump())),
            synthetic_header());
}

TEST(SearchHeader, OfAnIslandSurvivesJsonAndIsContinuedAsThatIslandOnly) {
  SearchHeader header = synthetic_header();
  header.island = 3;
  header.islands = 8;
  header.topology = "ring";
  header.migration_interval = 12;
  EXPECT_EQ(header_from_json(nlohmann::json::parse(to_json(header).dump())), header);
  SearchHeader other = header;
  other.island = 4;
  other.migration_interval = 6;
  EXPECT_THAT(differences(header, other), ElementsAre("island: recorded 3 of 8, now 4 of 8",
                                                      "migration interval: recorded 12, now 6"));
  EXPECT_TRUE(differences(common_part(header), common_part(synthetic_header())).empty());
}

TEST(SearchHeader, OfSchema3IsAlone) {
  auto json = to_json(synthetic_header());
  json["schema"] = 3;
  json.erase("island");
  json.erase("migration_interval");
  EXPECT_EQ(header_from_json(json).island, std::nullopt);
  EXPECT_EQ(header_from_json(json).migration_interval, 0U);
}

TEST(SearchHeader, RefusesALaterSchema) {
  auto json = to_json(synthetic_header());
  json["schema"] = kStoreSchema + 1;
  try {
    (void)header_from_json(json);
    FAIL();
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "the search was recorded with schema 5, this release reads up to 4");
  }
}

TEST(SearchHeader, NamesEveryDifferenceThatMatters) {
  const SearchHeader recorded = synthetic_header();
  SearchHeader wanted = recorded;
  wanted.command = "another";
  wanted.started = "later";
  wanted.spec_path = "elsewhere";
  EXPECT_THAT(differences(recorded, wanted), ElementsAre());

  wanted.seed = 4;
  wanted.budget = 70;
  wanted.spec_hash = "ab";
  wanted.fidelity.sms = 2;
  wanted.gpu_json = R"({"sm":{"l1":{"size":262144}},"sms":108})";
  wanted.gpu_hash = "cd";
  EXPECT_THAT(differences(recorded, wanted),
              ElementsAre("spec text hash: recorded aa, now ab",
                          "gpu.sm.l1.size: recorded 196608, now 262144", "seed: recorded 3, now 4",
                          "budget: recorded 60, now 70", "simulated SMs: recorded 1, now 2"));
}

TEST(SearchStore, ReadsBackWhatWasAdded) {
  const ScratchDirectory dir;
  const auto a = ok_record(0, 2.0);
  const auto b = failed_record(1, EvalStatus::unsupported, "opcode \xff");
  {
    SearchStore store = SearchStore::create(dir.path("s/deep"), synthetic_header());
    store.begin_session(4, "coulomb search");
    store.add(a);
    store.add(b);
    EXPECT_TRUE(is_running(dir.path("s/deep")));
    EXPECT_EQ(load_search(dir.path("s/deep")).stopped_by, "");
    store.end_session("budget");
  }
  const SearchRecords records = load_search(dir.path("s/deep"));
  EXPECT_FALSE(is_running(dir.path("s/deep")));
  EXPECT_EQ(records.header, synthetic_header());
  EXPECT_EQ(records.sessions, 1U);
  EXPECT_EQ(records.last_jobs, 4U);
  EXPECT_EQ(records.stopped_by, "budget");
  ASSERT_EQ(records.evaluations.size(), 2U);
  EXPECT_EQ(records.evaluations[0], a);
  EXPECT_EQ(records.evaluations[1].message, "opcode \xef\xbf\xbd") << "not UTF-8: replaced";
}

TEST(SearchStore, RefusesToBeginWhereASearchIs) {
  const ScratchDirectory dir;
  {
    SearchStore store = SearchStore::create(dir.path("s"), synthetic_header());
    store.add(ok_record(0, 1.0));
  }
  try {
    (void)SearchStore::create(dir.path("s"), synthetic_header());
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()),
              dir.path("s") + " holds a search already: 1 of 60 evaluations");
    EXPECT_EQ(e.hint(), "continue it with --resume, or choose another --out");
  }
}

TEST(SearchStore, ReplacesASearchThatNeverGotToAnEvaluation) {
  const ScratchDirectory dir;
  (void)SearchStore::create(dir.path("s"), synthetic_header());
  SearchHeader other = synthetic_header();
  other.seed = 9;
  EXPECT_NO_THROW((void)SearchStore::create(dir.path("s"), other));
  EXPECT_EQ(load_search(dir.path("s")).header, other);
}

TEST(SearchStore, RefusesToResumeWhatIsNotThere) {
  const ScratchDirectory dir;
  try {
    (void)SearchStore::resume(dir.path("s"), synthetic_header());
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()),
              dir.path("s") + " holds no search: there is no " + dir.path("s/search.journal"));
    EXPECT_EQ(e.hint(), "start one with: coulomb search SPEC --gpu GPU --out DIR");
  }
  EXPECT_FALSE(std::filesystem::exists(dir.path("s"))) << "a refusal leaves no trace";
}

TEST(SearchStore, RefusesToResumeAnotherSearchAndSaysHowItDiffers) {
  const ScratchDirectory dir;
  (void)SearchStore::create(dir.path("s"), synthetic_header());
  SearchHeader other = synthetic_header();
  other.seed = 8;
  other.gpu = "rtx-3090";
  try {
    (void)SearchStore::resume(dir.path("s"), other);
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()), dir.path("s") +
                                         " was recorded by another search:\n"
                                         "  gpu: recorded a100-pcie-40gb, now rtx-3090\n"
                                         "  seed: recorded 3, now 8");
    EXPECT_EQ(e.hint(), "repeat its command with --resume: " + synthetic_header().command);
  }
}

TEST(SearchStore, ResumesBehindATornTail) {
  const ScratchDirectory dir;
  {
    SearchStore store = SearchStore::create(dir.path("s"), synthetic_header());
    store.add(ok_record(0, 1.0));
    store.add(ok_record(1, 2.0));
  }
  const auto size = std::filesystem::file_size(journal_path(dir.path("s")));
  std::filesystem::resize_file(journal_path(dir.path("s")), size - 3);
  {
    SearchStore store = SearchStore::resume(dir.path("s"), synthetic_header());
    EXPECT_EQ(store.records().evaluations.size(), 1U);
    EXPECT_THAT(store.records().damage, ::testing::HasSubstr("after 2 records"));
    store.add(ok_record(1, 3.0));
  }
  EXPECT_EQ(load_search(dir.path("s")).evaluations[1].time_ms, 3.0);
}

TEST(SearchStore, NamesARecordThatItCannotUnderstand) {
  const ScratchDirectory dir;
  (void)SearchStore::create(dir.path("s"), synthetic_header());
  results::JournalWriter(journal_path(dir.path("s"))).append(R"({"kind":"surprise"})");
  try {
    (void)load_search(dir.path("s"));
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()),
              journal_path(dir.path("s")) + ": record 1: unknown record (surprise)");
  }
}

TEST(SearchSummary, Counts) {
  const std::vector<EvaluationRecord> all = {
      ok_record(0, 3.0), failed_record(1, EvalStatus::compile_failed, "first"), ok_record(2, 1.0),
      failed_record(3, EvalStatus::compile_failed, "second"), ok_record(4, 1.0)};

  const SearchSummary s = summarise(all);

  EXPECT_EQ(s.evaluations, 5U);
  EXPECT_EQ(s.unique, 5U);
  EXPECT_EQ(s.simulations, 3U);
  EXPECT_EQ(s.origins, (std::map<std::string, std::uint64_t>{{"first", 1}, {"model", 4}}));
  EXPECT_EQ(s.ok(), 3U);
  const auto& failed = s.statuses[static_cast<std::size_t>(EvalStatus::compile_failed)];
  EXPECT_EQ(failed.count, 2U);
  EXPECT_EQ(failed.last_message, "second");
  EXPECT_DOUBLE_EQ(s.compile_s, 1.25);
  EXPECT_DOUBLE_EQ(s.sim_s, 6.0);
}

TEST(SearchRanking, PutsTheFastestFirstAndEqualsById) {
  SearchRecords records;
  records.header = synthetic_header();
  records.evaluations = {ok_record(0, 3.0), failed_record(1, EvalStatus::compile_failed, "first"),
                         ok_record(2, 1.0), failed_record(3, EvalStatus::compile_failed, "second"),
                         ok_record(4, 1.0)};
  EXPECT_THAT(Ranking(records).best(9), ElementsAre(2U, 4U, 0U));
}

TEST(EqualCode, IsSimulatedOnceWhateverFinishedFirst) {
  auto a = ok_record(0, 1.0);
  auto b = ok_record(1, 1.0);
  auto c = ok_record(2, 1.0);
  auto other = ok_record(3, 1.0);
  a.code = b.code = c.code = "same";
  other.code = "other";
  a.sim_s = c.sim_s = 0.0; // b came first and was the one that ran
  std::vector<EvaluationRecord> records = {b, other, c, a};

  link_equal_code(records);

  ASSERT_EQ(records[0].id, 0U);
  EXPECT_EQ(records[0].same_as, std::nullopt);
  EXPECT_EQ(records[0].sim_s, 2.0);
  EXPECT_EQ(records[1].same_as, std::optional<std::uint64_t>(0));
  EXPECT_EQ(records[1].sim_s, 0.0);
  EXPECT_EQ(records[2].same_as, std::optional<std::uint64_t>(0));
  EXPECT_EQ(records[3].same_as, std::nullopt);
  EXPECT_EQ(summarise(records).simulations, 2U);
  const auto once = records;
  link_equal_code(records);
  EXPECT_EQ(records, once) << "linking twice changes nothing";
}

TEST(SearchHeaderJson, ReadsWhatAnEarlierReleaseRecordedButDoesNotContinueIt) {
  nlohmann::json json = to_json(synthetic_header());
  json["schema"] = 1;
  json.erase("strategy");
  json.erase("lookahead");
  const SearchHeader old = header_from_json(json);
  EXPECT_EQ(old.strategy, "generational, schema 1");
  EXPECT_THAT(differences(old, synthetic_header()),
              ElementsAre("strategy: recorded generational, schema 1, now ga"));
  nlohmann::json record = to_json(ok_record(4, 1.0));
  record.erase("origin");
  record["same_as"] = 2;
  EXPECT_EQ(evaluation_from_json(record).same_as, std::optional<std::uint64_t>(2));
  EXPECT_EQ(evaluation_from_json(record).origin, "");
}

TEST(SearchRanking, HasNoBestWhenNothingSucceeded) {
  SearchRecords records;
  records.header = synthetic_header();
  EXPECT_TRUE(Ranking(records).best(1).empty());
  records.evaluations = {failed_record(0, EvalStatus::crashed, "died")};
  EXPECT_TRUE(Ranking(records).best(1).empty());
}

} // namespace
} // namespace coulomb::search
