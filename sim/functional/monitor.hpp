// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::functional {

/// What a Monitor wants to see of an instruction, by bits.
enum Watch : std::uint8_t { kWatchNothing = 0, kWatchBefore = 1, kWatchAfter = 2 };

/// Looks on while a CTA is executed functionally: sanitizers, footprints, coverage. It must not
/// change what it sees.
class Monitor {
public:
  virtual ~Monitor() = default;

  /// Which instructions it wants to see: one Watch mask for each, index = pc / 16. Asked once per
  /// runner.
  [[nodiscard]] virtual std::vector<std::uint8_t> watched(const isa::KernelImage& kernel) {
    return std::vector<std::uint8_t>(kernel.code.size(), kWatchAfter);
  }
  virtual void cta_started(const CtaState&) {}
  /// The instruction at warp.pc is about to execute for the lanes of warp.active whose guard holds.
  virtual void before(const WarpState&, const CtaState&) {}
  /// It has executed; `pc` was its place. Not called if it faulted.
  virtual void
  after(std::uint32_t pc, const WarpState&, const CtaState&, const StepResult& result) = 0;
  /// A warp faulted. True: the fault is taken note of, the CTA is given up and the others go on;
  /// false: the run ends with it.
  virtual bool faulted(const KernelFault&, const CtaState&) { return false; }
};

} // namespace coulomb::functional
