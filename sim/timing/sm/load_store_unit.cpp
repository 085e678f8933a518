// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/load_store_unit.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::timing::sm {
namespace {

// Stores wait in the unit while this many cycles of data are queued at the crossbar port.
constexpr Cycle kStoreBacklog = 64;

std::uint32_t lines_of(std::uint32_t bytes) {
  return std::max(1U, bytes / kLineBytes);
}

} // namespace

LoadStoreUnit::LoadStoreUnit(const config::GpuConfig& config,
                             std::uint32_t sm,
                             bool warm_translations,
                             MessageSink& to_crossbar,
                             TimingWheel<Release>& releases,
                             SmCounters& counters)
    : config_(config), times_(config.sm), sm_(sm),
      queue_limit_(std::min(config.sm.lsu.subcore_queue, kQueueCapacity)),
      to_crossbar_(to_crossbar), releases_(releases), counters_(counters),
      queues_(config.sm.warp_schedulers), tlb_(config.tlb, warm_translations),
      writeback_free_(config.sm.warp_schedulers),
      tags_(lines_of(config.sm.l1.size), config.sm.l1.associativity),
      pending_(config.sm.l1.miss_status_entries, config.sm.l1.miss_status_entries * 8),
      prefetcher_(config.sm.l1.prefetch), loads_(kMaxLoads), order_(sm) {
  reset(config.sm.l1.size);
}

void LoadStoreUnit::reset(std::uint32_t l1_bytes) {
  for (auto& q : queues_) {
    q.head = 0;
    q.count = 0;
    q.generator_free = 0;
  }
  queued_ = 0;
  round_robin_ = 0;
  stage_free_ = 0;
  blocked_ = false;
  request_port_.reset();
  std::fill(writeback_free_.begin(), writeback_free_.end(), 0);
  tags_.resize(lines_of(l1_bytes), config_.sm.l1.associativity);
  pending_.clear();
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    loads_[i] = Load{};
    loads_[i].next_free = i + 1 < loads_.size() ? static_cast<std::int32_t>(i + 1) : -1;
  }
  free_load_ = 0;
  active_loads_ = 0;
  stores_under_way_ = 0;
  last_store_ = 0;
}

MemoryInstruction& LoadStoreUnit::slot(std::uint32_t sub_core) {
  Queue& q = queues_[sub_core];
  return q.entries[(q.head + q.count) % kQueueCapacity];
}

Cycle LoadStoreUnit::enqueue(std::uint32_t sub_core, Cycle now) {
  Queue& q = queues_[sub_core];
  MemoryInstruction& m = q.entries[(q.head + q.count) % kQueueCapacity];
  m.sub_core = static_cast<std::uint8_t>(sub_core);
  const Cycle start = std::max(now, q.generator_free);
  m.ready = start + nominal() + m.source_delay;
  q.generator_free = start + config_.sm.lsu.address_interval;
  ++q.count;
  ++queued_;
  release_sources(m, start + source_release(m) + m.extra_passes + m.overhead, now);
  return m.ready;
}

Cycle LoadStoreUnit::tick(Cycle now) {
  if (queued_ == 0) {
    return kNever;
  }
  const auto sub_cores = static_cast<std::uint32_t>(queues_.size());
  if (stage_free_ <= now) {
    for (std::uint32_t k = 0; k < sub_cores; ++k) {
      const std::uint32_t s = (round_robin_ + k) % sub_cores;
      Queue& q = queues_[s];
      if (q.count == 0 || q.entries[q.head].ready > now) {
        continue;
      }
      blocked_ = !process(q.entries[q.head], now);
      if (blocked_) {
        break; // the stage is in order: a full miss-status table stops everything behind it
      }
      q.head = (q.head + 1) % kQueueCapacity;
      --q.count;
      --queued_;
      round_robin_ = (s + 1) % sub_cores;
      break;
    }
  }
  if (queued_ == 0) {
    return kNever;
  }
  if (blocked_) {
    // A response frees entries; a store backlog drains by itself.
    return std::max(now + 1, request_port_.free_at() > kStoreBacklog + now
                                 ? request_port_.free_at() - kStoreBacklog
                                 : now + 8);
  }
  Cycle next = kNever;
  for (const auto& q : queues_) {
    if (q.count > 0) {
      next = std::min(next, q.entries[q.head].ready);
    }
  }
  return std::max({next, stage_free_, now + 1});
}

bool LoadStoreUnit::process(MemoryInstruction& m, Cycle now) {
  if (m.path == MemoryPath::l1) {
    if (!process_l1(m, now)) {
      return false;
    }
  } else {
    process_shared(m, now);
  }
  const std::uint32_t accept = m.path == MemoryPath::shuffle ? config_.sm.lsu.shuffle_interval
                                                             : config_.sm.lsu.accept_interval;
  stage_free_ = now + std::max(accept, m.passes + m.overhead);
  return true;
}

