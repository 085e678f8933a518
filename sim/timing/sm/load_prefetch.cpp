// SPDX-License-Identifier: Apache-2.0
// What LoadStoreUnit does for its prefetcher; never called without one.
#include "sim/timing/sm/load_store_unit.hpp"

#include <bit>

namespace coulomb::timing::sm {
namespace {

/// A prefetch leaves a quarter of the miss-status entries, and a port that is this many cycles
/// behind, to loads.
constexpr std::uint32_t kReservedPart = 4;
constexpr Cycle kPortBacklog = 8;

std::uint64_t count(std::uint8_t sectors) {
  return static_cast<std::uint64_t>(std::popcount(static_cast<unsigned>(sectors)));
}

} // namespace

void LoadStoreUnit::prefetch(const MemoryInstruction& m, Cycle now) {
  const std::uint64_t warp = std::uint64_t{m.warp} << 32U | m.generation;
  const std::int64_t ahead = prefetcher_.train(m.pc, warp, m.address);
  if (ahead == 0) {
    return;
  }
  // All sectors of the warp move by what its first lane moves.
  const std::uint64_t target = m.address + static_cast<std::uint64_t>(ahead);
  const std::uint64_t page = config_.tlb.page_size;
  if (target / page != m.address / page) {
    return; // the next page may be anything
  }
  const std::uint64_t move = target / kSectorBytes - m.address / kSectorBytes;
  for (std::uint32_t i = 0; i < m.access.line_count; ++i) {
    const std::uint64_t sector = m.access.lines[i].line * kSectorsPerLine + move;
    const std::uint64_t line = sector / kSectorsPerLine;
    const unsigned mask = static_cast<unsigned>(m.access.lines[i].sectors)
                          << (sector % kSectorsPerLine);
    fetch_ahead(line, static_cast<std::uint8_t>(mask & 0xFU), now);
    fetch_ahead(line + 1, static_cast<std::uint8_t>(mask >> kSectorsPerLine), now);
  }
}

void LoadStoreUnit::fetch_ahead(std::uint64_t line, std::uint8_t sectors, Cycle now) {
  if (sectors == 0) {
    return;
  }
  const LruTags::Way* way = tags_.find(line);
  const auto* under_way = pending_.find(line);
  const unsigned there =
      (way != nullptr ? way->valid : 0U) | (under_way != nullptr ? under_way->requested : 0U);
  const auto missing = static_cast<std::uint8_t>(sectors & ~there);
  if (missing == 0) {
    return;
  }
  const std::uint32_t reserved = pending_.capacity() / kReservedPart;
  if (pending_.used() + reserved >= pending_.capacity() ||
      request_port_.free_at() > now + kPortBacklog) {
    counters_.prefetch_dropped += count(missing);
    return;
  }
  if (way == nullptr) {
    allocate(line, now);
  }
  auto& entry = pending_.open(line);
  entry.requested |= missing;
  entry.prefetched |= missing;
  counters_.prefetch_sectors += count(missing);
  send(line, missing, MessageKind::load, 0, now);
}

void LoadStoreUnit::use_prefetched(LruTags::Way& way, std::uint8_t sectors) {
  const auto used = static_cast<std::uint8_t>(way.prefetched & sectors);
  way.prefetched = static_cast<std::uint8_t>(way.prefetched & ~used);
  counters_.prefetch_useful += count(used);
}

void LoadStoreUnit::catch_prefetch(PendingLines<std::int32_t>::Entry& entry, std::uint8_t sectors) {
  const auto caught = static_cast<std::uint8_t>(entry.prefetched & sectors);
  if (caught != 0) {
    entry.prefetched = static_cast<std::uint8_t>(entry.prefetched & ~caught);
    counters_.prefetch_late += count(caught);
    prefetcher_.late();
  }
}

void LoadStoreUnit::prefetch_arrived(const MemoryMessage& message, LruTags::Way* way) {
  auto* entry = pending_.find(message.line);
  const auto ahead =
      static_cast<std::uint8_t>(entry != nullptr ? entry->prefetched & message.sectors : 0);
  if (ahead == 0) {
    return;
  }
  entry->prefetched = static_cast<std::uint8_t>(entry->prefetched & ~ahead);
  if (way != nullptr) {
    way->prefetched |= ahead;
  } else {
    lose_prefetched(ahead); // evicted before it came
  }
}

void LoadStoreUnit::lose_prefetched(std::uint8_t sectors) {
  counters_.prefetch_unused += count(sectors);
  prefetcher_.unused();
}

} // namespace coulomb::timing::sm
