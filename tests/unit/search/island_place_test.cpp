// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/island.hpp"

#include "base/error.hpp"
#include "search/store/search_store.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace coulomb::search {
namespace {

using ::testing::ElementsAre;

using Environment = std::map<std::string, std::string>;

Island place(const std::string& text, const Environment& environment = {}) {
  return parse_island(text, [&](const std::string& name) {
    const auto at = environment.find(name);
    return at == environment.end() ? std::nullopt : std::optional(at->second);
  });
}

std::string refusal(const std::string& text, const Environment& environment = {}) {
  try {
    (void)place(text, environment);
  } catch (const UserError& e) {
    return std::string(e.what()) + "\n" + e.hint();
  }
  return "accepted";
}

Environment task(const std::string& id,
                 const std::string& first,
                 const std::string& last,
                 const std::string& count) {
  return {{"SLURM_ARRAY_TASK_ID", id},
          {"SLURM_ARRAY_TASK_MIN", first},
          {"SLURM_ARRAY_TASK_MAX", last},
          {"SLURM_ARRAY_TASK_COUNT", count}};
}

TEST(IslandPlace, IsReadFromTheCommandLine) {
  EXPECT_EQ(place("0/1"), (Island{0, 1}));
  EXPECT_EQ(place("7/8"), (Island{7, 8}));
  for (const char* text : {"", "/", "3", "1/", "/2", "-1/2", "1/2/3", "a/b", "1/2 "}) {
    EXPECT_EQ(refusal(text), fmt::format("search: --island is \"{}\"\nK/N, e.g. 0/8: the first of "
                                         "8 islands; or auto in a Slurm job array",
                                         text));
  }
  for (const char* text : {"8/8", "0/0", "0/4097"}) {
    EXPECT_THAT(refusal(text), ::testing::StartsWith(fmt::format(
                                   "search: --island is {}; allowed: 0 to N-1 of N", text)));
  }
}

TEST(IslandPlace, IsThatInTheJobArrayWhereverItsNumbersBegin) {
  EXPECT_EQ(place("auto", task("0", "0", "7", "8")), (Island{0, 8}));
  EXPECT_EQ(place("auto", task("12", "10", "13", "4")), (Island{2, 4}));
  EXPECT_EQ(place("auto", task("8", "0", "12", "4")), (Island{2, 4})) << "--array=0-12:4";
  EXPECT_EQ(place("auto", task("5", "5", "5", "1")), (Island{0, 1}));
}

TEST(IslandPlace, IsNotGuessedOutsideAnArrayOrInAnUnevenOne) {
  EXPECT_EQ(refusal("auto"),
            "search: --island auto needs SLURM_ARRAY_TASK_ID, a number; found none\n"
            "it is for tasks of a Slurm job array (sbatch --array=0-7); elsewhere name the island: "
            "--island 0/8");
  auto broken = task("0", "0", "7", "8");
  broken["SLURM_ARRAY_TASK_COUNT"] = "many";
  EXPECT_THAT(refusal("auto", broken),
              ::testing::StartsWith(
                  "search: --island auto needs SLURM_ARRAY_TASK_COUNT, a number; found \"many\""));
  EXPECT_EQ(refusal("auto", task("3", "1", "7", "3")),
            "search: --island auto: the 3 tasks of the job array, 1 to 7, are not evenly spaced "
            "around task 3\nsubmit a range (sbatch --array=0-7), or name the island: --island 0/8");
}

TEST(IslandPlace, SharesTheBudgetToTheLastEvaluation) {
  for (const std::uint64_t budget : {8U, 9U, 15U, 1000U}) {
    std::uint64_t sum = 0;
    for (std::uint64_t k = 0; k < 8; ++k) {
      sum += Island{k, 8}.share(budget);
      EXPECT_LE((Island{0, 8}.share(budget) - Island{k, 8}.share(budget)), 1U);
    }
    EXPECT_EQ(sum, budget);
  }
}

TEST(IslandPlace, HasASeedOfItsOwnThatDoesNotDependOnTheOthers) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (std::uint64_t k = 0; k < 16; ++k) {
      seeds.insert(Island{k, 16}.seed(seed));
      EXPECT_EQ((Island{k, 16}.seed(seed)), (Island{k, 4096}.seed(seed)));
    }
  }
  EXPECT_EQ(seeds.size(), 48U);
}

TEST(IslandPlace, IsFoundByItsJournalInTheOrderOfNumbers) {
  const ScratchDirectory dir;
  const std::string shared = dir.path("d");
  EXPECT_TRUE(islands_in(shared).empty());
  for (const std::uint64_t k : {10U, 2U}) {
    (void)SearchStore::create(island_dir(shared, k), synthetic_header());
  }
  std::filesystem::create_directories(island_dir(shared, 3)); // no journal yet
  std::filesystem::create_directories(shared + "/island-x");
  EXPECT_THAT(islands_in(shared), ElementsAre(2, 10));
}

} // namespace
} // namespace coulomb::search
