// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace coulomb::timing {

/// Outstanding line requests of a cache (its miss-status registers), each with the sectors under
/// way and a list of waiters. Capacity is fixed; nothing allocates after construction.
template <typename Waiter>
class PendingLines {
public:
  struct Entry {
    std::uint64_t line = kFree;
    std::uint8_t requested = 0;  ///< sectors under way
    std::uint8_t prefetched = 0; ///< of them: those that nobody waits for
    std::int32_t first = -1;     ///< waiter list
  };
  struct Node {
    Waiter waiter{};
    std::uint8_t sectors = 0; ///< that this waiter still needs
    std::int32_t next = -1;
  };
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  PendingLines(std::uint32_t lines, std::uint32_t waiters) : capacity_(lines) {
    std::uint32_t slots = 16;
    while (slots < lines * 2) {
      slots *= 2;
    }
    table_.resize(slots);
    nodes_.resize(waiters);
    clear();
  }

  void clear() {
    table_.assign(table_.size(), Entry{});
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i].next = i + 1 < nodes_.size() ? static_cast<std::int32_t>(i + 1) : -1;
    }
    free_node_ = nodes_.empty() ? -1 : 0;
    free_nodes_ = static_cast<std::uint32_t>(nodes_.size());
    used_ = 0;
  }

  [[nodiscard]] bool has_room(std::uint32_t lines) const {
    return used_ + lines <= capacity_ && free_nodes_ >= lines;
  }
  [[nodiscard]] std::uint32_t used() const { return used_; }
  [[nodiscard]] std::uint32_t capacity() const { return capacity_; }

  Entry* find(std::uint64_t line) {
    for (std::size_t i = slot_of(line);; i = (i + 1) & (table_.size() - 1)) {
      if (table_[i].line == line) {
        return &table_[i];
      }
      if (table_[i].line == kFree) {
        return nullptr;
      }
    }
  }

  /// The line's entry, made if there is none. Needs has_room(1).
  Entry& open(std::uint64_t line) {
    std::size_t i = slot_of(line);
    for (; table_[i].line != kFree; i = (i + 1) & (table_.size() - 1)) {
      if (table_[i].line == line) {
        return table_[i];
      }
    }
    table_[i] = Entry{line, 0, 0, -1};
    ++used_;
    return table_[i];
  }

  void wait(Entry& entry, const Waiter& waiter, std::uint8_t sectors) {
    const std::int32_t n = free_node_;
    free_node_ = nodes_[static_cast<std::size_t>(n)].next;
    --free_nodes_;
    nodes_[static_cast<std::size_t>(n)] = Node{waiter, sectors, entry.first};
    entry.first = n;
  }

  /// Sectors of `line` have arrived: calls done(waiter, newly_arrived_sectors, complete) for each
  /// waiter that needed any of them, and forgets the line when nothing more is under way.
  template <typename Done>
  void arrive(std::uint64_t line, std::uint8_t sectors, Done&& done) {
    Entry* entry = find(line);
    if (entry == nullptr) {
      return;
    }
    std::int32_t* link = &entry->first;
    while (*link >= 0) {
      Node& node = nodes_[static_cast<std::size_t>(*link)];
      const auto got = static_cast<std::uint8_t>(node.sectors & sectors);
      node.sectors = static_cast<std::uint8_t>(node.sectors & ~sectors);
      if (got != 0) {
        done(node.waiter, got, node.sectors == 0);
      }
      if (node.sectors == 0) {
        const std::int32_t n = *link;
        *link = node.next;
        node.next = free_node_;
        free_node_ = n;
        ++free_nodes_;
      } else {
        link = &node.next;
      }
    }
    entry->requested = static_cast<std::uint8_t>(entry->requested & ~sectors);
    if (entry->requested == 0 && entry->first < 0) {
      erase(entry);
    }
  }

private:
  [[nodiscard]] std::size_t slot_of(std::uint64_t line) const {
    return ((line * 0x9e3779b97f4a7c15ULL) >> 32) & (table_.size() - 1);
  }
  // Open addressing without tombstones: entries behind the hole move up.
  void erase(Entry* entry) {
    std::size_t hole = static_cast<std::size_t>(entry - table_.data());
    const std::size_t mask = table_.size() - 1;
    for (std::size_t i = (hole + 1) & mask; table_[i].line != kFree; i = (i + 1) & mask) {
      const std::size_t home = slot_of(table_[i].line);
      if (((i - home) & mask) >= ((i - hole) & mask)) {
        table_[hole] = table_[i];
        hole = i;
      }
    }
    table_[hole] = Entry{};
    --used_;
  }

  std::uint32_t capacity_;
  std::vector<Entry> table_;
  std::vector<Node> nodes_;
  std::int32_t free_node_ = -1;
  std::uint32_t free_nodes_ = 0;
  std::uint32_t used_ = 0;
};

} // namespace coulomb::timing
