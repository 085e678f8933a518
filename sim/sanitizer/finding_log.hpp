// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/finding.hpp"
#include "sim/functional/executor.hpp"
#include "sim/functional/global_memory.hpp"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace coulomb::sanitizer {

/// What was found, in the order in which it first happened. The same (check, kind, pc, other pc) is
/// kept once, with its first place and the number of times.
class FindingLog {
public:
  explicit FindingLog(const functional::ExecutableKernel& kernel) : kernel_(kernel) {}

  struct Event {
    const char* check = "";
    unsigned kind = 0; ///< tells findings of one check at the same place apart
    std::uint32_t pc = 0;
    std::uint32_t other_pc = 0;
    Dim3 cta;
    std::uint32_t warp = 0;
    int lane = 0;
    functional::MemorySpace space = functional::MemorySpace::none;
    std::uint64_t address = 0;
  };
  /// Counts the event; true if it is the first of its kind: the caller then describes it.
  bool count(const Event& event);
  /// Of the event that was just counted as the first of its kind.
  void describe(const Event& event, std::string message, std::string allocation = {});

  /// "my.cu:12", or "pc 0x0120" without line information.
  [[nodiscard]] std::string place(std::uint32_t pc) const;
  [[nodiscard]] std::vector<eval::Finding> findings() const { return findings_; }

private:
  using Key = std::tuple<std::string, unsigned, std::uint32_t, std::uint32_t>;
  const functional::ExecutableKernel& kernel_;
  std::map<Key, std::size_t> seen_;
  std::vector<eval::Finding> findings_;
};

} // namespace coulomb::sanitizer
