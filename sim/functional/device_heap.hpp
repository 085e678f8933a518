// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

namespace coulomb::functional {

/// Who owns what of the heap of device-side malloc. First fit; blocks that are freed join their
/// neighbours. Knows addresses, not contents.
class DeviceHeap {
public:
  /// Default size on every GPU: CUDA C++ Programming Guide, cudaLimitMallocHeapSize.
  static constexpr std::uint64_t kBytes = std::uint64_t{8} << 20;
  static constexpr std::uint64_t kAlignment = 16;

  /// Offset of a free block of that size, or kBytes if there is none. malloc(0) takes a block too.
  [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);
  /// False if no block in use begins at `offset`.
  [[nodiscard]] bool free(std::uint64_t offset);

private:
  std::map<std::uint64_t, std::uint64_t> free_{{0, kBytes}}; ///< offset: bytes
  std::map<std::uint64_t, std::uint64_t> used_;
};

} // namespace coulomb::functional
