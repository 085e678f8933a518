// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/mem/l2_slice.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::timing::mem {
namespace {

// Marks the tag of a copy of a line whose home is in the other partition.
constexpr std::uint64_t kCopy = std::uint64_t{1} << 62U;

unsigned sectors_in(std::uint8_t mask) {
  return static_cast<unsigned>(std::popcount(static_cast<unsigned>(mask)));
}

} // namespace

L2Slice::L2Slice(const config::GpuConfig& config,
                 const Spec& spec,
                 std::uint32_t number,
                 const ReuseEstimate& reuse,
                 MessageSink& to_crossbar,
                 MessageSink& to_dram)
    : config_(config), spec_(spec), reuse_(reuse), to_crossbar_(to_crossbar), to_dram_(to_dram),
      tags_(spec.share.slice_lines, config.l2.associativity),
      pending_(config.l2.miss_entries, config.l2.miss_entries * 8),
      copies_pending_(config.l2.partitions > 1 ? config.l2.miss_entries : 1,
                      config.l2.partitions > 1 ? config.l2.miss_entries * 8 : 1),
      tag_port_(spec.share.part), data_port_(spec.share.part),
      tag_ticks_(Server::ticks(spec.share.slice_slowdown)),
      sector_ticks_(Server::ticks(spec.share.slice_slowdown * kSectorBytes /
                                  config.l2.slice_bytes_per_cycle)),
      real_sector_ticks_(
          Server::ticks(static_cast<double>(kSectorBytes) / config.l2.slice_bytes_per_cycle)),
      atomic_ticks_(Server::ticks(spec.share.slice_slowdown * config.l2.atomic_sector_interval)),
      same_address_ticks_(Server::ticks(config.l2.atomic_same_address_interval)), order_(number) {}

MessageQueue* L2Slice::startable(Cycle now) {
  if (!pending_.has_room(1)) {
    return nullptr;
  }
  if (from_partition_.next() <= now) {
    return &from_partition_;
  }
  const bool room = copies_pending_.has_room(1) && writes_under_way_ < config_.l2.write_entries;
  return room && inbox_.next() <= now ? &inbox_ : nullptr;
}

Cycle L2Slice::tick(Cycle now) {
  while (returns_.next() <= now) {
    const MemoryMessage m = returns_.pop();
    if (m.kind == MessageKind::load) {
      refill(m, now);
    } else {
      --writes_under_way_;
    }
  }
  Cycle next = kNever; // what is ready and cannot start waits for an entry: a return will wake us
  while (MessageQueue* queue = startable(now)) {
    if (const Cycle free = tag_port_.free_at(now); free > now) {
      next = free;
      break;
    }
    const MemoryMessage m = queue->pop();
    const Cycle start = tag_port_.serve(now, tag_ticks_);
    if (m.kind != MessageKind::load) {
      store(m, start);
    } else if (m.far && m.hop == Hop::direct) {
      load_copy(m, start);
    } else {
      load(m, start);
    }
  }
  for (const MessageQueue* queue : {&inbox_, &from_partition_}) {
    if (queue->next() > now) {
      next = std::min(next, queue->next());
    }
  }
  return std::max(now + 1, std::min(next, returns_.next()));
}

std::uint8_t
L2Slice::answer_hits(const MemoryMessage& m, std::uint64_t key, bool copy, Cycle start) {
  LruTags::Way* way = tags_.find(key);
  auto hits = static_cast<std::uint8_t>(way != nullptr ? m.sectors & way->valid : 0);
  std::uint8_t elsewhere = 0;
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    const auto bit = static_cast<std::uint8_t>(1U << s);
    if ((m.sectors & bit & ~hits) != 0 &&
        (copy ? reuse_.copied(m.line, s) : reuse_.resident(m.line, s))) {
      elsewhere |= bit;
    }
  }
  const auto missing = static_cast<std::uint8_t>(m.sectors & ~(hits | elsewhere));
  if (way == nullptr && (elsewhere | missing) != 0) {
    way = allocate(key, start);
  }
  if (elsewhere != 0) {
    way->valid |= elsewhere;
    hits |= elsewhere;
    counters_.l2_shared_hits += sectors_in(elsewhere);
  }
  counters_.l2_sector_hits += sectors_in(hits);
  if (hits != 0) {
    respond(m, hits, start);
  }
  return missing;
}

std::uint8_t L2Slice::wait_for(Waiting& waiting, const MemoryMessage& m, std::uint8_t missing) {
  auto& entry = waiting.open(m.line);
  const auto request = static_cast<std::uint8_t>(missing & ~entry.requested);
  entry.requested |= missing;
  waiting.wait(entry, m, missing);
  return request;
}

