// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/ports.hpp"

#include <cstdint>

namespace coulomb::timing::mem {

/// For a sampled simulation: what the SMs outside the sample send to a DRAM channel. They do what
/// the simulated ones do, a little later and elsewhere in memory, so each row that the sample uses
/// brings `per_request` others like it, each up to kSpread cycles later. Nobody waits for them;
/// they take the time of banks and bus. Which and when is a hash of the row: the same traffic
/// whatever else happens.
class OtherTraffic {
public:
  /// `per_request`: mean number of others for each request, 0 when the whole chip is simulated.
  OtherTraffic(double per_request, std::uint64_t lines_per_row)
      : per_request_(per_request), lines_per_row_(lines_per_row), order_(kSender) {}

  /// True for what `follow` made.
  [[nodiscard]] static bool made(const MemoryMessage& m) { return m.sm == kSender; }

  /// Calls push(message) for each other request that this one stands for.
  template <typename Push>
  void follow(const MemoryMessage& request, Push&& push) {
    const std::uint64_t row = mix(request.line / lines_per_row_);
    const auto count =
        static_cast<std::uint32_t>(per_request_ + static_cast<double>(row >> 40U) * 0x1.0p-24);
    for (std::uint32_t k = 1; k <= count; ++k) {
      const std::uint64_t h = mix(row + k);
      MemoryMessage other = request;
      other.sm = kSender;
      other.line += lines_per_row_ * (kElsewhere + (h & 0xFFFFU));
      other.ready += (h >> 32U) % kSpread;
      other.order = order_.take();
      push(other);
    }
  }

private:
  static constexpr std::uint32_t kSender = ~std::uint32_t{0};
  static constexpr std::uint64_t kElsewhere = 1U << 20U; ///< rows away
  /// Cycles. Tried were 256 to 4,096; beyond 1,024 the times of streams differ by up to 3 %.
  static constexpr Cycle kSpread = 2048;

  static std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
  }

  double per_request_;
  std::uint64_t lines_per_row_;
  MessageOrder order_;
};

} // namespace coulomb::timing::mem
