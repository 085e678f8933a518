// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace coulomb::timing {

/// SM clock cycles since the kernel began.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = ~Cycle{0};

inline constexpr std::uint32_t kLineBytes = 128;
inline constexpr std::uint32_t kSectorBytes = 32;
inline constexpr std::uint32_t kSectorsPerLine = kLineBytes / kSectorBytes;

/// A resource that serves one request after another, each for a (possibly fractional) number of
/// cycles. Time is kept in 1/1024 cycles so that a sampled chip's share of a slice or channel has
/// its exact rate.
class Server {
public:
  static constexpr std::uint64_t kScale = 1024;
  static std::uint64_t ticks(double cycles) {
    return static_cast<std::uint64_t>(std::llround(cycles * static_cast<double>(kScale)));
  }

  /// Starts at `now` or when free; returns the cycle at which the service is complete.
  Cycle serve(Cycle now, std::uint64_t duration_ticks) {
    const std::uint64_t start = now * kScale > free_ ? now * kScale : free_;
    free_ = start + duration_ticks;
    return (free_ + kScale - 1) / kScale;
  }
  [[nodiscard]] Cycle free_at() const { return free_ / kScale; }
  void reset() { free_ = 0; }

private:
  std::uint64_t free_ = 0;
};

} // namespace coulomb::timing
