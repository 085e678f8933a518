// SPDX-License-Identifier: Apache-2.0
#include "search/driver/search_driver.hpp"

#include "base/error.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "search/store/search_summary.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <set>
#include <sstream>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

constexpr std::uint64_t kBudget = 60;

constexpr std::uint64_t kLookahead = 4;

Strategy strategy(const SearchSpace& space, Point first = 17) {
  return find_strategy("ga").make(space, {.seed = 5, .lookahead = kLookahead, .first = first});
}

/// Evaluates, as an Evaluator does, in the order of `next_of`: given how many are out, which of
/// them (oldest first) comes to its end. Stops as if Ctrl-C was pressed after `limit` outcomes.
struct SyntheticEvaluator {
  using NextOf = std::function<std::size_t(std::size_t)>;

  const SearchSpace& space;
  std::atomic<bool>& stop;
  std::size_t limit = std::numeric_limits<std::size_t>::max();
  NextOf next_of = [](std::size_t) { return std::size_t{0}; };
  std::vector<Candidate> out{};
  std::vector<std::uint64_t> evaluated{};
  std::size_t most_out = 0;

  Evaluations evaluations() {
    return {.submit =
                [this](const Candidate& candidate) {
                  out.push_back(candidate);
                  most_out = std::max(most_out, out.size());
                },
            .next = [this] { return next(); }};
  }

  std::optional<Evaluation> next() {
    if (out.empty() || evaluated.size() >= limit) {
      stop = true;
      return std::nullopt;
    }
    const auto at = out.begin() + static_cast<std::ptrdiff_t>(next_of(out.size()));
    const Candidate candidate = *at;
    out.erase(at);
    evaluated.push_back(candidate.id);
    return synthetic_evaluation(space, candidate);
  }
};

Scorer by_time() {
  return Scorer(ObjectiveSettings{});
}

struct Session {
  std::string stopped_by;
  std::vector<std::uint64_t> evaluated;
  std::size_t most_out = 0;
};

Session run_session(
    const SearchSpace& space,
    SearchStore store,
    std::uint64_t budget = kBudget,
    std::size_t limit = std::numeric_limits<std::size_t>::max(),
    const SyntheticEvaluator::NextOf& next_of = [](std::size_t) { return std::size_t{0}; },
    Point first = 17) {
  std::atomic<bool> stop{false};
  SyntheticEvaluator evaluator{space, stop, limit, next_of};
  std::ostringstream sink;
  Progress progress(sink, Progress::Style::lines, budget);
  store.begin_session(1, "test");
  SearchDriver driver(space, store, evaluator.evaluations(), by_time(), stop, progress);
  Session session;
  session.stopped_by = driver.run(strategy(space, first), budget);
  store.end_session(session.stopped_by);
  session.evaluated = evaluator.evaluated;
  session.most_out = evaluator.most_out;
  return session;
}

/// The evaluations without what depends on the clock.
std::vector<EvaluationRecord> timeless(const SearchRecords& records) {
  auto evaluations = records.evaluations;
  for (auto& e : evaluations) {
    e.finished.clear();
  }
  return evaluations;
}

class SearchDriverTest : public ::testing::Test {
protected:
  SearchDriverTest() : space_(synthetic_space(5, 4, 3)) {}

  SearchRecords uninterrupted(std::uint64_t budget = kBudget) const {
    const std::string dir = dir_.path(fmt::format("whole{}", budget));
    const auto session = run_session(space_, SearchStore::create(dir, synthetic_header()), budget);
    EXPECT_EQ(session.stopped_by, "budget");
    return load_search(dir);
  }

  ScratchDirectory dir_;
  SearchSpace space_;
};

