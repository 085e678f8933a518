// SPDX-License-Identifier: Apache-2.0
#include "sim/sanitizer/shared_shadow.hpp"

#include "sim/functional/lanes.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace coulomb::sanitizer {
namespace {
constexpr std::uint32_t kInstructionBytes = 16;
constexpr std::size_t kSlack = 32; // elements behind the last one that a lane may be said to touch
} // namespace

SharedShadow::SharedShadow(std::uint32_t bytes, std::uint32_t element_bytes, std::uint32_t warps)
    : shift_(element_bytes == 1 ? 0 : 2), elements_((bytes >> shift_) + 1),
      reads_(elements_.size() + kSlack, 0), last_read_(reads_.size(), 0),
      read_index_(reads_.size(), 0), plain_time_(reads_.size(), kLookCloser), clock_(warps),
      committed_(warps, 0), completed_(warps, 0) {}

/// Calls visit(element index) for what the lanes touch; lanes that repeat the place of the one
/// before are skipped. The first hazard is completed and returned.
template <class Visit>
SharedHazards SharedShadow::each_element(const Access& access, Visit visit) {
  SharedHazards found;
  std::uint32_t previous = ~0U;
  for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
    const int lane = std::countr_zero(m);
    const std::uint32_t begin = access.offset[static_cast<std::size_t>(lane)];
    if (begin == previous) {
      continue;
    }
    previous = begin;
    const std::uint32_t last = (begin + access.bytes - 1) >> shift_;
    for (std::uint32_t i = begin >> shift_; i <= last && i < elements_.size(); ++i) {
      found.add(visit(i), lane, std::max(i << shift_, begin));
    }
  }
  return found;
}

bool SharedShadow::readers_ordered(std::uint32_t warp, ReadState state) const {
  const auto time = static_cast<std::uint32_t>(state >> 32);
  for (std::uint32_t m = static_cast<std::uint32_t>(state) & ~(1U << warp); m != 0; m &= m - 1) {
    if (!ordered(warp, static_cast<std::uint32_t>(std::countr_zero(m)), time)) {
      return false;
    }
  }
  return true;
}

/// What the last atomics on the element ordered comes before what `warp` does from now on.
void SharedShadow::acquire(std::uint32_t index, std::uint32_t warp) {
  const Clock& released = atomic_clock_[index];
  for (std::size_t w = 0; w < clock_[warp].size(); ++w) {
    clock_[warp][w] = std::max(clock_[warp][w], released[w]);
  }
}

/// What a load of an element by `warp` violates.
std::optional<SharedHazard> SharedShadow::check_read(std::uint32_t index,
                                                     std::uint32_t warp) const {
  const Element& e = elements_[index];
  const std::uint32_t other_pc = e.write_index * kInstructionBytes;
  if (e.write_time == 0) {
    return SharedHazard{SharedHazard::Kind::uninitialised};
  }
  if (e.writer != warp && !ordered(warp, e.writer, e.write_time)) {
    return SharedHazard{SharedHazard::Kind::read_after_write, 0, 0, e.writer, other_pc};
  }
  if (e.copy_group > completed_[e.writer]) {
    return SharedHazard{SharedHazard::Kind::unfinished_copy, 0, 0, e.writer, other_pc};
  }
  return std::nullopt;
}

/// Notes that `warp` reads the element now. Readers that are ordered before it need no note any
/// more.
void SharedShadow::record_read(std::uint32_t index, const Access& access) {
  ReadState& state = reads_[index];
  const auto time = static_cast<std::uint32_t>(state >> 32);
  const bool forget =
      time < everyone_ || (partial_order_ && time != now_ && readers_ordered(access.warp, state));
  state = ReadState{now_} << 32 | (forget ? 0 : state & 0xffffffffU) | ReadState{1} << access.warp;
  read_index_[index] = static_cast<std::uint16_t>(access.pc / kInstructionBytes);
  last_read_[index] = read_key(access.warp);
}

/// Lanes of an access to single elements whose element somebody else read last, or that was read in
/// an earlier interval, or where something was stored since: for the others there is nothing to
/// note. Inactive lanes are among them or not.
std::uint32_t SharedShadow::fresh_lanes(const Access& access) const {
  const std::uint32_t key = read_key(access.warp);
  alignas(64) std::uint32_t at[32];
  for (std::uint32_t l = 0; l < 32; ++l) {
    const bool inside = (access.mask >> l & 1U) != 0;
    at[l] = inside ? access.offset[l] >> shift_ : 0;
  }
  std::uint32_t fresh = 0;
#if defined(__AVX2__)
  for (unsigned l = 0; l < 32; l += 8) {
    const __m256i index = _mm256_load_si256(reinterpret_cast<const __m256i*>(at + l));
    const __m256i value =
        _mm256_i32gather_epi32(reinterpret_cast<const int*>(last_read_.data()), index, 4);
    const __m256i same = _mm256_cmpeq_epi32(value, _mm256_set1_epi32(static_cast<int>(key)));
    const auto mask = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(same)));
    fresh |= (~mask & 0xffU) << l;
  }
