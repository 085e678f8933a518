// SPDX-License-Identifier: Apache-2.0
// Searches in child processes that are really killed and really interrupted.
#include "search/driver/interrupt.hpp"
#include "search/driver/search_driver.hpp"
#include "search/driver/strategy_catalogue.hpp"
#include "search/objective/ranking.hpp"
#include "search/store/search_summary.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"
#include "tests/unit/search/synthetic_space.hpp"

#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace coulomb::search {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kBudget = 300;

/// Runs (or continues) the search in `dir`; every evaluation takes so long. Returns how it stopped.
std::string search_slowly(const std::string& dir, std::chrono::microseconds per_evaluation) {
  const SearchSpace space = synthetic_space(5, 4, 3);
  std::atomic<bool> cancelled{false};
  const InterruptWatch watch([&](int) { cancelled = true; });
  SearchStore store = std::filesystem::exists(journal_path(dir))
                          ? SearchStore::resume(dir, synthetic_header())
                          : SearchStore::create(dir, synthetic_header());
  store.begin_session(1, "test");
  std::ostringstream sink;
  Progress progress(sink, Progress::Style::lines, kBudget);
  std::deque<Candidate> out;
  SearchDriver driver(space, store,
                      {.submit = [&](const Candidate& candidate) { out.push_back(candidate); },
                       .next = [&]() -> std::optional<Evaluation> {
                         std::this_thread::sleep_for(per_evaluation);
                         if (cancelled || out.empty()) {
                           return std::nullopt;
                         }
                         // The newest first: a killed search leaves gaps.
                         const Candidate candidate = out.back();
                         out.pop_back();
                         return synthetic_evaluation(space, candidate);
                       }},
                      Scorer(ObjectiveSettings{}), watch.stop(), progress);
  const std::string stopped_by = driver.run(
      find_strategy("ga").make(space, {.seed = 5, .lookahead = 4, .first = {}}), kBudget);
  store.end_session(stopped_by);
  return stopped_by;
}

/// Forks; the child's exit code is what `body` returns, or 99 if it throws.
pid_t in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (const std::exception& e) {
      fprintf(stderr, "child: %s\n", e.what());
    }
    ::_exit(code);
  }
  return child;
}

int wait_for(pid_t child) {
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

std::size_t evaluations_in(const std::string& dir) {
  try {
    return load_search(dir).evaluations.size();
  } catch (const std::exception&) {
    return 0; // the header is not there yet
  }
}

void wait_until_evaluated(const std::string& dir, std::size_t count) {
  const auto deadline = std::chrono::steady_clock::now() + 30s;
  while (evaluations_in(dir) < count && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(1ms);
  }
}

TEST(SearchKilled, EndsAsIfItNeverWasAfterTwentyKillsAtRandomMoments) {
  const ScratchDirectory dir;
  ASSERT_EQ(
      wait_for(in_child([&] { return search_slowly(dir.path("whole"), 0us) == "budget" ? 0 : 1; })),
      0);
  const std::string killed = dir.path("killed");
  RandomStream random(1, "kill", 0);
  std::size_t before = 0;
  for (int kill = 0; kill < 20; ++kill) {
    const pid_t child = in_child([&] { return search_slowly(killed, 2000us) == "budget" ? 0 : 1; });
    wait_until_evaluated(killed, before + 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(5000)));
    ::kill(child, SIGKILL);
    ASSERT_TRUE(WIFSIGNALED(wait_for(child))) << "kill " << kill << ": the search was over";
    const std::size_t now = evaluations_in(killed);
    ASSERT_GT(now, before) << "recorded evaluations survive, and a new session goes on from them";
    before = now;
  }
  ASSERT_EQ(wait_for(in_child([&] { return search_slowly(killed, 0us) == "budget" ? 0 : 1; })), 0);
  const auto expected = load_search(dir.path("whole"));
  const auto found = load_search(killed);
  ASSERT_EQ(found.evaluations.size(), kBudget);
  EXPECT_EQ(found.sessions, 21U);
  for (std::size_t i = 0; i < kBudget; ++i) {
    EXPECT_EQ(found.evaluations[i].configuration, expected.evaluations[i].configuration);
    EXPECT_EQ(found.evaluations[i].time_ms, expected.evaluations[i].time_ms);
  }
  EXPECT_EQ(Ranking(found).best(1), Ranking(expected).best(1));
}

