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
  // A far hit passes a tag lookup, its way out of the slice and a data port more than a near one.
  const Cycle ports = 3;
  const Cycle cross =
      config.l2.far_extra_latency > ports + 2 ? config.l2.far_extra_latency - ports : 2;
  cross_latency_ = cross / 2;
  return_latency_ = cross - cross_latency_;
}

Cycle Crossbar::lookahead() const {
  const Cycle between_ends = std::min(request_latency_, response_latency_);
  return config_.l2.partitions > 1 ? std::min(between_ends, cross_latency_) : between_ends;
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

std::uint32_t Crossbar::slice_in(std::uint32_t partition, std::uint64_t line) const {
  // Each aligned group of as many lines as a partition has slices uses every slice once, in a
  // rotation that depends on the group: even for streams, and no power-of-two stride stays on one.
  const std::uint32_t slices = share_.slices / partitions_;
  // A sample's slices stand for both partitions.
  return (partitions_ > 1 ? partition * slices : 0) +
         static_cast<std::uint32_t>((line % slices + mix(line / slices)) % slices);
}

MemoryMessage Crossbar::route_request(MemoryMessage m) const {
  const std::uint32_t home = partition_of_line(m.line);
  const std::uint32_t own = config_.l2.partitions > 1 ? partition_of_sm(m.sm) : home;
  m.far = own != home;
  const bool copy = m.far && m.kind == MessageKind::load;
  m.slice = slice_in(copy ? own : home, m.line);
  m.ready += request_latency_ + (m.far && !copy ? cross_latency_ : 0);
  return m;
}

MemoryMessage Crossbar::route_response(MemoryMessage m) const {
  switch (m.hop) {
  case Hop::direct:
    m.ready += response_latency_ + (m.far && m.kind != MessageKind::load ? return_latency_ : 0);
    break;
  case Hop::to_home:
    m.slice = slice_of(m.line);
    m.ready += cross_latency_;
    break;
  case Hop::to_copy:
    m.slice = slice_in(partition_of_sm(m.sm), m.line);
    m.ready += return_latency_;
    break;
  }
  return m;
}

} // namespace coulomb::timing::mem
