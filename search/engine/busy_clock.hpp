// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>

namespace coulomb::search {

/// Adds up the seconds of several workers with a job. Not thread-safe.
class BusyClock {
public:
  /// So many are busy from now on.
  void set(std::uint32_t busy) {
    sum_ = seconds();
    since_ = std::chrono::steady_clock::now();
    busy_ = busy;
  }
  /// Until now, those that are still busy included.
  [[nodiscard]] double seconds() const {
    return sum_ +
           busy_ * std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
  }

private:
  double sum_ = 0.0;
  std::uint32_t busy_ = 0;
  std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
};

} // namespace coulomb::search
