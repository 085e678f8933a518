// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/choices.hpp"
#include "base/config/gpu_config.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coulomb::timing::sm {

/// In the order of config::kPrefetchPolicies.
enum class PrefetchPolicy : std::uint8_t { off, stride, adaptive };

/// Finds the strides of static loads. An entry of the table belongs to a load (its pc) and learns
/// from one warp, because the warps of a load interleave; a stride that it has seen twice in a row
/// holds for all warps (per-warp training with promotion: Lee et al., MICRO 2010). An entry whose
/// warp has not come for long learns from the next one.
/// `adaptive`: prefetches that a load catches under way raise the distance, those that are evicted
/// unused lower it (feedback: Srinath et al., HPCA 2007), by one for every kPatience of them.
class StridePrefetcher {
public:
  static constexpr int kPatience = 16;

  explicit StridePrefetcher(const config::L1PrefetchConfig& config)
      : policy_(config::choice<PrefetchPolicy>(config::kPrefetchPolicies, config.policy)),
        distance_(static_cast<int>(config.distance)),
        max_distance_(static_cast<int>(config.max_distance)),
        entries_(policy_ == PrefetchPolicy::off ? 0 : config.table_entries) {}

  [[nodiscard]] bool on() const { return policy_ != PrefetchPolicy::off; }
  [[nodiscard]] int distance() const { return distance_; }

  /// A load by `warp` (any number that tells warps apart) of `address`, the byte of its first lane.
  /// Returns how far ahead of it to prefetch, in bytes; 0 = nothing.
  std::int64_t train(std::uint32_t pc, std::uint64_t warp, std::uint64_t address) {
    Entry& entry = find(pc, warp, address);
    entry.used = ++clock_;
    if (entry.warp == warp) {
      learn(entry, static_cast<std::int64_t>(address - entry.address));
      entry.address = address;
      entry.others = 0;
    } else if (++entry.others > kOthers) {
      entry.warp = warp; // keeps the stride
      entry.address = address;
      entry.others = 0;
    }
    return entry.confirmed ? entry.stride * distance_ : 0;
  }

  /// A load wants sectors that a prefetch is still fetching.
  void late() { vote(1); }
  /// Prefetched sectors were evicted before a load wanted them.
  void unused() { vote(-1); }

private:
  static constexpr std::uint32_t kNone = ~0U;
  static constexpr std::uint32_t kOthers = 256; ///< accesses of other warps

  struct Entry {
    std::uint32_t pc = kNone;
    std::uint32_t others = 0; ///< accesses since the last one of `warp`
    std::uint64_t warp = 0;
    std::uint64_t address = 0;
    std::int64_t stride = 0;
    std::uint64_t used = 0;
    bool confirmed = false;
  };

  Entry& find(std::uint32_t pc, std::uint64_t warp, std::uint64_t address) {
    Entry* oldest = &entries_.front();
    for (Entry& entry : entries_) {
      if (entry.pc == pc) {
        return entry;
      }
      oldest = entry.used < oldest->used ? &entry : oldest;
    }
    *oldest = Entry{pc, 0, warp, address, 0, 0, false};
    return *oldest;
  }

  static void learn(Entry& entry, std::int64_t stride) {
    if (stride == 0) {
      return; // the first access, or the same address again
    }
    entry.confirmed = stride == entry.stride;
    entry.stride = stride;
  }

  void vote(int change) {
    if (policy_ != PrefetchPolicy::adaptive) {
      return;
    }
    votes_ += change;
    if (votes_ == kPatience || votes_ == -kPatience) {
      distance_ = std::clamp(distance_ + (votes_ > 0 ? 1 : -1), 1, max_distance_);
      votes_ = 0;
    }
  }

  PrefetchPolicy policy_;
  int distance_; ///< strides
  int max_distance_;
  int votes_ = 0;
  std::uint64_t clock_ = 0;
  std::vector<Entry> entries_;
};

} // namespace coulomb::timing::sm
