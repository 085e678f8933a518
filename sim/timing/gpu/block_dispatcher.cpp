// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/block_dispatcher.hpp"

#include <algorithm>

namespace coulomb::timing::gpu {

BlockDispatcher::BlockDispatcher(const config::GpuConfig& config,
                                 std::uint64_t ctas,
                                 std::uint32_t simulated_sms,
                                 std::uint64_t limit_per_sm)
    : chip_sms_(config.sms), simulated_sms_(simulated_sms), ctas_(ctas),
      limit_per_sm_(limit_per_sm), given_(simulated_sms), completions_(simulated_sms),
      start_(config.kernel_start_cycles),
      // One of n simulated SMs is served once while the real launcher serves its N/n SMs.
      interval_ticks_(Server::ticks(config.cta_launch_interval * config.sms / simulated_sms)) {}

BlockDispatcher::BlockDispatcher(const config::GpuConfig& config,
                                 const WorkProfile& work,
                                 std::uint32_t simulated_sms,
                                 std::uint64_t limit_per_sm)
    : BlockDispatcher(config, work.ctas, simulated_sms, limit_per_sm) {
  work_ = &work;
}

sm::CtaSource::Launch BlockDispatcher::next(std::uint32_t sm, Cycle now) {
  std::uint64_t id = 0;
  if (simulated_sms_ == chip_sms_) {
    id = next_id_;
  } else {
    id = std::uint64_t{sm} * chip_sms_ / simulated_sms_ + given_[sm] * chip_sms_;
  }
  if (id >= ctas_ || given_[sm] >= limit_per_sm_) {
    return {};
  }
  ++next_id_;
  ++given_[sm];
  ++launched_;
  if (work_ != nullptr) {
    id = work_->id(id);
  }
  return {true, id, launcher_.serve(std::max(now, start_), interval_ticks_)};
}

void BlockDispatcher::finished(std::uint32_t sm, std::uint64_t instructions, Cycle now) {
  completions_[sm].push_back({now, instructions});
  ++completed_;
  last_completion_ = std::max(last_completion_, now);
}

} // namespace coulomb::timing::gpu
