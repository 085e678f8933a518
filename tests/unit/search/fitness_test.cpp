// SPDX-License-Identifier: Apache-2.0
#include "search/strategy/fitness.hpp"

#include <gtest/gtest.h>
#include <set>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

TEST(Fitness, PrefersTheShorterTime) {
  EXPECT_TRUE(better({EvalStatus::ok, 1.0}, {EvalStatus::ok, 2.0}));
  EXPECT_FALSE(better({EvalStatus::ok, 2.0}, {EvalStatus::ok, 1.0}));
  EXPECT_FALSE(better({EvalStatus::ok, 1.0}, {EvalStatus::ok, 1.0}));
}

TEST(Fitness, RanksAnyFailureBelowAnySuccessWhateverItsNumber) {
  for (int i = 1; i < eval::kEvalStatusCount; ++i) {
    const auto status = static_cast<EvalStatus>(i);
    EXPECT_TRUE(better({EvalStatus::ok, 1e300}, {status, 0.0})) << i;
    EXPECT_FALSE(better({status, 0.0}, {EvalStatus::ok, 1e300})) << i;
    EXPECT_FALSE(better({status, 0.0}, {status, 1.0})) << "a failure's number means nothing";
  }
}

TEST(Fitness, RanksEveryStatusOnce) {
  std::set<int> ranks;
  for (int i = 0; i < eval::kEvalStatusCount; ++i) {
    ranks.insert(status_rank(static_cast<EvalStatus>(i)));
  }
  EXPECT_EQ(ranks.size(), static_cast<std::size_t>(eval::kEvalStatusCount));
  EXPECT_EQ(*ranks.begin(), 0);
  EXPECT_EQ(*ranks.rbegin(), eval::kEvalStatusCount - 1);
  EXPECT_EQ(status_rank(EvalStatus::ok), 0);
  EXPECT_LT(status_rank(EvalStatus::timeout), status_rank(EvalStatus::compile_failed));
}

} // namespace
} // namespace coulomb::search
