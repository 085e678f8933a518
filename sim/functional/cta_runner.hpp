// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"
#include "sim/functional/monitor.hpp"

#include <cstdint>
#include <memory>

namespace coulomb::functional {

/// Executes one CTA at a time, its warps in turn, without time: the reference for tests, for
/// `--functional` and for footprint probes. Throws KernelFault; a CTA in which no warp can move
/// throws KernelFault("deadlock ...").
class CtaRunner {
public:
  /// `monitor`, if given, must outlive the runner.
  CtaRunner(const ExecutableKernel& kernel, GlobalMemory& memory, Monitor* monitor = nullptr);
  ~CtaRunner();

  /// Puts a CTA in its initial state; the one before it is forgotten.
  void start(std::uint64_t linear_cta);
  /// Executes until the CTA has finished (true) or has executed at least `instructions` more warp
  /// instructions (false).
  bool advance(std::uint64_t instructions);
  /// Warp instructions executed since start().
  [[nodiscard]] std::uint64_t executed() const;
  [[nodiscard]] const CtaState& cta() const;

  /// start() and advance() to the end; returns executed warp instructions. `instruction_limit` 0 =
  /// none; reached: KernelFault("instruction limit ...").
  std::uint64_t run(std::uint64_t linear_cta, std::uint64_t instruction_limit = 0);

private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace coulomb::functional
