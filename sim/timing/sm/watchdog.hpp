// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/progress.hpp"
#include "sim/timing/types.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::timing::sm {

class StreamingMultiprocessor;

/// Thrown by an SM's tick when it is proven that no warp of any SM can make progress.
struct NoProgress {};

/// Finds spins without progress in a timed run (functional::ProgressWatch has the rule). One for
/// all SMs of a simulation. It changes no cycle, and costs nothing until no CTA has started or
/// ended for kPatience cycles.
class Watchdog {
public:
  /// Cycles; from then on a quarter of the time is watched.
  static constexpr Cycle kPatience = Cycle{1} << 18;

  Watchdog(const functional::ExecutableKernel& kernel,
           const functional::GlobalMemory& memory,
           std::uint32_t warps_per_sm)
      : progress_(kernel, memory), warps_per_sm_(warps_per_sm) {}

  /// All SMs of the simulation, index = id; they must outlive the run.
  void watch(std::vector<const StreamingMultiprocessor*> sms) { sms_ = std::move(sms); }

  /// A CTA has started or ended.
  void cta_event(Cycle now) {
    last_event_ = std::max(last_event_, now);
    progress_.disturb();
  }
  struct Look {
    bool watch = false; ///< whether the SM is to report every instruction from now on
    Cycle next = 0;     ///< when to look again
  };
  /// To be called by an SM at the cycles it was told, at first at kPatience; `watched`: it has
  /// reported since it last looked. Throws NoProgress.
  Look look(bool watched, Cycle now);
  /// Warp slot `slot` of that SM has executed the instruction at `pc`.
  void stepped(std::uint32_t sm,
               std::uint32_t slot,
               std::uint32_t pc,
               const functional::CtaState& cta,
               const functional::WarpState& warp,
               const functional::StepResult& result) {
    progress_.stepped(number(sm, slot), pc, warp, cta, result);
  }
  /// What a warp waits for that spins; only after NoProgress.
  [[nodiscard]] std::string describe(std::uint32_t sm,
                                     std::uint32_t slot,
                                     const functional::CtaState& cta,
                                     const functional::WarpState& warp) const {
    return progress_.describe(number(sm, slot), warp, cta);
  }

private:
  [[nodiscard]] std::size_t number(std::uint32_t sm, std::uint32_t slot) const {
    return std::size_t{sm} * warps_per_sm_ + slot;
  }
  [[nodiscard]] bool nothing_can_change() const;

  functional::ProgressWatch progress_;
  std::uint32_t warps_per_sm_;
  std::vector<const StreamingMultiprocessor*> sms_;
  Cycle last_event_ = 0;
};

} // namespace coulomb::timing::sm
