// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/mem/memory_share.hpp"
#include "sim/timing/ports.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::timing::mem {

/// Routes and times transfers between SMs and L2 slices. A line belongs to a slice by a hash of its
/// address and to a partition by its 8 KiB granule; an access from the other partition takes
/// `far_extra_latency` longer. Each SM receives `fill_bytes_per_cycle`. Latency is the
/// configuration's L2 hit latency less what L1, slice and ports take, half of it each way.
class Crossbar {
public:
  Crossbar(const config::GpuConfig& config, const MemoryShare& share, std::uint32_t simulated_sms);

  /// Fills in slice, far and the arrival cycle of a request.
  [[nodiscard]] MemoryMessage route_request(MemoryMessage message) const;
  /// Fills in the arrival cycle of an answer.
  [[nodiscard]] MemoryMessage route_response(MemoryMessage message);
  [[nodiscard]] std::uint32_t slice_of(std::uint64_t line) const;

private:
  [[nodiscard]] std::uint32_t partition_of_sm(std::uint32_t sm) const;
  [[nodiscard]] std::uint32_t partition_of_line(std::uint64_t line) const;

  const config::GpuConfig& config_;
  MemoryShare share_;
  std::uint32_t simulated_sms_;
  Cycle request_latency_;
  Cycle response_latency_;
  std::uint64_t sector_ticks_;
  std::vector<Server> response_ports_;
};

} // namespace coulomb::timing::mem
