// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/timing/types.hpp"

#include <array>
#include <cstdint>

namespace coulomb::timing::sm {

/// Kinds of memory instructions that differ in their fixed times.
enum class AccessKind : std::uint8_t { load, store, shared_load, shared_store, async_copy };

/// Fixed times of a memory instruction, in cycles from its issue, for a hit and without conflicts.
struct AccessTime {
  Cycle release = 0; ///< of the source registers (write after read)
  Cycle latency = 0; ///< of the result (read after write); 0 for stores
};

/// The table of kind, address (a vector register, or uniform registers and constants alone) and
/// bytes per lane. Source: Huerta et al., MICRO 2025, latencies of memory instructions on RTX
/// A6000.
class AccessTimes {
public:
  explicit AccessTimes(const config::SmConfig& sm) {
    const auto& lsu = sm.lsu;
    const auto& l1 = sm.l1;
    row(AccessKind::load, false) = {{{lsu.load_release, l1.hit_latency_32},
                                     {lsu.load_release, l1.hit_latency_64},
                                     {lsu.load_release, l1.hit_latency_128}}};
    row(AccessKind::load, true) = {{{lsu.uniform_load_release, l1.uniform_hit_latency_32},
                                    {lsu.uniform_load_release, l1.uniform_hit_latency_64},
                                    {lsu.uniform_load_release, l1.uniform_hit_latency_128}}};
    row(AccessKind::shared_load, false) = {{{lsu.shared_load_release, lsu.shared_latency_32},
                                            {lsu.shared_load_release, lsu.shared_latency_64},
                                            {lsu.shared_load_release, lsu.shared_latency_128}}};
    row(AccessKind::shared_load,
        true) = {{{lsu.uniform_load_release, lsu.shared_uniform_latency_32},
                  {lsu.uniform_load_release, lsu.shared_uniform_latency_64},
                  {lsu.uniform_load_release, lsu.shared_uniform_latency_128}}};
    row(AccessKind::store, false) = {
        {{lsu.store_release_32, 0}, {lsu.store_release_64, 0}, {lsu.store_release_128, 0}}};
    row(AccessKind::shared_store, false) = {{{lsu.shared_store_release_32, 0},
                                             {lsu.shared_store_release_64, 0},
                                             {lsu.shared_store_release_128, 0}}};
    row(AccessKind::store, true) =
        row(AccessKind::shared_store, true) = {{{lsu.uniform_store_release_32, 0},
                                                {lsu.uniform_store_release_64, 0},
                                                {lsu.uniform_store_release_128, 0}}};
    for (const bool uniform : {false, true}) {
      row(AccessKind::async_copy, uniform).fill({lsu.async_copy_release, l1.async_copy_latency});
    }
  }

  /// `bytes` per lane; sizes that are not 8 or 16 count as 4.
  [[nodiscard]] const AccessTime&
  of(AccessKind kind, bool uniform_address, std::uint8_t bytes) const {
    const std::size_t width = bytes <= 4 ? 0 : bytes == 8 ? 1 : 2;
    return table_[index(kind, uniform_address)][width];
  }

private:
  using Row = std::array<AccessTime, 3>; ///< 4, 8, 16 bytes per lane
  static constexpr std::size_t kKinds = 5;

  static std::size_t index(AccessKind kind, bool uniform) {
    return static_cast<std::size_t>(kind) * 2 + (uniform ? 1 : 0);
  }
  Row& row(AccessKind kind, bool uniform) { return table_[index(kind, uniform)]; }

  std::array<Row, kKinds * 2> table_{};
};

} // namespace coulomb::timing::sm
