// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace coulomb::functional {

inline constexpr int kLanes = 32;

/// A set of lanes that executes together, apart from the rest of its warp.
struct Split {
  std::uint32_t pc = 0;   ///< next instruction, byte offset in the section
  std::uint32_t mask = 0; ///< lanes
  std::int8_t waits_on =
      -1; ///< kRunnable, convergence barrier 0..15, kWaitsWarpsync, kWaitsCta + id
  std::uint32_t sync_mask = 0; ///< lanes that the BSYNC or WARPSYNC waits for
};

inline constexpr std::int8_t kRunnable = -1;
inline constexpr std::int8_t kWaitsWarpsync = 16;
inline constexpr std::int8_t kWaitsCta = 32; ///< plus the number of the CTA barrier

/// Architectural state of one warp. `registers` is [register][lane], so that a lane loop is a
/// vector loop; row 255 is RZ: it reads zero, and writes to RZ must not reach it.
struct WarpState {
  alignas(64) std::array<std::array<std::uint32_t, kLanes>, 256> registers;
  std::array<std::uint32_t, 64> uniform;   ///< UR0..UR62, 63 = URZ = 0
  std::array<std::uint32_t, 8> predicates; ///< lane masks, P7 = PT = all ones
  std::array<bool, 8> uniform_predicates;  ///< UP7 = true
  /// Convergence barriers B0..B15: for each lane, the lanes with which it reconverges (0: none).
  /// Kept per lane, so that two diverged splits may use the same barrier register at the same time.
  std::array<std::array<std::uint32_t, kLanes>, 16> barriers;
  std::uint32_t pc = 0;     ///< of the running split
  std::uint32_t active = 0; ///< lanes of the running split; 0 = the warp has finished
  std::uint32_t exited = 0; ///< lanes that executed EXIT, and lanes that never existed
  std::uint32_t warp_in_cta = 0;
  std::uint32_t backward_branches = 0; ///< of the running split while another one could run
  std::uint8_t last_barrier = 0;       ///< CTA barrier whose reduction B2R.RESULT reads
  std::vector<Split> splits;           ///< the other splits, capacity reserved for 32
  std::vector<std::uint8_t> local;     ///< local memory, word-interleaved: [word][lane][4]
  [[nodiscard]] bool finished() const { return active == 0 && splits.empty(); }
};

} // namespace coulomb::functional