void LoadStoreUnit::process_shared(const MemoryInstruction& m, Cycle now) {
  if (m.path == MemoryPath::shared) {
    counters_.shared_wavefronts += m.passes;
    counters_.shared_conflicts += m.extra_passes;
    counters_.shared_load_requests += m.load ? 1 : 0;
    counters_.shared_store_requests += m.store ? 1 : 0;
  }
  const Cycle delay = m.extra_passes + m.overhead;
  if (m.write_barrier != isa::kNoBarrier) {
    Load result;
    result.generation = m.generation;
    result.warp = m.warp;
    result.sub_core = m.sub_core;
    result.barrier = m.write_barrier;
    result.bytes = m.bytes;
    result.result_delay = m.result_delay;
    finish_load(result, now + from_stage(result_latency(m)) + delay, now);
  }
}

bool LoadStoreUnit::process_l1(MemoryInstruction& m, Cycle now) {
  if (m.access.line_count == 0) { // every lane was predicated off or read zeros
    if (m.write_barrier != isa::kNoBarrier) {
      releases_.schedule(now, now + 1,
                         {m.warp, m.write_barrier, Release::Kind::counter, m.generation});
    }
    if (m.async_copy) {
      releases_.schedule(now, now + 1, {m.warp, 0, Release::Kind::async_copy, m.generation});
    }
    return true;
  }
  if (!pending_.has_room(m.access.line_count) || free_load_ < 0 ||
      request_port_.free_at() > now + kStoreBacklog) {
    return false;
  }
  if (m.store && !m.async_copy && stores_under_way_ > 0 &&
      stores_under_way_ + m.access.line_count > config_.sm.l1.store_entries) {
    return false;
  }
  if (m.atomic) {
    atomic_lines(m, now);
  } else if (m.load || m.async_copy) {
    load_lines(m, now);
  } else {
    store_lines(m, now);
  }
  return true;
}

void LoadStoreUnit::load_lines(const MemoryInstruction& m, Cycle now) {
  if (m.local) {
    counters_.local_load_sectors += m.access.sector_count;
  } else {
    ++counters_.global_load_requests;
    counters_.global_load_sectors += m.access.sector_count;
  }
  const std::int32_t index = take_load(m);
  Load& load = loads_[static_cast<std::size_t>(index)];
  const bool prefetches = prefetcher_.on();
  for (std::uint32_t i = 0; i < m.access.line_count; ++i) {
    const std::uint64_t line = m.access.lines[i].line;
    const std::uint8_t sectors = m.access.lines[i].sectors;
    LruTags::Way* way = m.bypass_l1 ? nullptr : tags_.find(line);
    const auto valid = way != nullptr ? way->valid : std::uint8_t{0};
    const auto missing = static_cast<std::uint8_t>(sectors & ~valid);
    counters_.l1_sector_hits +=
        static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(sectors & valid)));
    if (prefetches && way != nullptr) [[unlikely]] {
      use_prefetched(*way, sectors & valid);
    }
    if (missing == 0) {
      continue;
    }
    counters_.l1_sector_misses +=
        static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(missing)));
    if (way == nullptr && !m.bypass_l1) {
      allocate(line, now);
    }
    auto& entry = pending_.open(line);
    if (prefetches) [[unlikely]] {
      catch_prefetch(entry, missing);
    }
    const auto request = static_cast<std::uint8_t>(missing & ~entry.requested);
    entry.requested |= missing;
    pending_.wait(entry, index, missing);
    ++load.remaining;
    if (request != 0) {
      send(line, request, MessageKind::load, 0, now);
    }
  }
  if (load.remaining == 0) {
    finish_load(load, now + from_stage(result_latency(m)) + m.extra_passes, now);
    free_load(index);
  }
  if (prefetches && !m.bypass_l1 && !m.local) [[unlikely]] {
    prefetch(m, now);
  }
}

void LoadStoreUnit::store_lines(const MemoryInstruction& m, Cycle now) {
  if (m.local) {
    counters_.local_store_sectors += m.access.sector_count;
  } else {
    ++counters_.global_store_requests;
    counters_.global_store_sectors += m.access.sector_count;
  }
  for (std::uint32_t i = 0; i < m.access.line_count; ++i) {
    const std::uint64_t line = m.access.lines[i].line;
    const std::uint8_t sectors = m.access.lines[i].sectors;
    if (!m.local) {
      send(line, sectors, MessageKind::store, 0, now); // write-through, no allocation
      continue;
    }
    // Local memory is private to the thread, so L1 may hold it dirty.
    LruTags::Way* way = tags_.find(line);
    if (way == nullptr) {
      way = allocate(line, now);
    }
    way->valid |= sectors;
    way->dirty |= sectors;
  }
}

void LoadStoreUnit::atomic_lines(const MemoryInstruction& m, Cycle now) {
  const bool answered = m.write_barrier != isa::kNoBarrier;
  std::int32_t index = -1;
  if (answered) {
    index = take_load(m);
    loads_[static_cast<std::size_t>(index)].remaining = m.access.line_count;
  }
  for (std::uint32_t i = 0; i < m.access.line_count; ++i) {
    const auto [line, sectors, same_address] = m.access.lines[i];
    send(line, sectors, MessageKind::atomic, static_cast<std::uint32_t>(index + 1), now,
         same_address);
  }
}

