// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/mem/memory_share.hpp"
#include "sim/timing/ports.hpp"

#include <algorithm>
#include <cstdint>

namespace coulomb::timing::mem {

/// Routes and times transfers between SMs and L2 slices. A line has its home in a partition by its
/// 8 KiB granule, and in a slice of it by a hash that spreads neighbouring lines evenly. An SM's
/// loads go to the slice of its own partition, which may hold a copy; stores and atomics go to the
/// home. What crosses between partitions takes `far_extra_latency` longer. Latency is the
/// configuration's L2 hit latency less what L1, slice and ports take, half of it each way.
/// Bandwidth is limited where transfers end: by the slices and by each SM's sm::ResponsePort. A
/// limit of a TPC's two SMs together is not modelled, because there is none: they reach twice
/// the rate of one (Jin et al. 2024, A100).
class Crossbar {
public:
  Crossbar(const config::GpuConfig& config, const MemoryShare& share, std::uint32_t simulated_sms);

  /// Fills in slice, far and the arrival cycle of an SM's request.
  [[nodiscard]] MemoryMessage route_request(MemoryMessage message) const;
  /// Fills in the arrival cycle of what a slice sends, and the slice if it goes to another one.
  [[nodiscard]] MemoryMessage route_response(MemoryMessage message) const;
  /// Cycles that every transfer takes at least, in either direction: how far the components at one
  /// end may run ahead of those at the other.
  [[nodiscard]] Cycle lookahead() const;
  /// The line's home.
  [[nodiscard]] std::uint32_t slice_of(std::uint64_t line) const {
    return slice_in(partition_of_line(line), line);
  }

private:
  [[nodiscard]] std::uint32_t partition_of_sm(std::uint32_t sm) const;
  [[nodiscard]] std::uint32_t partition_of_line(std::uint64_t line) const;
  [[nodiscard]] std::uint32_t slice_in(std::uint32_t partition, std::uint64_t line) const;

  const config::GpuConfig& config_;
  MemoryShare share_;
  std::uint32_t simulated_sms_;
  Cycle request_latency_;
  Cycle response_latency_;
  Cycle cross_latency_; ///< from partition to partition
  Cycle return_latency_;
  std::uint32_t partitions_; ///< that the simulated slices are split over
};

} // namespace coulomb::timing::mem