TEST_F(SearchDriverTest, RecordsEveryEvaluationUpToTheBudget) {
  const SearchRecords records = uninterrupted();
  ASSERT_EQ(records.evaluations.size(), kBudget);
  EXPECT_EQ(records.stopped_by, "budget");
  EXPECT_EQ(records.evaluations[0].configuration, space_.configuration(17));
  for (std::size_t i = 0; i < kBudget; ++i) {
    const auto& e = records.evaluations[i];
    EXPECT_EQ(e.id, i);
    const Fitness expected = synthetic_fitness(space_, space_.find(e.configuration).value());
    EXPECT_EQ(e.status, expected.status);
    EXPECT_EQ(e.time_ms, expected.value);
  }
  const SearchSummary summary = summarise(records.evaluations);
  EXPECT_EQ(summary.unique, kBudget);
  EXPECT_LT(summary.ok(), kBudget) << "the space has points that fail";
}

TEST_F(SearchDriverTest, ContinuesFromEveryCutAsIfNeverInterrupted) {
  const SearchRecords whole = uninterrupted();
  for (std::size_t cut = 0; cut < kBudget; ++cut) {
    const std::string dir = dir_.path(fmt::format("cut{}", cut));
    const auto first =
        run_session(space_, SearchStore::create(dir, synthetic_header()), kBudget, cut);
    ASSERT_EQ(first.stopped_by, "signal");
    ASSERT_EQ(first.evaluated.size(), cut);

    const auto second = run_session(space_, SearchStore::resume(dir, synthetic_header()));

    ASSERT_EQ(second.stopped_by, "budget") << "cut at " << cut;
    ASSERT_EQ(second.evaluated.size(), kBudget - cut) << "none is evaluated twice";
    ASSERT_EQ(second.evaluated.front(), cut);
    const SearchRecords records = load_search(dir);
    ASSERT_EQ(timeless(records), timeless(whole)) << "cut at " << cut;
    ASSERT_EQ(records.sessions, 2U);
  }
}

TEST_F(SearchDriverTest, ContinuesThroughManyInterruptions) {
  const SearchRecords whole = uninterrupted();
  const std::string dir = dir_.path("many");
  (void)run_session(space_, SearchStore::create(dir, synthetic_header()), kBudget, 7);
  int sessions = 1;
  while (run_session(space_, SearchStore::resume(dir, synthetic_header()), kBudget, 7).stopped_by ==
         "signal") {
    ++sessions;
  }
  EXPECT_EQ(sessions, 8) << "7 evaluations each";
  EXPECT_EQ(timeless(load_search(dir)), timeless(whole));
}

TEST_F(SearchDriverTest, HasNothingLeftToDoAfterItsBudget) {
  const std::string dir = dir_.path("done");
  (void)run_session(space_, SearchStore::create(dir, synthetic_header()));
  const auto again = run_session(space_, SearchStore::resume(dir, synthetic_header()));
  EXPECT_EQ(again.stopped_by, "budget");
  EXPECT_TRUE(again.evaluated.empty());
}

TEST_F(SearchDriverTest, StopsWhenTheSpaceIsExhausted) {
  const SearchSpace tiny = synthetic_space(2, 5);
  const std::string dir = dir_.path("tiny");
  const auto session = run_session(
      tiny, SearchStore::create(dir, synthetic_header()), 1000, 1000,
      [](std::size_t) { return std::size_t{0}; }, 7);
  EXPECT_EQ(session.stopped_by, "exhausted");
  EXPECT_EQ(session.evaluated.size(), 25U);
}

TEST_F(SearchDriverTest, SpendsSmallBudgetsExactly) {
  for (const std::uint64_t budget : {1U, 2U, 7U, 8U, 9U}) {
    EXPECT_EQ(uninterrupted(budget).evaluations.size(), budget);
  }
}

