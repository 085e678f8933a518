// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace coulomb::search {

/// A noisy measurement of a candidate, smaller is better; nothing if it failed. The same
/// `repetition` stands for the same conditions (seed of the noise, time slot, clock state) for all
/// candidates: common random numbers, so that differences vary less than values.
using Sampler =
    std::function<std::optional<double>(std::size_t candidate, std::uint64_t repetition)>;

struct RaceSettings {
  std::uint64_t first_repetition = 0; ///< none below was used to choose the candidates
  std::uint64_t least = 4;            ///< repetitions before anybody is dropped, at least 2
  std::uint64_t most = 32;            ///< repetitions of those that stay to the end
  double error = 0.05; ///< chance that the race drops one that is as good as the best
};

/// What became of one candidate of a race.
struct Racer {
  std::size_t candidate = 0;
  std::uint64_t samples = 0;
  double mean = 0.0;
  bool failed = false;
  bool tied = false; ///< cannot be told from the winner
};

struct RaceOutcome {
  std::vector<Racer> racers;         ///< by candidate
  std::optional<std::size_t> winner; ///< the least mean of those that stayed; nothing if all failed
  std::uint64_t measurements = 0;
};

/// Measures the candidates side by side and drops those that are worse than the best so far by a
/// paired t-test at each step, the error shared among all tests that may be made (Bonferroni). What
/// it says of the winner comes from repetitions that chose nobody, so it is not flattered by luck,
/// as the best of many single measurements is (the winner's curse).
[[nodiscard]] RaceOutcome
race(std::size_t candidates, const Sampler& sample, const RaceSettings& settings = {});

} // namespace coulomb::search