LruTags::Way* LoadStoreUnit::allocate(std::uint64_t line, Cycle now) {
  LruTags::Way victim;
  LruTags::Way* way = tags_.allocate(line, victim);
  if (victim.dirty != 0) {
    send(victim.line, victim.dirty, MessageKind::store, 0, now);
  }
  if (victim.prefetched != 0) [[unlikely]] {
    lose_prefetched(victim.prefetched);
  }
  return way;
}

void LoadStoreUnit::send(std::uint64_t line,
                         std::uint8_t sectors,
                         MessageKind kind,
                         std::uint32_t tag,
                         Cycle now,
                         std::uint8_t same_address) {
  const std::uint32_t data =
      kind == MessageKind::load
          ? 0
          : static_cast<std::uint32_t>(std::popcount(static_cast<unsigned>(sectors))) *
                kSectorBytes / config_.sm.l1.fill_bytes_per_cycle;
  const Cycle sent = request_port_.serve(
      now, Server::ticks(static_cast<double>(std::max(config_.sm.l1.request_interval, data))));
  MemoryMessage message;
  message.line = line;
  message.sectors = sectors;
  message.kind = kind;
  message.sm = sm_;
  message.tag = tag;
  message.same_address = same_address;
  message.ready = sent + tlb_.translate(line);
  message.order = order_.take();
  stores_under_way_ += message.only_acknowledged() ? 1 : 0;
  to_crossbar_.deliver(message);
}

void LoadStoreUnit::response(const MemoryMessage& message, Cycle now) {
  if (message.only_acknowledged()) {
    --stores_under_way_;
    last_store_ = now;
    return;
  }
  const auto arrived = [&](std::int32_t index) {
    Load& load = loads_[static_cast<std::size_t>(index)];
    if (--load.remaining == 0) {
      finish_load(load, now + 1, now);
      free_load(index);
    }
  };
  if (message.kind == MessageKind::atomic) {
    arrived(static_cast<std::int32_t>(message.tag) - 1);
    return;
  }
  LruTags::Way* way = tags_.find(message.line);
  if (way != nullptr) {
    way->valid |= message.sectors;
  }
  if (prefetcher_.on()) [[unlikely]] {
    prefetch_arrived(message, way);
  }
  pending_.arrive(message.line, message.sectors,
                  [&](std::int32_t index, std::uint8_t, bool complete) {
                    if (complete) {
                      arrived(index);
                    }
                  });
}

void LoadStoreUnit::finish_load(const Load& load, Cycle ready, Cycle now) {
  if (load.async_copy) {
    releases_.schedule(now, ready, {load.warp, 0, Release::Kind::async_copy, load.generation});
  }
  if (load.barrier == isa::kNoBarrier) {
    return;
  }
  // 32 lanes of `bytes` through the sub-core's register-file write port.
  const Cycle beats = std::max(1U, 32U * std::max<std::uint32_t>(4, load.bytes) /
                                       config_.sm.lsu.writeback_bytes_per_cycle);
  Cycle& port = writeback_free_[load.sub_core];
  const Cycle done = std::max(ready, port + beats);
  port = done;
  releases_.schedule(now, done + load.result_delay,
                     {load.warp, load.barrier, Release::Kind::counter, load.generation});
}

void LoadStoreUnit::release_sources(const MemoryInstruction& m, Cycle at, Cycle now) {
  if (m.read_barrier != isa::kNoBarrier) {
    releases_.schedule(now, at, {m.warp, m.read_barrier, Release::Kind::counter, m.generation});
  }
}

std::int32_t LoadStoreUnit::take_load(const MemoryInstruction& m) {
  const std::int32_t index = free_load_;
  Load& load = loads_[static_cast<std::size_t>(index)];
  free_load_ = load.next_free;
  ++active_loads_;
  load = Load{m.generation,   m.warp, m.sub_core, m.write_barrier, m.bytes, m.async_copy,
              m.result_delay, 0,      -1};
  return index;
}

Cycle LoadStoreUnit::result_latency(const MemoryInstruction& m) const {
  if (m.path == MemoryPath::shuffle) {
    return config_.sm.lsu.shuffle_latency;
  }
  const AccessKind kind = m.async_copy                   ? AccessKind::async_copy
                          : m.path == MemoryPath::shared ? AccessKind::shared_load
                                                         : AccessKind::load;
  return times_.of(kind, m.uniform_address, m.bytes).latency;
}

Cycle LoadStoreUnit::source_release(const MemoryInstruction& m) const {
  if (m.path == MemoryPath::shuffle) {
    return config_.sm.lsu.load_release;
  }
  const bool shared = m.path == MemoryPath::shared;
  const AccessKind kind = m.async_copy ? AccessKind::async_copy
                          : m.store    ? (shared ? AccessKind::shared_store : AccessKind::store)
                          : shared     ? AccessKind::shared_load
                                       : AccessKind::load;
  return times_.of(kind, m.uniform_address, m.bytes).release;
}

} // namespace coulomb::timing::sm