TEST_F(SearchDriverTest, IsNotMovedByTheOrderInWhichCandidatesComplete) {
  const SearchRecords whole = uninterrupted();
  const auto newest = [](std::size_t out) { return out - 1; };
  const auto middle = [](std::size_t out) { return out / 2; };
  int number = 0;
  for (const SyntheticEvaluator::NextOf& next_of :
       {SyntheticEvaluator::NextOf(newest), SyntheticEvaluator::NextOf(middle)}) {
    const std::string dir = dir_.path(fmt::format("order{}", number++));
    const auto session = run_session(space_, SearchStore::create(dir, synthetic_header()), kBudget,
                                     kBudget, next_of);
    EXPECT_EQ(session.stopped_by, "budget");
    EXPECT_FALSE(std::is_sorted(session.evaluated.begin(), session.evaluated.end()));
    EXPECT_EQ(session.most_out, kLookahead);
    EXPECT_EQ(timeless(load_search(dir)), timeless(whole));
  }
}

TEST_F(SearchDriverTest, LosesNothingThatFinishedBehindOneThatDidNot) {
  const SearchRecords whole = uninterrupted();
  const auto newest = [](std::size_t out) { return out - 1; };
  for (std::size_t cut = 1; cut < kBudget; cut += 7) {
    const std::string dir = dir_.path(fmt::format("gap{}", cut));
    const auto first =
        run_session(space_, SearchStore::create(dir, synthetic_header()), kBudget, cut, newest);
    ASSERT_EQ(load_search(dir).evaluations.size(), cut);
    const auto second = run_session(space_, SearchStore::resume(dir, synthetic_header()));
    ASSERT_EQ(second.evaluated.size(), kBudget - cut) << "none is evaluated twice";
    ASSERT_EQ(timeless(load_search(dir)), timeless(whole)) << "cut at " << cut;
  }
}

TEST_F(SearchDriverTest, RefusesRecordsThatItsPlanDoesNotLeadTo) {
  const std::string dir = dir_.path("other");
  (void)run_session(space_, SearchStore::create(dir, synthetic_header()), kBudget, 5);
  try {
    (void)run_session(
        space_, SearchStore::resume(dir, synthetic_header()), kBudget, kBudget,
        [](std::size_t) { return std::size_t{0}; }, 18);
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()),
              dir + ": candidate 0 is recorded as " + space_.configuration(17).key() +
                  ", but this search leads to " + space_.configuration(18).key());
    EXPECT_EQ(e.hint(),
              "the search was recorded by another build of coulomb: continue it with that one");
  }
}

TEST_F(SearchDriverTest, KeepsWhatWasDeliveredBeforeAnEvaluatorThrew) {
  const std::string dir = dir_.path("throws");
  {
    SearchStore store = SearchStore::create(dir, synthetic_header());
    const std::atomic<bool> stop{false};
    std::ostringstream sink;
    Progress progress(sink, Progress::Style::lines, kBudget);
    std::vector<Candidate> submitted;
    int delivered = 0;
    SearchDriver driver(space_, store,
                        {.submit = [&](const Candidate& c) { submitted.push_back(c); },
                         .next = [&]() -> std::optional<Evaluation> {
                           if (delivered++ > 0) {
                             throw EnvironmentError("no compiler");
                           }
                           return synthetic_evaluation(space_, submitted[0]);
                         }},
                        by_time(), stop, progress);
    EXPECT_THROW((void)driver.run(strategy(space_), kBudget), EnvironmentError);
  }
  EXPECT_EQ(load_search(dir).evaluations.size(), 1U);
}

Evaluation ok_evaluation() {
  Evaluation e;
  e.id = 9;
  e.status = EvalStatus::ok;
  e.sim.time_ms = 2.0;
  e.sim.cycles = 3.0;
  e.sim.ipc = 0.5;
  e.sim.counters = {{"good", 1.0}, {"bad", std::nan("")}};
  return e;
}

TEST(MakeRecord, KeepsAnOkEvaluationAndItsFiniteCounters) {
  const auto record = make_record(ok_evaluation(), "model", by_time());
  EXPECT_EQ(record.id, 9U);
  EXPECT_EQ(record.origin, "model");
  EXPECT_EQ(record.status, EvalStatus::ok);
  EXPECT_EQ(record.time_ms, 2.0);
  EXPECT_EQ(record.counters, (std::map<std::string, double>{{"good", 1.0}}));
}

