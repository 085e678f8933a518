// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"

#include <vector>

namespace coulomb::search {

/// How good a candidate is. Only an `ok` one has a value; a failed one has no number at all, so
/// that no failure can be mistaken for a very bad (or, with a wrong sign, a very good) success.
struct Fitness {
  eval::EvalStatus status = eval::EvalStatus::crashed;
  double value = 0.0; ///< of an `ok` candidate: finite, smaller is better
  /// Of an `ok` candidate, where a search has several objectives: all of them, smaller is better.
  std::vector<double> objectives = {};
  bool operator==(const Fitness&) const = default;
};

/// 0 for `ok`; failures that ran further rank before those that never started.
[[nodiscard]] int status_rank(eval::EvalStatus status);
/// True if `a` is strictly better: by status first, then, of two `ok` ones, by value.
[[nodiscard]] bool better(const Fitness& a, const Fitness& b);

} // namespace coulomb::search
