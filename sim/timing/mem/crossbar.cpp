// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/mem/crossbar.hpp"

namespace coulomb::timing::mem {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  x = (x ^ (x >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return x ^ (x >> 33);
}

} // namespace

Crossbar::Crossbar(const config::GpuConfig& config,
                   const MemoryShare& share,
                   std::uint32_t simulated_sms)
    : config_(config), share_(share), simulated_sms_(simulated_sms),
      partitions_(config.l2.partitions > 1 && share.slices % config.l2.partitions == 0
                      ? config.l2.partitions
                      : 1) {
  // A lone one-sector miss: sub-core, request port, tag lookup, slice data, response
  // port, write-back.
  const Cycle elsewhere = config.sm.lsu.load_release + 1 + 1 + 1 + 1 + 1;
  const Cycle wires = config.l2.hit_latency > elsewhere ? config.l2.hit_latency - elsewhere : 2;
  request_latency_ = std::max<Cycle>(1, wires / 2);
  response_latency_ = wires - request_latency_;
}

std::uint32_t Crossbar::partition_of_sm(std::uint32_t sm) const {
  // The sampled SMs stand for all: they are spread over the partitions as the chip's are.
  std::uint32_t position = sm * config_.sms / simulated_sms_;
  const auto& split = config_.l2.sms_per_partition;
  for (std::uint32_t p = 0; p < split.size(); ++p) {
    if (position < split[p]) {
      return p;
    }
    position -= split[p];
  }
  return 0;
}

std::uint32_t Crossbar::partition_of_line(std::uint64_t line) const {
  if (config_.l2.partitions <= 1) {
    return 0;
  }
  const std::uint64_t granule = line * kLineBytes / std::max(1U, config_.l2.partition_granule);
  return static_cast<std::uint32_t>(mix(granule) % config_.l2.partitions);
}

std::uint32_t Crossbar::slice_of(std::uint64_t line) const {
  // Each aligned group of as many lines as a partition has slices uses every slice once, in a
  // rotation that depends on the group: even for streams, and no power-of-two stride stays on one.
  const std::uint32_t slices = share_.slices / partitions_;
  const std::uint32_t partition = partitions_ > 1 ? partition_of_line(line) : 0;
  return partition * slices +
         static_cast<std::uint32_t>((line % slices + mix(line / slices)) % slices);
}

MemoryMessage Crossbar::route_request(MemoryMessage m) const {
  m.slice = slice_of(m.line);
  m.far = config_.l2.partitions > 1 && partition_of_sm(m.sm) != partition_of_line(m.line);
  m.ready += request_latency_ + (m.far ? config_.l2.far_extra_latency / 2 : 0);
  return m;
}

MemoryMessage Crossbar::route_response(MemoryMessage m) const {
  m.ready += response_latency_ +
             (m.far ? config_.l2.far_extra_latency - config_.l2.far_extra_latency / 2 : 0);
  return m;
}

} // namespace coulomb::timing::mem