#else
  for (unsigned l = 0; l < 32; ++l) {
    fresh |= (last_read_[at[l]] != key ? 1U : 0U) << l;
  }
#endif
  return fresh;
}

/// Notes what the lanes read, `Count` elements each, where all is as usual: stored before the last
/// barrier of the CTA, read before it or since. Returns the lanes of which nothing was noted.
template <std::uint32_t Count>
std::uint32_t SharedShadow::read_settled(std::uint32_t lanes, const Access& access) {
  const ReadState own = ReadState{now_} << 32 | ReadState{1} << access.warp;
  const std::uint32_t key = read_key(access.warp);
  const std::uint32_t everyone = everyone_;
  const std::uint32_t now = partial_order_ ? now_ : 0; // 0: the time since then does not matter
  const auto pc_index = static_cast<std::uint16_t>(access.pc / kInstructionBytes);
  // Local pointers: the stores below could change the vectors' own, for all the compiler knows.
  const std::uint32_t* __restrict plain_time = plain_time_.data();
  std::uint32_t* __restrict last_read = last_read_.data();
  std::uint16_t* __restrict read_index = read_index_.data();
  ReadState* __restrict reads = reads_.data();
  std::uint32_t unsettled = 0;
  std::uint32_t previous = ~0U;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const std::uint32_t first = access.offset[static_cast<std::size_t>(lane)] >> shift_;
    if (first == previous) {
      continue;
    }
    previous = first;
    std::uint32_t different = 0;
    bool settled = true;
    for (std::uint32_t i = 0; i < Count; ++i) {
      const auto time = static_cast<std::uint32_t>(reads[first + i] >> 32);
      different |= last_read[first + i] ^ key;
      settled &=
          (plain_time[first + i] < everyone) & ((now == 0) | (time < everyone) | (time == now));
    }
    if (different == 0) {
      continue; // it has read all of it already
    }
    if (!settled) [[unlikely]] {
      unsettled |= 1U << lane;
      continue;
    }
    for (std::uint32_t i = 0; i < Count; ++i) {
      const ReadState state = reads[first + i];
      const ReadState readers = state >> 32 < everyone ? 0 : state & 0xffffffffU;
      reads[first + i] = readers | own;
      last_read[first + i] = key;
      read_index[first + i] = pc_index;
    }
  }
  return unsettled;
}

SharedHazards SharedShadow::load(const Access& access, bool part_of_atomic) {
  const std::uint32_t count = std::max(access.bytes >> shift_, 1U); // a power of two
  std::uint32_t lanes = access.mask;
  if (count == 1) {
    lanes &= fresh_lanes(access);
  }
  lanes = count == 1   ? read_settled<1>(lanes, access)
          : count == 2 ? read_settled<2>(lanes, access)
          : count == 4 ? read_settled<4>(lanes, access)
                       : lanes;
  SharedHazards found;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const std::uint32_t begin = access.offset[static_cast<std::size_t>(lane)] >> shift_;
    const auto end =
        std::min<std::uint32_t>(begin + count, static_cast<std::uint32_t>(elements_.size()));
    // Compilers load whole vectors of which they use a part.
    const bool nothing_stored = std::all_of(elements_.begin() + begin, elements_.begin() + end,
                                            [](const Element& e) { return e.write_time == 0; });
    for (std::uint32_t i = begin; i < end; ++i) {
      if (elements_[i].mbarrier) {
        acquire(i, access.warp);
        continue;
      }
      if (part_of_atomic && elements_[i].atomic) {
        continue;
      }
      auto hazard = check_read(i, access.warp);
      if (hazard && hazard->kind == SharedHazard::Kind::uninitialised && !nothing_stored) {
        hazard.reset();
      }
      found.add(hazard, lane, i << shift_);
      record_read(i, access);
    }
  }
  return found;
}

std::optional<SharedHazard>
SharedShadow::check_write(std::uint32_t index, std::uint32_t warp, bool atomic) const {
  const Element& e = elements_[index];
  if (e.write_time != 0 && e.writer != warp && !(atomic && e.atomic) &&
      !ordered(warp, e.writer, e.write_time)) {
    return SharedHazard{SharedHazard::Kind::write_after_write, 0, 0, e.writer,
                        e.write_index * kInstructionBytes};
  }
  const std::uint32_t others = static_cast<std::uint32_t>(reads_[index]) & ~(1U << warp);
  if (others != 0 && !readers_ordered(warp, reads_[index])) {
    return SharedHazard{SharedHazard::Kind::write_after_read, 0, 0,
                        static_cast<std::uint32_t>(std::countr_zero(others)),
                        read_index_[index] * kInstructionBytes};
  }
  return std::nullopt;
}

