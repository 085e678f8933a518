// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/instruction_caches.hpp"

#include <algorithm>

namespace coulomb::timing::sm {

InstructionCaches::InstructionCaches(const config::FrontEndConfig& config,
                                     std::uint32_t sub_cores,
                                     std::uint32_t warps,
                                     std::uint32_t l2_latency,
                                     std::uint32_t l2_line_interval)
    : config_(config), l2_latency_(l2_latency), l2_line_interval_(l2_line_interval),
      depth_(config.prefetch_depth), warps_(warps), streams_(std::size_t{sub_cores} * warps),
      l1_(config.l1_icache_size / config.icache_line, 8), l1_ports_(sub_cores) {
  for (std::uint32_t s = 0; s < sub_cores; ++s) {
    l0_.emplace_back(config.l0_icache_size / config.icache_line, 32);
    constants_.emplace_back(config.constant_cache_size / config.constant_line, 4);
  }
}

void InstructionCaches::reset() {
  for (auto& l0 : l0_) {
    l0.clear();
  }
  for (auto& c : constants_) {
    c.clear();
  }
  std::fill(streams_.begin(), streams_.end(), Stream{});
  l1_.clear();
  for (auto& port : l1_ports_) {
    port.reset();
  }
  l2_port_.reset();
}

Cycle InstructionCaches::from_l1(std::uint32_t sub_core,
                                 std::uint64_t line,
                                 Cycle now,
                                 SmCounters& counters) {
  ++counters.instruction_l0_misses;
  LruTags::Way victim;
  LruTags::Way* l1 = l1_.find(line);
  if (l1 == nullptr) {
    ++counters.instruction_l1_misses;
    l1 = l1_.allocate(line, victim);
    l1->ready = l2_port_.serve(now, l2_line_interval_ * Server::kScale) + l2_latency_;
  }
  const Cycle sent = l1_ports_[sub_core].serve(now, config_.l1_icache_interval * Server::kScale);
  LruTags::Way* l0 = l0_[sub_core].allocate(line, victim);
  // Another sub-core may have asked L2 for it just now.
  l0->ready = std::max(sent, l1->ready) + config_.l0_miss_latency;
  return l0->ready;
}

void InstructionCaches::follow(
    Stream& stream, std::uint32_t sub_core, std::uint64_t line, Cycle now, SmCounters& counters) {
  const bool proved = line >= stream.wanted && line < std::max(stream.end, stream.wanted + 1);
  stream.depth = std::min(depth_, proved ? stream.depth * 2 : 1U);
  stream.wanted = line + 1;
  stream.end = std::max(proved ? stream.end : 0, line + 1);
  for (; stream.end <= line + stream.depth; ++stream.end) {
    if (l0_[sub_core].find(stream.end) == nullptr) {
      from_l1(sub_core, stream.end, now, counters);
    }
  }
}

Cycle InstructionCaches::fetch(
    std::uint32_t sub_core, std::uint32_t warp, std::uint32_t pc, Cycle now, SmCounters& counters) {
  const std::uint64_t line = pc / config_.icache_line;
  Stream& stream = streams_[std::size_t{sub_core} * warps_ + warp];
  if (const auto* way = l0_[sub_core].find(line)) {
    const Cycle ready = std::max(now, way->ready);
    if (line >= stream.wanted && line < stream.end) {
      follow(stream, sub_core, line, now, counters);
    }
    return ready;
  }
  const Cycle ready = from_l1(sub_core, line, now, counters);
  follow(stream, sub_core, line, now, counters);
  return ready;
}

Cycle InstructionCaches::constant(std::uint32_t sub_core,
                                  std::uint8_t bank,
                                  std::uint32_t offset,
                                  Cycle now,
                                  SmCounters& counters) {
  const std::uint64_t line = (std::uint64_t{bank} << 32 | offset) / config_.constant_line;
  if (const auto* way = constants_[sub_core].find(line)) {
    return std::max(now, way->ready);
  }
  ++counters.constant_misses;
  LruTags::Way victim;
  auto* way = constants_[sub_core].allocate(line, victim);
  way->ready = now + config_.constant_miss_latency;
  return way->ready;
}

} // namespace coulomb::timing::sm
