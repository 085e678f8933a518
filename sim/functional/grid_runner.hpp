// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/cta_runner.hpp"

#include <cstdint>

namespace coulomb::functional {

/// Executes the CTAs of a grid without time. They start in the order of their ids. One that runs
/// long is set aside while the next ones start, up to the number that a GPU would hold at once, and
/// from then on the resident ones take turns: so CTAs that wait for others (look-back, grid
/// barriers) make progress, and the order never depends on anything but the launch.
class GridRunner {
public:
  /// `resident_ctas`: at least 1. `monitor`, if given, must outlive the runner.
  GridRunner(const ExecutableKernel& kernel,
             GlobalMemory& memory,
             std::uint32_t resident_ctas,
             Monitor* monitor = nullptr);

  /// Executes CTAs first_cta ... first_cta + ctas - 1; returns executed warp instructions. Throws
  /// KernelFault; one of the instruction limit if all CTAs together exceed `instruction_limit`
  /// (0: none).
  std::uint64_t
  run(std::uint64_t first_cta, std::uint64_t ctas, std::uint64_t instruction_limit = 0);

  /// Of the last run, also if it threw.
  [[nodiscard]] std::uint64_t executed() const { return executed_; }
  /// CTAs that ended, those that were given up included.
  [[nodiscard]] std::uint64_t finished_ctas() const { return finished_ctas_; }

private:
  bool turn(CtaRunner& runner);
  void check_limit(std::uint64_t limit, std::size_t resident) const;

  const ExecutableKernel& kernel_;
  GlobalMemory& memory_;
  std::uint32_t resident_ctas_;
  Monitor* monitor_;
  std::uint64_t executed_ = 0;
  std::uint64_t finished_ctas_ = 0;
};

} // namespace coulomb::functional
