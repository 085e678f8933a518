// SPDX-License-Identifier: Apache-2.0
#include "search/driver/progress.hpp"

#include "tests/unit/search/synthetic_records.hpp"

#include <gtest/gtest.h>
#include <sstream>

namespace coulomb::search {
namespace {

using namespace std::chrono_literals;

class ProgressTest : public ::testing::Test {
protected:
  Progress progress(Progress::Style style) {
    return {out_, style, 4, [this] { return now_; }};
  }
  std::ostringstream out_;
  Progress::Clock::time_point now_{};
};

TEST_F(ProgressTest, RewritesOneLineOnATerminal) {
  Progress p = progress(Progress::Style::terminal);
  now_ += 2s;
  p.evaluated(ok_record(0, 2.0));
  EXPECT_EQ(out_.str(), "\r1/4 evaluated  best 2 ms  1 ok, 0 failed  0.5/s  6 s left\x1b[K");
  p.finish();
  EXPECT_EQ(out_.str().back(), '\n');
}

TEST_F(ProgressTest, PrintsALineEveryHalfMinuteElsewhere) {
  Progress p = progress(Progress::Style::lines);
  now_ += 29s;
  p.evaluated(ok_record(0, 2.0));
  EXPECT_EQ(out_.str(), "");
  now_ += 1s;
  p.evaluated(failed_record(1, eval::EvalStatus::crashed, "died"));
  EXPECT_EQ(out_.str(), "2/4 evaluated  best 2 ms  1 ok, 1 failed  0.067/s  30 s left\n");
}

TEST_F(ProgressTest, CountsRecordedEvaluationsButNotInTheRate) {
  Progress p = progress(Progress::Style::lines);
  p.recorded(ok_record(0, 3.0));
  p.recorded(failed_record(1, eval::EvalStatus::crashed, "died"));
  EXPECT_EQ(p.line(), "2/4 evaluated  best 3 ms  1 ok, 1 failed");
  now_ += 10s;
  p.evaluated(ok_record(2, 1.5));
  EXPECT_DOUBLE_EQ(p.rate(), 0.1);
}

TEST_F(ProgressTest, SaysSoWhileNothingSucceeded) {
  Progress p = progress(Progress::Style::lines);
  p.recorded(failed_record(0, eval::EvalStatus::crashed, "died"));
  EXPECT_EQ(p.line(), "1/4 evaluated  best none yet  0 ok, 1 failed");
}

} // namespace
} // namespace coulomb::search
