// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/row_pool.hpp"

#include "sim/functional/micro_op.hpp"

#include <algorithm>
#include <cstring>

namespace coulomb::functional {
namespace {
constexpr unsigned kImmediateBank = 0xffff;
}

unsigned RowPool::index_of(const Key& key) {
  const auto next = static_cast<unsigned>(index_.size()) + kPoolZeroRows;
  return index_.try_emplace(key, next).first->second;
}

unsigned RowPool::immediate(std::uint32_t value) {
  return index_of({kImmediateBank, value, ~0U, 0});
}

unsigned
RowPool::constant(unsigned bank, std::uint32_t offset, std::uint32_t keep, std::uint32_t flip) {
  return index_of({bank, offset, keep, flip});
}

void RowPool::fill(const ConstantBanks& banks) {
  rows_.assign(index_.size() + kPoolZeroRows, PoolRow{});
  for (const auto& [key, index] : index_) {
    const auto& [bank, offset, keep, flip] = key;
    std::uint32_t value = offset;
    if (bank != kImmediateBank) {
      const auto& bytes = banks.bank[bank];
      value = 0; // beyond the bank's end reads zero
      if (std::size_t{offset} + sizeof value <= bytes.size()) {
        std::memcpy(&value, bytes.data() + offset, sizeof value);
      }
    }
    std::fill_n(rows_[index].lanes, kLanes, (value & keep) ^ flip);
  }
}

} // namespace coulomb::functional
