// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/ports.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace coulomb::timing {

/// Messages by arrival time, then by MemoryMessage::order: the order of insertion has no influence.
/// Storage grows to its high-water mark and stays.
class MessageQueue {
public:
  MessageQueue() { heap_.reserve(256); }
  void push(const MemoryMessage& message) {
    heap_.push_back(message);
    std::push_heap(heap_.begin(), heap_.end(), Later{});
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] Cycle next() const { return heap_.empty() ? kNever : heap_.front().ready; }
  /// Messages that have arrived by `now`.
  [[nodiscard]] std::size_t arrived(Cycle now) const {
    return static_cast<std::size_t>(std::count_if(
        heap_.begin(), heap_.end(), [now](const MemoryMessage& m) { return m.ready <= now; }));
  }
  MemoryMessage pop() {
    std::pop_heap(heap_.begin(), heap_.end(), Later{});
    const MemoryMessage m = heap_.back();
    heap_.pop_back();
    return m;
  }
  void clear() { heap_.clear(); }

private:
  struct Later {
    bool operator()(const MemoryMessage& a, const MemoryMessage& b) const {
      return a.ready != b.ready ? a.ready > b.ready : a.order > b.order;
    }
  };
  std::vector<MemoryMessage> heap_;
};

} // namespace coulomb::timing
