// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/executor.hpp"

#include <cstdint>
#include <map>
#include <new>
#include <tuple>
#include <vector>

namespace coulomb::functional {

/// Immediates and constant-bank words, each spread over a row of 32 lanes, so that a handler reads
/// every kind of operand the same way. Rows have final positions when lowering is over.
class RowPool {
public:
  struct alignas(64) PoolRow {
    std::uint32_t lanes[kLanes];
  };

  /// Index of the row that holds `value`.
  [[nodiscard]] unsigned immediate(std::uint32_t value);
  /// Index of the row that holds the 32-bit word at `offset` of a constant bank, with some bits
  /// cleared, then some flipped (float modifiers).
  [[nodiscard]] unsigned
  constant(unsigned bank, std::uint32_t offset, std::uint32_t keep, std::uint32_t flip);
  /// Fills every row; again after a constant bank changed.
  void fill(const ConstantBanks& banks);
  [[nodiscard]] const PoolRow* data() const { return rows_.data(); }

private:
  /// bank (kImmediateBank: `offset` is the value), offset, keep, flip
  using Key = std::tuple<unsigned, std::uint32_t, std::uint32_t, std::uint32_t>;
  unsigned index_of(const Key& key);

  std::map<Key, unsigned> index_;
  std::vector<PoolRow> rows_;
};

} // namespace coulomb::functional
