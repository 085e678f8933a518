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
      depth_(std::min(config.prefetch_depth, kMaxDepth)), warps_(warps),
      streams_(std::size_t{sub_cores} * warps), l1_(config.l1_icache_size / config.icache_line, 8) {
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
  std::fill(streams_.begin(), streams_.end(), StreamBuffer{});
  l1_.clear();
  l1_port_.reset();
  l2_port_.reset();
}

Cycle InstructionCaches::from_l1(std::uint64_t line, Cycle now, SmCounters& counters) {
  Cycle there = now;
  if (l1_.find(line) == nullptr) {
    ++counters.instruction_l1_misses;
    LruTags::Way victim;
    l1_.allocate(line, victim);
    there = l2_port_.serve(now, l2_line_interval_ * Server::kScale) + l2_latency_;
  }
  const Cycle sent = l1_port_.serve(now, config_.l1_icache_interval * Server::kScale);
  return std::max(there, sent) + config_.l0_miss_latency;
}

void InstructionCaches::extend(StreamBuffer& stream, Cycle now, SmCounters& counters) {
  while (stream.count < stream.depth) {
    const std::uint64_t line = stream.first + stream.count;
    stream.ready[line % kMaxDepth] = from_l1(line, now, counters);
    ++stream.count;
  }
}

Cycle InstructionCaches::fetch(
    std::uint32_t sub_core, std::uint32_t warp, std::uint32_t pc, Cycle now, SmCounters& counters) {
  const std::uint64_t line = pc / config_.icache_line;
  LruTags& l0 = l0_[sub_core];
  if (const auto* way = l0.find(line)) {
    return std::max(now, way->ready);
  }
  ++counters.instruction_l0_misses;
  LruTags::Way victim;
  auto* way = l0.allocate(line, victim);
  StreamBuffer& stream = streams_[std::size_t{sub_core} * warps_ + warp];
  const bool streamed =
      stream.count > 0 && line >= stream.first && line < stream.first + stream.count;
  Cycle ready = 0;
  if (streamed) {
    // Entries before it are dropped: the fetch stream has gone past them.
    ready = stream.ready[line % kMaxDepth];
    stream.count -= static_cast<std::uint32_t>(line + 1 - stream.first);
    stream.first = line + 1;
    stream.depth = std::min(depth_, stream.depth * 2);
  } else {
    ready = from_l1(line, now, counters);
    stream.first = line + 1;
    stream.count = 0;
    stream.depth = std::min(depth_, 1U);
  }
  extend(stream, now, counters);
  way->ready = std::max(now, ready);
  return way->ready;
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