void L2Slice::load(const MemoryMessage& m, Cycle start) {
  counters_.l2_read_sectors += m.hop == Hop::direct ? sectors_in(m.sectors) : 0;
  const std::uint8_t missing = answer_hits(m, m.line, false, start);
  if (missing == 0) {
    return;
  }
  counters_.l2_sector_misses += sectors_in(missing);
  if (const std::uint8_t request = wait_for(pending_, m, missing)) {
    to_dram(m.line, request, MessageKind::load, start);
  }
}

void L2Slice::load_copy(const MemoryMessage& m, Cycle start) {
  counters_.l2_read_sectors += sectors_in(m.sectors);
  const std::uint8_t missing = answer_hits(m, m.line | kCopy, true, start);
  if (missing == 0) {
    return;
  }
  if (const std::uint8_t request = wait_for(copies_pending_, m, missing)) {
    counters_.l2_partition_sectors += sectors_in(request);
    MemoryMessage onwards = m;
    onwards.hop = Hop::to_home;
    onwards.sectors = request;
    onwards.ready = start + 1;
    onwards.order = order_.take();
    to_crossbar_.deliver(onwards);
  }
}

Cycle L2Slice::modify(const MemoryMessage& m, Cycle start) {
  const Cycle done = atomic_unit_.serve(start, atomic_ticks_ * sectors_in(m.sectors));
  Server& line = atomic_lines_[(m.line * 0x9e3779b97f4a7c15ULL) >> 58U];
  const std::uint64_t in_turn = same_address_ticks_ * std::max(1U, unsigned{m.same_address});
  return std::max(done, line.serve(start, in_turn)) + config_.l2.atomic_latency;
}

void L2Slice::store(const MemoryMessage& m, Cycle start) {
  const unsigned count = sectors_in(m.sectors);
  (m.kind == MessageKind::atomic ? counters_.l2_atomic_sectors : counters_.l2_write_sectors) +=
      count;
  data_port_.serve(start, sector_ticks_ * count);
  LruTags::Way* way = tags_.find(m.line);
  if (way == nullptr) {
    way = allocate(m.line, start);
  }
  const auto newly_dirty = static_cast<std::uint8_t>(m.sectors & ~way->dirty);
  way->valid |= m.sectors;
  way->dirty |= m.sectors;
  if (newly_dirty != 0 && spec_.writes_reach_dram) {
    to_dram(m.line, newly_dirty, MessageKind::store, start);
  }
  respond(m, m.sectors, m.kind == MessageKind::atomic ? modify(m, start) : start);
}

void L2Slice::refill(const MemoryMessage& m, Cycle now) {
  const bool copy = m.hop == Hop::to_copy;
  const std::uint64_t key = copy ? m.line | kCopy : m.line;
  LruTags::Way* way = tags_.find(key);
  if (way == nullptr) {
    way = allocate(key, now);
  }
  way->valid |= m.sectors;
  (copy ? copies_pending_ : pending_)
      .arrive(m.line, m.sectors, [&](const MemoryMessage& request, std::uint8_t got, bool) {
        respond(request, got, now);
      });
}

void L2Slice::respond(const MemoryMessage& request, std::uint8_t sectors, Cycle start) {
  MemoryMessage answer = request;
  answer.sectors = sectors;
  answer.hop = request.hop == Hop::to_home ? Hop::to_copy : Hop::direct;
  // What is stored passed the data port on its way in; its acknowledgement carries no data.
  answer.ready = start + 1;
  if (!request.only_acknowledged()) {
    const unsigned count = sectors_in(sectors);
    const Cycle alone = (real_sector_ticks_ * count + Server::kScale - 1) / Server::kScale;
    answer.ready = std::max(start + alone, data_port_.serve(start, sector_ticks_ * count));
  }
  answer.order = order_.take();
  to_crossbar_.deliver(answer);
}

LruTags::Way* L2Slice::allocate(std::uint64_t line, Cycle) {
  LruTags::Way victim; // its dirty sectors were written when they became dirty
  return tags_.allocate(line, victim);
}

void L2Slice::to_dram(std::uint64_t line, std::uint8_t sectors, MessageKind kind, Cycle now) {
  MemoryMessage m;
  m.line = line;
  m.sectors = sectors;
  m.kind = kind;
  m.ready = now + 1;
  m.order = order_.take();
  writes_under_way_ += kind == MessageKind::load ? 0 : 1;
  (kind == MessageKind::load ? counters_.dram_read_sectors : counters_.dram_write_sectors) +=
      sectors_in(sectors);
  to_dram_.deliver(m);
}

} // namespace coulomb::timing::mem
