// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace coulomb::timing {

/// Events by cycle. Near ones (less than kSlots cycles ahead) lie in a wheel, others wait in a
/// heap.
template <typename Event>
class TimingWheel {
public:
  static constexpr std::uint32_t kSlots = 512;

  void schedule(Cycle now, Cycle at, const Event& event) {
    at = std::max(at, now + 1);
    if (at - now < kSlots) {
      put(at, event);
    } else {
      far_.push_back({at, sequence_++, event});
      std::push_heap(far_.begin(), far_.end(), Later{});
    }
    next_ = std::min(next_, at);
  }

  [[nodiscard]] Cycle next() const { return next_; }

  /// Calls handle(event) for every event of cycle `now`; must be called for each cycle that has
  /// events.
  template <typename Handle>
  void run(Cycle now, Handle&& handle) {
    if (next_ > now) {
      return;
    }
    while (!far_.empty() && far_.front().at <= now) {
      std::pop_heap(far_.begin(), far_.end(), Later{});
      const Event e = far_.back().event;
      far_.pop_back();
      handle(e);
    }
    auto& slot = slots_[now % kSlots];
    for (const Event& e : slot) {
      handle(e);
    }
    slot.clear();
    const std::uint32_t s = now % kSlots;
    occupied_[s >> 6] &= ~(std::uint64_t{1} << (s & 63));
    next_ = find_next(now);
  }

  void clear() {
    for (auto& s : slots_) {
      s.clear();
    }
    occupied_ = {};
    far_.clear();
    next_ = kNever;
    sequence_ = 0;
  }

private:
  struct Far {
    Cycle at;
    std::uint64_t sequence;
    Event event;
  };
  struct Later {
    bool operator()(const Far& a, const Far& b) const {
      return a.at != b.at ? a.at > b.at : a.sequence > b.sequence;
    }
  };

  void put(Cycle at, const Event& event) {
    const std::uint32_t s = at % kSlots;
    slots_[s].push_back(event);
    occupied_[s >> 6] |= std::uint64_t{1} << (s & 63);
  }
  [[nodiscard]] Cycle find_next(Cycle now) const {
    Cycle best = far_.empty() ? kNever : far_.front().at;
    for (Cycle c = now + 1; c < now + kSlots;) {
      const std::uint32_t s = c % kSlots;
      const std::uint64_t word = occupied_[s >> 6] >> (s & 63);
      if (word != 0) {
        best = std::min(best, c + static_cast<Cycle>(std::countr_zero(word)));
        break;
      }
      c += 64 - (s & 63);
    }
    return best;
  }

  std::array<std::vector<Event>, kSlots> slots_;
  std::array<std::uint64_t, kSlots / 64> occupied_{};
  std::vector<Far> far_;
  Cycle next_ = kNever;
  std::uint64_t sequence_ = 0;
};

} // namespace coulomb::timing
