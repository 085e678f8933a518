// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace coulomb::timing::mem {

/// The part of L2 and DRAM that belongs to the simulated SMs. With n of N SMs it is n/N of the
/// slices and of the channels; a whole number of each is simulated. What rounding adds to L2 is
/// taken off by cutting capacity and, of the rates, by the traffic of other SMs (SharedPort), what
/// it adds to DRAM by OtherTraffic, so that bandwidth and capacity per SM are exact.
struct MemoryShare {
  std::uint32_t slices = 1;
  std::uint32_t channels = 1;
  double part = 1.0;           ///< n / N
  double slice_slowdown = 1.0; ///< rate of a real slice over the share of a simulated one
  double channel_load = 1.0;   ///< a real channel's requests over those of the simulated SMs to one
  std::uint64_t slice_lines = 0; ///< capacity of one simulated slice

  MemoryShare(const config::GpuConfig& gpu, std::uint32_t sms)
      : part(static_cast<double>(sms) / gpu.sms) {
    const double real_slices = gpu.l2.slices * part;
    const double real_channels = gpu.dram.channels * part;
    slices = static_cast<std::uint32_t>(std::max(1.0, std::ceil(real_slices)));
    channels = static_cast<std::uint32_t>(std::max(1.0, std::ceil(real_channels)));
    slice_slowdown = slices / real_slices;
    channel_load = channels / real_channels;
    slice_lines = static_cast<std::uint64_t>(
        std::max(16.0, std::floor(gpu.l2.slice_size / (slice_slowdown * gpu.l2.line))));
  }
};

} // namespace coulomb::timing::mem
