// SPDX-License-Identifier: Apache-2.0
#include "search/engine/prediction_store.hpp"

#include "base/text.hpp"
#include "tests/unit/search/scratch_directory.hpp"

#include <filesystem>
#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

class PredictionStoreTest : public ::testing::Test {
protected:
  PredictionStoreTest() { write_file_atomically(worker_, "a simulator"); }
  [[nodiscard]] PredictionStore open() const { return {dir_.path("predictions"), worker_}; }

  ScratchDirectory dir_;
  std::string worker_ = dir_.path("worker");
};

TEST_F(PredictionStoreTest, AnswersWhatAnotherProcessKept) {
  PredictionStore first = open();
  EXPECT_EQ(first.find("abc"), std::nullopt);
  first.keep("abc", "{\"time_ms\": 1}\n");
  const PredictionStore second = open();
  EXPECT_EQ(second.find("abc"), "{\"time_ms\": 1}\n");
  EXPECT_EQ(second.find("abd"), std::nullopt);
  EXPECT_EQ(second.hits(), 1U);
}

TEST_F(PredictionStoreTest, AnotherSimulatorHasItsOwnAnswers) {
  PredictionStore before = open();
  before.keep("abc", "old");
  write_file_atomically(worker_, "a better simulator");
  EXPECT_EQ(open().find("abc"), std::nullopt);
}

TEST_F(PredictionStoreTest, DamagedAnswerIsNone) {
  PredictionStore store = open();
  store.keep("abc", "an answer");
  const std::string file = store.dir() + "/ab/abc";
  const std::string text = read_file(file);
  for (std::size_t length = 0; length < text.size(); ++length) {
    write_file_atomically(file, text.substr(0, length));
    EXPECT_EQ(store.find("abc"), std::nullopt) << length << " bytes are left";
  }
  store.keep("abc", "an answer");
  EXPECT_EQ(store.find("abc"), "an answer");
}

TEST_F(PredictionStoreTest, WhatCannotBeWrittenCostsNothingButTheAnswer) {
  write_file_atomically(dir_.path("predictions"), "a file where the directory should be");
  PredictionStore store = open();
  EXPECT_EQ(store.problem(), "");
  store.keep("abc", "an answer");
  EXPECT_NE(store.problem().find("predictions"), std::string::npos) << store.problem();
  EXPECT_EQ(store.find("abc"), std::nullopt);
}

} // namespace
} // namespace coulomb::search
