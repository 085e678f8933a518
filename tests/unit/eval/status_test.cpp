// SPDX-License-Identifier: Apache-2.0
#include "base/eval/status.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::eval {
namespace {

TEST(EvalStatus, RoundTripsEveryWord) {
  std::set<std::string> words;
  for (int i = 0; i < kEvalStatusCount; ++i) {
    const auto status = static_cast<EvalStatus>(i);
    words.emplace(to_string(status));
    EXPECT_EQ(status_from_string(to_string(status)), status);
  }
  EXPECT_THAT(words, testing::ElementsAre("compile_failed", "compile_timeout", "crashed",
                                          "deadlock", "launch_invalid", "ok", "restricted",
                                          "timeout", "unsupported", "wrong_result"));
}

TEST(EvalStatus, MapsEveryStatusToOneOfTheSixWordsOfT4) {
  EXPECT_EQ(t4_invalidity(EvalStatus::ok), "correct");
  EXPECT_EQ(t4_invalidity(EvalStatus::restricted), "constraints");
  EXPECT_EQ(t4_invalidity(EvalStatus::compile_failed), "compile");
  EXPECT_EQ(t4_invalidity(EvalStatus::compile_timeout), "compile");
  EXPECT_EQ(t4_invalidity(EvalStatus::launch_invalid), "runtime");
  EXPECT_EQ(t4_invalidity(EvalStatus::unsupported), "runtime");
  EXPECT_EQ(t4_invalidity(EvalStatus::wrong_result), "correctness");
  EXPECT_EQ(t4_invalidity(EvalStatus::deadlock), "timeout");
  EXPECT_EQ(t4_invalidity(EvalStatus::timeout), "timeout");
  EXPECT_EQ(t4_invalidity(EvalStatus::crashed), "runtime");
}

TEST(EvalStatus, SuggestsTheNearestWordForAMisspeltOne) {
  try {
    (void)status_from_string("compile_fialed");
    FAIL() << "no error";
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(), "unknown status \"compile_fialed\" (did you mean \"compile_failed\"?)");
    EXPECT_THAT(e.hint(), testing::StartsWith("one of: ok, restricted, compile_failed"));
  }
}

TEST(EvalStatus, RefusesANumberThatIsNoStatus) {
  EXPECT_THROW((void)to_string(static_cast<EvalStatus>(kEvalStatusCount)), InternalError);
}

} // namespace
} // namespace coulomb::eval
