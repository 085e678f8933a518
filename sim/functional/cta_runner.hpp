// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"
#include "sim/functional/monitor.hpp"
#include "sim/functional/progress.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

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
  /// From now on `progress` sees every instruction; warp w is its number `first_number` + w. Null:
  /// no longer. start() ends it.
  void watch(ProgressWatch* progress, std::size_t first_number);
  /// Warp instructions to advance while watched, so that each warp has two turns.
  [[nodiscard]] std::uint64_t watched_turn() const;
  /// Warps that are neither finished nor at a barrier.
  [[nodiscard]] std::size_t runnable_warps();
  /// Adds a line for each warp that is not finished: where it is and what it waits for. To be
  /// called while watched.
  void describe_stuck(std::vector<std::string>& lines) const;
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
