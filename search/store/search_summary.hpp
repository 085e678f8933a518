// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/store/evaluation_record.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace coulomb::search {

/// Counts over the evaluations of one status.
struct StatusCount {
  std::uint64_t count = 0;
  std::string first_message;
  std::string last_message;
};

/// What a search's evaluations amount to.
struct SearchSummary {
  std::uint64_t evaluations = 0;
  std::uint64_t unique = 0; ///< different configurations
  std::uint64_t simulations =
      0; ///< simulations run: those taken over from equal machine code are not
  std::map<std::string, std::uint64_t> origins;             ///< evaluations by what proposed them
  std::array<StatusCount, eval::kEvalStatusCount> statuses; ///< by EvalStatus
  double compile_s = 0.0;                                   ///< worker seconds
  double sim_s = 0.0;                                       ///< worker seconds

  [[nodiscard]] std::uint64_t ok() const { return statuses[0].count; }
  /// Share of the evaluations that gave no time, 0 to 1: what invalid candidates cost.
  [[nodiscard]] double wasted_share() const {
    return evaluations == 0
               ? 0.0
               : static_cast<double>(evaluations - ok()) / static_cast<double>(evaluations);
  }
};

[[nodiscard]] SearchSummary summarise(std::span<const EvaluationRecord> evaluations);

} // namespace coulomb::search
