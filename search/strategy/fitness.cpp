// SPDX-License-Identifier: Apache-2.0
#include "search/strategy/fitness.hpp"

#include <array>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

/// Best first.
constexpr std::array<EvalStatus, eval::kEvalStatusCount> kRanking = {
    EvalStatus::ok,
    EvalStatus::timeout,
    EvalStatus::wrong_result,
    EvalStatus::unsupported,
    EvalStatus::deadlock,
    EvalStatus::crashed,
    EvalStatus::launch_invalid,
    EvalStatus::compile_timeout,
    EvalStatus::compile_failed,
    EvalStatus::restricted,
};

} // namespace

int status_rank(eval::EvalStatus status) {
  for (std::size_t i = 0; i < kRanking.size(); ++i) {
    if (kRanking[i] == status) {
      return static_cast<int>(i);
    }
  }
  return eval::kEvalStatusCount;
}

bool better(const Fitness& a, const Fitness& b) {
  if (a.status != b.status) {
    return status_rank(a.status) < status_rank(b.status);
  }
  return a.status == EvalStatus::ok && a.value < b.value;
}

} // namespace coulomb::search
