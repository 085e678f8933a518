// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/gpu/sampling.hpp"
#include "sim/timing/gpu/work_profile.hpp"
#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::timing::gpu {

/// Hands CTAs to SMs in order of linear id, one SM after the other, then to whichever SM has room.
///
/// Whole chip: CTAs come from one counter. Sampled: simulated SM j stands for SM j * N / n of the
/// chip and gets the CTAs i, i + N, i + 2N ... that the full machine would start on it when all
/// CTAs take the same time (CTA placement is effectively static, Jin et al., MICRO 2024), at most
/// `limit_per_sm` of them. CTA starts are `cta_launch_interval` apart GPU-wide, the first after
/// `kernel_start_cycles`.
class BlockDispatcher final : public sm::CtaSource {
public:
  BlockDispatcher(const config::GpuConfig& config,
                  std::uint64_t ctas,
                  std::uint32_t simulated_sms,
                  std::uint64_t limit_per_sm);
  /// Sampled: of the grid's CTAs only those of `work` are handed out. It must outlive this.
  BlockDispatcher(const config::GpuConfig& config,
                  const WorkProfile& work,
                  std::uint32_t simulated_sms,
                  std::uint64_t limit_per_sm);

  Launch next(std::uint32_t sm, Cycle now) override;
  void finished(std::uint32_t sm, std::uint64_t instructions, Cycle now) override;

  [[nodiscard]] std::uint64_t launched() const { return launched_; }
  [[nodiscard]] std::uint64_t completed() const { return completed_; }
  [[nodiscard]] bool done() const { return launched_ == completed_; }
  /// Cycles at which the SM's CTAs finished, in order.
  [[nodiscard]] const std::vector<Completion>& completions(std::uint32_t sm) const {
    return completions_[sm];
  }
  [[nodiscard]] Cycle last_completion() const { return last_completion_; }

private:
  std::uint32_t chip_sms_;
  std::uint32_t simulated_sms_;
  std::uint64_t ctas_;
  const WorkProfile* work_ = nullptr;
  std::uint64_t limit_per_sm_;
  std::uint64_t next_id_ = 0;
  std::vector<std::uint64_t> given_;
  std::vector<std::vector<Completion>> completions_;
  Cycle start_;
  std::uint64_t interval_ticks_;
  Server launcher_;
  std::uint64_t launched_ = 0;
  std::uint64_t completed_ = 0;
  Cycle last_completion_ = 0;
};

} // namespace coulomb::timing::gpu
