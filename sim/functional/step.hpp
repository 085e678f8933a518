// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace coulomb::functional {

enum class MemorySpace : std::uint8_t { none, global, shared, local, constant };

/// What one memory instruction touched, for the timing model. Addresses are byte addresses of each
/// lane in its space (global: 64-bit virtual; shared: offset in the CTA's shared memory; local:
/// offset in the thread's local memory). LDGSTS reports its global side here and its shared side in
/// `shared_address`.
struct MemoryAccess {
  MemorySpace space = MemorySpace::none;
  bool load = false;
  bool store = false;
  bool atomic = false;
  bool bypass_l1 = false;  ///< .BYPASS, .STRONG.GPU and stronger, volatile
  bool async_copy = false; ///< LDGSTS
  std::uint8_t bytes = 0;  ///< per lane: 1, 2, 4, 8, 16
  std::uint32_t mask = 0;  ///< lanes that access memory
  alignas(64) std::array<std::uint64_t, 32> address;
  std::array<std::uint32_t, 32> shared_address; ///< LDGSTS only
};

/// What happened at one step, as far as time is concerned.
enum class StepEvent : std::uint8_t {
  none,
  branch,  ///< the warp's next pc is not pc + 16, or the running split changed
  barrier, ///< BAR.SYNC/RED: the warp waits at CTA barrier `barrier_id` (until barrier_released
           ///< says so)
  arrive,  ///< BAR.ARV: counted, not waiting
  exit,    ///< the whole warp has finished
  sleep,   ///< NANOSLEEP of `sleep_ns`
};

struct StepResult {
  StepEvent event = StepEvent::none;
  std::uint32_t executed = 0; ///< lanes whose guard was true
  std::uint8_t barrier_id = 0;
  std::uint32_t sleep_ns = 0;
  MemoryAccess access; ///< valid if access.space != none
};

} // namespace coulomb::functional
