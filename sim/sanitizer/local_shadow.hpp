// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/functional/step.hpp"

#include <cstdint>
#include <vector>

namespace coulomb::sanitizer {

/// Which bytes of the local memory of one warp's threads have been stored.
class LocalShadow {
public:
  explicit LocalShadow(std::uint32_t bytes_per_thread) : stored_(bytes_per_thread, 0) {}

  /// Lanes of `mask` that read a byte which they have not stored.
  [[nodiscard]] std::uint32_t load(const functional::MemoryAccess& access) const;
  void store(const functional::MemoryAccess& access);

private:
  std::vector<std::uint32_t> stored_; ///< [byte]: bit per lane
};

} // namespace coulomb::sanitizer
