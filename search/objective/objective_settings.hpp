// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coulomb::search {

/// Weight of each term of a reward: ipc, power, latency.
using RewardWeights = std::vector<std::pair<std::string, double>>;

/// Weights at the start and at the end of a search; in between they go over linearly.
struct RewardSchedule {
  RewardWeights start;
  RewardWeights end;
  bool operator==(const RewardSchedule&) const = default;
};

/// 0.6 ipc + 0.3 power + 0.1 latency, the power's weight halved towards the end in favour of the
/// performance terms.
[[nodiscard]] RewardSchedule default_reward_schedule();
/// "ipc=0.6,power=0.3,latency=0.1". Throws UserError: unknown term, not a number, negative, all 0.
[[nodiscard]] RewardWeights parse_reward_weights(const std::string& text);
[[nodiscard]] std::string to_text(const RewardWeights& weights);

/// The word for a weighted reward among objectives.
inline constexpr std::string_view kReward = "reward";

/// What a search is for.
struct ObjectiveSettings {
  std::vector<std::string> objectives = {"time"}; ///< several: the front of them is searched
  RewardSchedule reward;                          ///< of the objective "reward"
  bool operator==(const ObjectiveSettings&) const = default;
};

} // namespace coulomb::search
