// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/mem/memory_share.hpp"
#include "sim/timing/ports.hpp"

#include <algorithm>
#include <cstdint>

namespace coulomb::timing::mem {

/// Routes and times transfers between SMs and L2 slices. A line belongs to a partition by its 8 KiB
/// granule, and to a slice of it by a hash that spreads neighbouring lines evenly; an access from
/// the other partition takes `far_extra_latency` longer. Latency is the configuration's L2 hit
/// latency less what L1, slice and ports take, half of it each way. Bandwidth is limited where
/// transfers end: by the slices and by each SM's sm::ResponsePort.
class Crossbar {
public:
  Crossbar(const config::GpuConfig& config, const MemoryShare& share, std::uint32_t simulated_sms);

  /// Fills in slice, far and the arrival cycle of a request.
  [[nodiscard]] MemoryMessage route_request(MemoryMessage message) const;
  /// Fills in the arrival cycle of an answer.
  [[nodiscard]] MemoryMessage route_response(MemoryMessage message) const;
  /// Cycles that every transfer takes at least, in either direction: how far the components at one
  /// end may run ahead of those at the other.
  [[nodiscard]] Cycle lookahead() const { return std::min(request_latency_, response_latency_); }
  [[nodiscard]] std::uint32_t slice_of(std::uint64_t line) const;

private:
  [[nodiscard]] std::uint32_t partition_of_sm(std::uint32_t sm) const;
  [[nodiscard]] std::uint32_t partition_of_line(std::uint64_t line) const;

  const config::GpuConfig& config_;
  MemoryShare share_;
  std::uint32_t simulated_sms_;
  Cycle request_latency_;
  Cycle response_latency_;
  std::uint32_t partitions_; ///< that the simulated slices are split over
};

} // namespace coulomb::timing::mem
