// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/device_heap.hpp"

#include <algorithm>
#include <iterator>

namespace coulomb::functional {

std::uint64_t DeviceHeap::allocate(std::uint64_t bytes) {
  if (bytes > kBytes) {
    return kBytes;
  }
  const std::uint64_t size = std::max(bytes + kAlignment - 1, kAlignment) / kAlignment * kAlignment;
  const auto block =
      std::find_if(free_.begin(), free_.end(), [size](const auto& b) { return b.second >= size; });
  if (block == free_.end()) {
    return kBytes;
  }
  const auto [offset, length] = *block;
  free_.erase(block);
  if (length > size) {
    free_[offset + size] = length - size;
  }
  used_[offset] = size;
  return offset;
}

bool DeviceHeap::free(std::uint64_t offset) {
  const auto block = used_.find(offset);
  if (block == used_.end()) {
    return false;
  }
  auto merged = free_.emplace(offset, block->second).first;
  used_.erase(block);
  if (const auto next = std::next(merged);
      next != free_.end() && merged->first + merged->second == next->first) {
    merged->second += next->second;
    free_.erase(next);
  }
  if (merged != free_.begin()) {
    const auto previous = std::prev(merged);
    if (previous->first + previous->second == merged->first) {
      previous->second += merged->second;
      free_.erase(merged);
    }
  }
  return true;
}

} // namespace coulomb::functional
