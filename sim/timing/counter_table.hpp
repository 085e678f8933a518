// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/counters.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace coulomb::timing {

/// One row of the table of counters: what a field of SmCounters or MemoryCounters is called, what
/// it counts, and where it lies. Names are those of Nsight Compute for sm_80; what the hardware
/// does not report has the prefix `model__`.
struct Counter {
  enum class Owner : std::uint8_t { sm, memory };
  std::string_view name;
  std::string_view unit; ///< of the reported value: "inst", "sector", "byte", "cycle", ...
  Owner owner = Owner::sm;
  std::size_t offset = 0; ///< of the field in its struct, bytes
  double factor = 1.0;    ///< reported value / field
  std::string_view definition;
};

/// Every field of both structs, once.
[[nodiscard]] std::span<const Counter> counter_table();

/// The field that `counter` names; 0 for one of the other struct.
[[nodiscard]] std::uint64_t count_of(const Counter& counter, const SmCounters& counts);
[[nodiscard]] std::uint64_t count_of(const Counter& counter, const MemoryCounters& counts);

/// Adds every field of the table.
SmCounters& operator+=(SmCounters& sum, const SmCounters& counts);
MemoryCounters& operator+=(MemoryCounters& sum, const MemoryCounters& counts);

} // namespace coulomb::timing
