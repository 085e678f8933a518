// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace coulomb::timing {

/// Tags of a set-associative cache with least-recently-used replacement. Each way holds a line
/// number, the mask of valid sectors and the mask of dirty ones. Sets are chosen by a
/// multiplicative hash of the line.
class LruTags {
public:
  struct Way {
    std::uint64_t line = kInvalid;
    std::uint64_t used = 0;
    std::uint64_t ready = 0; ///< cycle at which the contents have arrived, for users that care
    std::uint8_t valid = 0;
    std::uint8_t dirty = 0;
    std::uint8_t prefetched = 0; ///< sectors fetched ahead that no load has used; L1 only
  };
  static constexpr std::uint64_t kInvalid = ~std::uint64_t{0};

  LruTags(std::uint64_t lines, std::uint32_t ways) { resize(lines, ways); }

  /// Capacity in lines; rounded to whole sets of `ways`, at least one set. Forgets everything.
  void resize(std::uint64_t lines, std::uint32_t ways) {
    ways_ = ways == 0 || ways > lines ? static_cast<std::uint32_t>(lines < 64 ? lines : 64) : ways;
    ways_ = ways_ == 0 ? 1 : ways_;
    sets_ = lines / ways_ == 0 ? 1 : lines / ways_;
    store_.assign(sets_ * ways_, Way{});
    clock_ = 0;
  }
  void clear() { store_.assign(store_.size(), Way{}); }

  /// The way that holds `line`, made most recently used; null if there is none.
  Way* find(std::uint64_t line) {
    Way* set = &store_[set_of(line) * ways_];
    for (std::uint32_t w = 0; w < ways_; ++w) {
      if (set[w].line == line) {
        set[w].used = ++clock_;
        return &set[w];
      }
    }
    return nullptr;
  }

  /// The least recently used way of the line's set, replaced by `line` with no valid sectors.
  /// `victim` receives what was there.
  Way* allocate(std::uint64_t line, Way& victim) {
    Way* set = &store_[set_of(line) * ways_];
    Way* oldest = set;
    for (std::uint32_t w = 0; w < ways_; ++w) {
      if (set[w].line == kInvalid) {
        oldest = &set[w];
        break;
      }
      if (set[w].used < oldest->used) {
        oldest = &set[w];
      }
    }
    victim = *oldest;
    *oldest = Way{line, ++clock_, 0, 0, 0, 0};
    return oldest;
  }

private:
  [[nodiscard]] std::uint64_t set_of(std::uint64_t line) const {
    return sets_ == 1 ? 0 : ((line * 0x9e3779b97f4a7c15ULL) >> 24) % sets_;
  }

  std::uint32_t ways_ = 1;
  std::uint64_t sets_ = 1;
  std::vector<Way> store_;
  std::uint64_t clock_ = 0;
};

} // namespace coulomb::timing
