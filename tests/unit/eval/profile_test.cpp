// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/eval/profile.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::eval {
namespace {

TEST(HotInstruction, NamesTheReasonThatCostMostBesidesIssuing) {
  HotInstruction hot;
  hot.stalls = {{"selected", 900}, {"wait", 10}, {"long_scoreboard", 20}};
  EXPECT_EQ(hot.warp_cycles(), 930U);
  EXPECT_EQ(hot.top_reason(), "long_scoreboard");
  hot.stalls = {{"selected", 900}};
  EXPECT_EQ(hot.top_reason(), "");
}

TEST(TimelineJson, RefusesAListThatEndsInsideAnEvent) {
  nlohmann::json j = timeline_json({1, 2, 16, 0, 0, {"wait"}, {{0, 1, 1, 0}}, {}, {}});
  j["slices"].push_back(7);
  try {
    (void)timeline_from_json(JsonFields(j, "outcome"));
    FAIL() << "no error";
  } catch (const UserError& e) {
    EXPECT_STREQ(e.what(),
                 "outcome: field \"slices\" must be a multiple of 4 numbers, found [0,1,1,0,7]");
  }
}

} // namespace
} // namespace coulomb::eval
