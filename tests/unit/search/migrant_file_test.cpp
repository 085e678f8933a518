// SPDX-License-Identifier: Apache-2.0
#include "search/cluster/migrant_file.hpp"

#include "base/text.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

class MigrantFile : public ::testing::Test {
protected:
  static Migrants migrants(std::uint64_t island, std::uint64_t sequence) {
    return {
        island, sequence, "this search", {ok_record(sequence, 2.0), ok_record(sequence + 1, 3.0)}};
  }

  std::size_t files() const {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry :
         std::filesystem::directory_iterator(dir_.path("migrants"))) {
      ++count;
    }
    return count;
  }

  ScratchDirectory dir_;
  MigrantDirectory directory_{dir_.path("")};
};

TEST_F(MigrantFile, GivesTheNewestWithEverythingInIt) {
  EXPECT_EQ(directory_.newest(1, "this search"), std::nullopt) << "there is no directory";
  directory_.publish(migrants(1, 9));
  directory_.publish(migrants(1, 10));
  directory_.publish(migrants(2, 11));
  EXPECT_EQ(directory_.newest(1, "this search"), migrants(1, 10)) << "by number, not by name";
  EXPECT_EQ(directory_.last_sequence(1), 10U);
  EXPECT_EQ(directory_.last_sequence(12), 0U) << "island 12 is not island 1";
}

TEST_F(MigrantFile, KeepsTheLatestTwoOfAnIsland) {
  for (std::uint64_t sequence = 1; sequence <= 5; ++sequence) {
    directory_.publish(migrants(0, sequence));
  }
  directory_.publish(migrants(1, 1));
  EXPECT_EQ(files(), 3U);
  EXPECT_TRUE(std::filesystem::exists(directory_.path(0, 4)));
  EXPECT_TRUE(std::filesystem::exists(directory_.path(0, 5)));
}

TEST_F(MigrantFile, TornAnywhereIsPassedOverForTheOneBefore) {
  directory_.publish(migrants(0, 1));
  directory_.publish(migrants(0, 2));
  const std::string whole = read_file(directory_.path(0, 2));
  for (std::size_t bytes = 0; bytes < whole.size(); bytes += 7) {
    std::ofstream(directory_.path(0, 2), std::ios::trunc) << whole.substr(0, bytes);
    ASSERT_EQ(directory_.newest(0, "this search"), migrants(0, 1)) << bytes << " bytes";
  }
}

TEST_F(MigrantFile, WithAFlippedByteIsPassedOver) {
  directory_.publish(migrants(0, 1));
  std::string text = read_file(directory_.path(0, 1));
  text[text.find("\"time_ms\":2") + 10] = '1';
  std::ofstream(directory_.path(0, 1), std::ios::trunc) << text;
  EXPECT_EQ(directory_.newest(0, "this search"), std::nullopt);
}

TEST_F(MigrantFile, OfAnotherSearchIsPassedOver) {
  directory_.publish(migrants(0, 1));
  EXPECT_EQ(directory_.newest(0, "another search"), std::nullopt);
}

TEST_F(MigrantFile, StillBeingWrittenIsNotThere) {
  directory_.publish(migrants(0, 1));
  std::filesystem::copy_file(directory_.path(0, 1), directory_.path(0, 2) + ".tmp.Ab3xYz");
  EXPECT_EQ(directory_.last_sequence(0), 1U);
  EXPECT_EQ(directory_.newest(0, "this search"), migrants(0, 1));
}

TEST_F(MigrantFile, IsForgottenWhenItsIslandBeginsAnew) {
  directory_.publish(migrants(0, 7));
  directory_.publish(migrants(1, 7));
  directory_.forget(0);
  EXPECT_EQ(directory_.last_sequence(0), 0U);
  EXPECT_EQ(directory_.last_sequence(1), 7U);
}

} // namespace
} // namespace coulomb::search
