// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/group_plan.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::kernel {

/// Walks through the valid choices of one group of parameters.
class GroupWalk {
public:
  GroupWalk(const CompiledSpace& space, const ParameterGroup& group);

  /// Every valid choice, [choice][parameter of the group]: positions in the value lists, in
  /// lexicographic order. Throws UserError if there are more than 2^25, and for a choice that
  /// satisfies all restrictions before one that cannot be evaluated.
  [[nodiscard]] std::vector<std::uint16_t> rows();
  [[nodiscard]] std::uint64_t count();

private:
  template <class Visit>
  void walk(std::size_t depth, bool doubtful, const Visit& visit);
  [[nodiscard]] bool narrow(const GroupPlan::Filter& filter, bool& doubtful);
  [[nodiscard]] bool valid() const;
  /// Fills the domains; false if one of them is empty.
  [[nodiscard]] bool start();

  const CompiledSpace& space_;
  const ParameterGroup& group_;
  GroupPlan plan_;
  std::vector<std::uint64_t> words_; ///< bits of all domains
  std::vector<std::size_t> chosen_;  ///< [variable]: index in its domain
  std::vector<Cell> cells_;          ///< [slot]
};

} // namespace coulomb::kernel