class SearchInterrupted : public ::testing::TestWithParam<int> {};

TEST_P(SearchInterrupted, StopsCleanlyAndCanBeContinued) {
  const ScratchDirectory dir;
  const std::string out = dir.path("s");
  const pid_t child = in_child([&] { return search_slowly(out, 2000us) == "signal" ? 0 : 1; });
  wait_until_evaluated(out, 10);
  ::kill(child, GetParam());
  EXPECT_EQ(wait_for(child), 0);
  const auto stopped = load_search(out);
  EXPECT_EQ(stopped.stopped_by, "signal");
  EXPECT_GE(stopped.evaluations.size(), 10U);
  EXPECT_LT(stopped.evaluations.size(), kBudget);

  EXPECT_EQ(wait_for(in_child([&] { return search_slowly(out, 0us) == "budget" ? 0 : 1; })), 0);
  EXPECT_EQ(load_search(out).evaluations.size(), kBudget);
}

INSTANTIATE_TEST_SUITE_P(BySignal, SearchInterrupted, ::testing::Values(SIGINT, SIGTERM, SIGUSR1));

TEST(SearchInterruptedTwice, EndsAtOnce) {
  const ScratchDirectory dir;
  // An evaluation that never ends and does not listen.
  const pid_t child = in_child([&] {
    const InterruptWatch watch([](int) {});
    SearchStore store = SearchStore::create(dir.path("s"), synthetic_header());
    store.add(ok_record(0, 1.0));
    while (true) {
      std::this_thread::sleep_for(1s);
    }
    return 0;
  });
  wait_until_evaluated(dir.path("s"), 1);
  ::kill(child, SIGINT);
  std::this_thread::sleep_for(50ms);
  ASSERT_EQ(::waitpid(child, nullptr, WNOHANG), 0) << "the first only asks";
  ::kill(child, SIGINT);
  const int status = wait_for(child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGINT);
  EXPECT_EQ(evaluations_in(dir.path("s")), 1U);
}

/// Milliseconds from `signals` to the end of the time to finish, in a process of its own.
int milliseconds_until_late(std::initializer_list<int> signals, std::chrono::milliseconds grace) {
  const pid_t child = in_child([&] {
    std::atomic<bool> late{false};
    const InterruptWatch watch([](int) {}, [&] { late = true; }, grace);
    const auto start = std::chrono::steady_clock::now();
    for (const int signal : signals) {
      ::kill(::getpid(), signal);
    }
    while (!late) {
      std::this_thread::sleep_for(1ms);
    }
    return static_cast<int>((std::chrono::steady_clock::now() - start) / 10ms);
  });
  const int status = wait_for(child);
  EXPECT_TRUE(WIFEXITED(status));
  return WEXITSTATUS(status) * 10;
}

TEST(InterruptWatch, LeavesTimeToFinishWhenABatchSystemAsksHoweverOften) {
  for (const int signal : {SIGTERM, SIGUSR1}) {
    const int waited = milliseconds_until_late({signal, SIGTERM, SIGUSR1}, 400ms);
    EXPECT_GE(waited, 400) << "signal " << signal;
    EXPECT_LT(waited, 1500) << "signal " << signal;
  }
}

TEST(InterruptWatch, LeavesNoTimeToFinishWhenAPersonAsks) {
  EXPECT_LT(milliseconds_until_late({SIGINT}, 30s), 1500);
}

TEST(InterruptWatch, GivesTheSignalsBackWhenItEnds) {
  const pid_t child = in_child([] {
    {
      const InterruptWatch watch([](int) {});
    }
    ::raise(SIGTERM);
    return 0;
  });
  const int status = wait_for(child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

} // namespace
} // namespace coulomb::search
