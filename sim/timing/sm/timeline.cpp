// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/timeline.hpp"

#include <algorithm>
#include <utility>

namespace coulomb::timing::sm {

Timeline::Timeline(const Options& options, std::uint32_t sms, std::uint32_t warps_per_sm)
    : options_(options), warps_per_sm_(warps_per_sm), shortest_(std::max(1U, options.shortest)),
      slots_(std::size_t{sms} * warps_per_sm), series_(std::size_t{sms} + 1) {
  slices_.reserve(options_.events);
  residencies_.reserve(options_.events);
  for (Series& s : series_) {
    s.samples.reserve(std::max<std::size_t>(2, options_.samples));
    s.interval = std::max(1U, options_.sample_cycles);
  }
}

void Timeline::launched(
    std::uint32_t sm, std::uint32_t slot, std::uint64_t cta, std::uint32_t warp, Cycle now) {
  const std::uint32_t index = sm * warps_per_sm_ + slot;
  slots_[index].recorded = has_room();
  if (!slots_[index].recorded) {
    ++dropped_warps_;
    return;
  }
  ++admitted_;
  slots_[index].resident = {cta, now + 1, now + 1, index, warp};
}

/// Whether `next` went into `into`: it follows at once, and either has the same reason or one of
/// the two is too short to stand alone.
bool Timeline::absorb(Slice& into, const Slice& next) const {
  if (into.to != next.from) {
    return false;
  }
  const Cycle length = into.to - into.from;
  if (into.reason == next.reason) {
    into.weight += next.weight;
  } else if (length >= shortest_ && next.to - next.from >= shortest_) {
    return false;
  } else if (next.weight > into.weight) {
    into.reason = next.reason;
    into.weight = next.weight;
  }
  into.to = next.to;
  return true;
}

void Timeline::stalled(
    std::uint32_t sm, std::uint32_t slot, StallReason reason, Cycle from, Cycle to) {
  const std::uint32_t index = sm * warps_per_sm_ + slot;
  if (to <= from || !slots_[index].recorded) {
    return;
  }
  Slice& open = slots_[index].open;
  const Slice next{from, to, index, reason, static_cast<std::uint32_t>(to - from)};
  if (open.to > open.from && absorb(open, next)) {
    return;
  }
  keep(open);
  open = next;
}

void Timeline::finished(std::uint32_t sm, std::uint32_t slot, Cycle now) {
  const std::uint32_t index = sm * warps_per_sm_ + slot;
  Slot& s = slots_[index];
  if (!s.recorded) {
    return;
  }
  keep(s.open);
  s.open = {};
  s.resident.to = now + 1;
  s.recorded = false;
  residencies_.push_back(s.resident); // it has had its room since the launch
}

bool Timeline::has_room() {
  if (slices_.size() + admitted_ >= options_.events && shortest_ < options_.coarsest) {
    merge_neighbours();
  }
  return slices_.size() + admitted_ < options_.events;
}

void Timeline::keep(const Slice& slice) {
  if (slice.to <= slice.from) {
    return;
  }
  if (has_room()) {
    slices_.push_back(slice);
  } else {
    ++dropped_slices_;
  }
}

void Timeline::merge_neighbours() {
  // Half of the room is to be free again, so that merging is rare. A slot's slices lie in order of
  // time, so that one pass finds each one's predecessor.
  while (slices_.size() + admitted_ > options_.events / 2 && shortest_ < options_.coarsest) {
    shortest_ *= 2;
    for (Slot& s : slots_) {
      s.last = -1;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < slices_.size(); ++i) {
      const Slice slice = slices_[i];
      std::ptrdiff_t& last = slots_[slice.slot].last;
      if (last >= 0 && absorb(slices_[static_cast<std::size_t>(last)], slice)) {
        continue;
      }
      last = static_cast<std::ptrdiff_t>(kept);
      slices_[kept++] = slice;
    }
    slices_.resize(kept);
  }
}

void Timeline::add(Series& series, const Sample& total, Cycle now, std::size_t room) {
  Sample& begin = series.begin;
  if (series.samples.size() >= std::max<std::size_t>(2, room)) { // half the resolution
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 1 < series.samples.size(); i += 2) {
      Sample both = series.samples[i];
      const Sample& second = series.samples[i + 1];
      both.to = second.to;
      both.instructions += second.instructions;
      both.l1_sectors += second.l1_sectors;
      both.l2_sectors += second.l2_sectors;
      both.dram_sectors += second.dram_sectors;
      series.samples[kept++] = both;
    }
    if (series.samples.size() % 2 != 0) {
      series.samples[kept++] = series.samples.back();
    }
    series.samples.resize(kept);
    series.interval *= 2;
  }
  series.samples.push_back(
      {begin.to, now, total.instructions - begin.instructions, total.l1_sectors - begin.l1_sectors,
       total.l2_sectors - begin.l2_sectors, total.dram_sectors - begin.dram_sectors});
  begin = total;
  begin.to = now;
}

Cycle Timeline::sample(std::uint32_t sm, const SmCounters& c, Cycle now) {
  Sample total;
  total.instructions = c.warp_instructions;
  total.l1_sectors =
      c.global_load_sectors + c.global_store_sectors + c.local_load_sectors + c.local_store_sectors;
  if (now > series_[sm].begin.to) {
    add(series_[sm], total, now, options_.samples);
  }
  if (sm == 0 && now > series_.back().begin.to) {
    Sample memory;
    for (const MemoryCounters* m : slices_watched_) {
      memory.l2_sectors += m->l2_read_sectors + m->l2_write_sectors + m->l2_atomic_sectors;
      memory.dram_sectors += m->dram_read_sectors + m->dram_write_sectors;
    }
    add(series_.back(), memory, now, options_.samples);
  }
  return now + series_[sm].interval;
}

void Timeline::close() {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    Slot& s = slots_[i];
    if (s.recorded) { // the run ended early: as far as it is known
      const Cycle end = std::max(s.open.to, s.resident.from + 1);
      const auto index = static_cast<std::uint32_t>(i);
      finished(index / warps_per_sm_, index % warps_per_sm_, end - 1);
    }
  }
}

} // namespace coulomb::timing::sm
