// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/ports.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coulomb::timing::mem {

/// Requests of one direction, reads or writes, that wait for a DRAM channel. The scheduler sees the
/// oldest `window` of them; they lie in one list per bank, in order of arrival, so that which of a
/// bank's requests comes next is found without a look at those of the other banks. What arrives
/// behind a full window lies in one more list. Storage grows to its high-water mark and stays.
class DramQueue {
public:
  static constexpr std::int32_t kNone = -1;

  struct Request {
    MemoryMessage message;
    std::uint64_t row = 0;
    std::uint64_t order = 0; ///< running number: the smaller, the older
    std::uint32_t bank = 0;
    std::int32_t next = kNone; ///< of its list
    bool opened = false;       ///< its row was opened for it
    bool found_open = false;   ///< by whatever SM outside the sample opened the row
  };
  /// What the window holds for a bank; kNone or an argument for operator[].
  struct Candidates {
    std::int32_t hit = kNone;  ///< the oldest whose row is open
    std::int32_t miss = kNone; ///< the oldest, if all of them need another row than the open one
  };

  /// `window`: at least 1.
  DramQueue(std::uint32_t banks, std::uint32_t window);

  /// `request`: all but `order`, `next` and `opened`. Returns whether it is in the window.
  bool push(const Request& request);
  /// Removes a request of the window; the oldest behind the window takes its place.
  Request take(std::int32_t index);

  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Of the window and behind it.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool waits_for(std::uint32_t bank) const { return banks_[bank].list.first >= 0; }
  /// Whether the window holds other requests for the bank than at the last call of candidates().
  [[nodiscard]] bool changed(std::uint32_t bank) const { return banks_[bank].changed; }
  /// `open_row`: of that bank. A request that was found open is a hit in any case, but does not
  /// keep the bank from opening another row.
  [[nodiscard]] Candidates candidates(std::uint32_t bank, std::uint64_t open_row);
  Request& operator[](std::int32_t index) { return store_[static_cast<std::size_t>(index)]; }

private:
  struct List {
    std::int32_t first = kNone;
    std::int32_t last = kNone;
  };
  struct Bank {
    List list;
    bool changed = true;
  };

  void append(List& list, std::int32_t index);
  void remove(List& list, std::int32_t index);
  void enter_window(std::int32_t index);

  std::vector<Bank> banks_;
  std::vector<Request> store_;
  List behind_; ///< the window
  std::int32_t free_ = kNone;
  std::uint32_t room_; ///< in the window
  std::size_t size_ = 0;
  std::uint64_t next_order_ = 0;
};

} // namespace coulomb::timing::mem
