// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "sim/functional/step.hpp"

#include <array>
#include <cstdint>

namespace coulomb::timing::sm {

/// Sectors that one warp instruction touches in one 128-byte line.
struct LineAccess {
  std::uint64_t line = 0;
  std::uint8_t sectors = 0;
  std::uint8_t same_address = 0; ///< see count_same_address()
};

/// What a warp's addresses come to.
struct CoalescedAccess {
  std::uint32_t line_count = 0;
  std::array<LineAccess, 128>
      lines; ///< distinct; 32 lanes of 16 bytes of local memory touch up to 128
  std::uint32_t sector_count = 0;
  std::uint32_t data_passes = 1; ///< through the 32-bank data stage, bank conflicts included
  std::uint32_t tag_passes = 1;  ///< through the tag stage: lines of its fullest tag bank
};

/// Tag bank of a line, of `banks` that look up one line a cycle each. The hash is unpublished. With
/// four banks this one is even over 32 neighbouring lines and irregular within them, which meets
/// the gpu-benches stride curve of an A100 (t-stage wavefronts, strides 2 to 64) within 5 % in the
/// root mean square; any such order does. XORing the digits of the line, which meets it as well if
/// its loads began anywhere in a line, was given up for the recorded A100 convolutions: misaligned
/// loads of two lines take a quarter longer there than it says.
[[nodiscard]] std::uint32_t tag_bank(std::uint64_t line, std::uint32_t banks);

/// Lines, sectors and passes of a global access.
void coalesce_global(const functional::MemoryAccess& access,
                     const config::LsuConfig& lsu,
                     CoalescedAccess& out);
/// Same for local memory, whose words are interleaved over the lanes; `base_line` is the warp's own
/// window.
void coalesce_local(const functional::MemoryAccess& access,
                    std::uint64_t base_line,
                    const config::LsuConfig& lsu,
                    CoalescedAccess& out);
/// For each line of a coalesced atomic: the largest number of lanes that want one address of it.
void count_same_address(const functional::MemoryAccess& access, CoalescedAccess& out);
/// Passes of a shared-memory access. Lanes are served in groups whose data fits the data path's
/// width (32 lanes of 4 bytes, 16 of 8, 8 of 16); within a group, different words of one bank take
/// one pass each and equal words are broadcast. Source: programming guide; RTX 3060 and A100 rates.
/// A load of 8 or 16 bytes a lane is served in groups twice as large if all neighbouring lanes (n,
/// n ^ 1) want the same address, or all lanes two apart (n, n ^ 2) do: what returns is packed.
/// Source: NVIDIA, forum thread 77228 (compute capability 7.x); recorded RTX 3090 GEMMs whose tiles
/// are read so run up to a third faster than without.
[[nodiscard]] std::uint32_t shared_passes(const functional::MemoryAccess& access,
                                          const config::LsuConfig& lsu);
/// Passes of a read-modify-write on shared memory: one for each lane of a group that shares its
/// bank with others, the same word or not. `merges_lanes`: lanes of one word are added up
/// beforehand (ATOMS.POPC.INC). Source: GTC 2021 S33322, contention curves of A100.
[[nodiscard]] std::uint32_t shared_atomic_passes(const functional::MemoryAccess& access,
                                                 bool merges_lanes,
                                                 const config::LsuConfig& lsu);
/// Passes of the same access without any conflict.
[[nodiscard]] std::uint32_t conflict_free_passes(const functional::MemoryAccess& access,
                                                 const config::LsuConfig& lsu);

} // namespace coulomb::timing::sm