void SharedShadow::record_write(std::uint32_t index, const Access& access) {
  Element& e = elements_[index];
  e.write_time = now_;
  e.writer = static_cast<std::uint8_t>(access.warp);
  e.write_index = static_cast<std::uint16_t>(access.pc / kInstructionBytes);
  e.copy_group = 0;
  e.atomic = false;
  reads_[index] = 0;
  last_read_[index] = 0;
  plain_time_[index] = now_;
}

SharedHazards SharedShadow::store(const Access& access, const std::uint8_t* contents) {
  return each_element(access, [&](std::uint32_t i) -> std::optional<SharedHazard> {
    Element& e = elements_[i];
    std::uint32_t value = contents[i];
    if (shift_ == 2) {
      std::memcpy(&value, contents + std::size_t{i} * 4, sizeof value);
    }
    if (e.write_time == now_ && e.writer == access.warp && reads_[i] == 0 && e.copy_group == 0 &&
        !e.atomic) {
      e.value = value;
      return std::nullopt;
    }
    auto hazard = check_write(i, access.warp, false);
    if (hazard && hazard->kind == SharedHazard::Kind::write_after_write && e.value == value &&
        !e.atomic && e.copy_group == 0) {
      hazard.reset();
    }
    record_write(i, access);
    e.value = value;
    return hazard;
  });
}

SharedHazards SharedShadow::atomic(const Access& access) {
  const std::uint32_t warp = access.warp;
  partial_order_ = true;
  const SharedHazards hazards =
      each_element(access, [&](std::uint32_t i) -> std::optional<SharedHazard> {
        Element& e = elements_[i];
        Clock& clock = atomic_clock_[i];
        acquire(i, warp);
        clock = clock_[warp];
        clock[warp] = now_ + 1; // what this warp did until now comes before what the next one does
        const auto found = e.write_time == 0
                               ? std::optional(SharedHazard{SharedHazard::Kind::uninitialised})
                               : check_write(i, warp, true);
        record_write(i, access);
        e.atomic = true;
        plain_time_[i] = kLookCloser;
        return found;
      });
  ++now_;
  return hazards;
}

SharedHazards SharedShadow::arrive(const Access& access) {
  const SharedHazards hazards = atomic(access);
  static_cast<void>(each_element(access, [&](std::uint32_t i) -> std::optional<SharedHazard> {
    elements_[i].mbarrier = true;
    return std::nullopt;
  }));
  return hazards;
}

SharedHazards SharedShadow::copy(const Access& access) {
  return each_element(access, [&](std::uint32_t i) {
    auto hazard = check_write(i, access.warp, false);
    record_write(i, access);
    elements_[i].copy_group = committed_[access.warp] + 1;
    plain_time_[i] = kLookCloser;
    return hazard;
  });
}

void SharedShadow::commit_copies(std::uint32_t warp) {
  ++committed_[warp];
}

void SharedShadow::wait_copies(std::uint32_t warp, std::uint32_t pending) {
  const std::uint32_t done = committed_[warp] > pending ? committed_[warp] - pending : 0;
  completed_[warp] = std::max(completed_[warp], done);
}

void SharedShadow::arrive(std::uint32_t warp, unsigned barrier, bool waits) {
  Arrivals& arrivals = arrivals_[barrier];
  arrivals.members |= 1U << warp;
  arrivals.waiting |= waits ? 1U << warp : 0;
  arrivals.time[warp] = ++now_;
}

void SharedShadow::complete(unsigned barrier, std::uint32_t exited) {
  Arrivals& arrivals = arrivals_[barrier];
  const std::uint32_t all = clock_.size() == 32 ? ~0U : (1U << clock_.size()) - 1;
  if (((arrivals.waiting | exited) & all) == all) {
    everyone_ = ++now_; // the whole CTA has met
  } else {
    partial_order_ = true;
    Clock joined{};
    for (std::uint32_t m = arrivals.members; m != 0; m &= m - 1) {
      const auto w = static_cast<std::size_t>(std::countr_zero(m));
      for (std::size_t x = 0; x < joined.size(); ++x) {
        joined[x] = std::max(joined[x], clock_[w][x]);
      }
      joined[w] = std::max(joined[w], arrivals.time[w]);
    }
    for (std::uint32_t m = arrivals.waiting; m != 0; m &= m - 1) {
      clock_[static_cast<std::size_t>(std::countr_zero(m))] = joined;
    }
    ++now_;
  }
  arrivals = Arrivals{};
}

} // namespace coulomb::sanitizer