TEST(MakeRecord, TakesATimeThatIsNoTimeForAWrongResult) {
  for (const double time : {std::nan(""), std::numeric_limits<double>::infinity(), 0.0, -1.0}) {
    Evaluation e = ok_evaluation();
    e.sim.time_ms = time;
    const auto record = make_record(e, "random", by_time());
    EXPECT_EQ(record.status, EvalStatus::wrong_result);
    EXPECT_EQ(record.time_ms, 0.0);
    EXPECT_THAT(record.message, ::testing::StartsWith("the simulation ended with time_ms = "));
  }
}

TEST(MakeRecord, TakesAnObjectiveThatIsNoNumberForAWrongResult) {
  const Scorer scorer({.objectives = {"time", "good / bad"}, .reward = {}});
  const auto missing = make_record(ok_evaluation(), "random", scorer);
  EXPECT_EQ(missing.status, EvalStatus::wrong_result);
  EXPECT_EQ(missing.message, "objective \"good / bad\": the evaluation has no bad");
  Evaluation e = ok_evaluation();
  e.sim.counters["bad"] = 0.0;
  const auto divided = make_record(e, "random", scorer);
  EXPECT_EQ(divided.status, EvalStatus::wrong_result);
  EXPECT_THAT(divided.message, ::testing::HasSubstr("division by zero"));
  e.sim.counters["bad"] = 4.0;
  EXPECT_EQ(make_record(e, "random", scorer).status, EvalStatus::ok);
}

/// A reward whose weights move from IPC to time: the search must rank all it knows anew.
TEST_F(SearchDriverTest, LetsAStrategyLearnAnewWhenTheWeightsOfARewardChange) {
  struct Watcher {
    std::vector<std::size_t>* learnt;
    std::vector<double>* last;
    std::uint64_t proposed = 0;
    std::uint64_t committed = 0;
    [[nodiscard]] std::uint64_t needs() const { return proposed; }
    std::optional<Proposal> propose() { return Proposal{proposed++, proposed, "test"}; }
    void commit(const Individual& individual) {
      ++committed;
      *last = {individual.fitness.value};
    }
    void relearn(std::span<const Individual> history) {
      EXPECT_EQ(history.size(), committed);
      learnt->push_back(history.size());
      last->clear();
      for (const Individual& individual : history) {
        last->push_back(individual.fitness.value);
      }
    }
  };
  SearchStore store = SearchStore::create(dir_.path("reward"), synthetic_header());
  std::atomic<bool> stop{false};
  std::ostringstream sink;
  Progress progress(sink, Progress::Style::lines, 16);
  std::deque<Candidate> out;
  const auto next = [&]() -> std::optional<Evaluation> {
    Evaluation e = ok_evaluation();
    e.id = out.front().id;
    e.configuration = out.front().configuration;
    out.pop_front();
    e.sim.ipc = 1.0 + static_cast<double>(e.id);
    e.sim.time_ms = 1.0 + static_cast<double>(e.id);
    return e;
  };
  const Scorer scorer(
      {.objectives = {"reward"}, .reward = {.start = {{"ipc", 1.0}}, .end = {{"latency", 1.0}}}});
  SearchDriver driver(space_, store,
                      {.submit = [&](const Candidate& c) { out.push_back(c); }, .next = next},
                      scorer, stop, progress);
  std::vector<std::size_t> learnt;
  std::vector<double> last;
  EXPECT_EQ(driver.run(Strategy(Watcher{&learnt, &last}), 16), "budget");
  // Eight stages of two evaluations; the first begins with nothing to learn anew.
  EXPECT_THAT(learnt, ::testing::ElementsAre(2, 4, 6, 8, 10, 12, 14));
  // In the last stage only time counts: the baseline's 1 ms over 16 ms.
  EXPECT_DOUBLE_EQ(last.back(), -1.0 / 16.0);
  EXPECT_THAT(progress.line(), ::testing::HasSubstr("best 1 "));
}

} // namespace
} // namespace coulomb::search
