// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/cta_runner.hpp"

#include <cstdint>
#include <memory>
#include <vector>

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
  /// (0: none), and KernelFault("deadlock ...") when it is proven that no warp can make progress
  /// (ProgressWatch).
  std::uint64_t
  run(std::uint64_t first_cta, std::uint64_t ctas, std::uint64_t instruction_limit = 0);

  /// Of the last run, also if it threw.
  [[nodiscard]] std::uint64_t executed() const { return executed_; }
  /// CTAs that ended, those that were given up included.
  [[nodiscard]] std::uint64_t finished_ctas() const { return finished_ctas_; }

private:
  using Runner = std::unique_ptr<CtaRunner>;

  bool turn(CtaRunner& runner);
  void start(std::uint64_t cta);
  void round(std::uint64_t limit);
  void check_limit(std::uint64_t limit) const;
  void watch_when_due();
  void check_progress() const;

  const ExecutableKernel& kernel_;
  GlobalMemory& memory_;
  std::uint32_t resident_ctas_;
  Monitor* monitor_;
  std::vector<Runner> resident_; ///< in the order of their start
  std::vector<Runner> spare_;
  ProgressWatch progress_;
  bool watching_ = false;         ///< `progress_` sees what the resident CTAs execute
  std::uint64_t last_change_ = 0; ///< `executed_` when a CTA last started or ended
  std::uint64_t executed_ = 0;
  std::uint64_t finished_ctas_ = 0;
};

} // namespace coulomb::functional
