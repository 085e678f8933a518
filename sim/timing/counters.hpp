// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace coulomb::timing {

/// Why a warp did not issue, in Nsight Compute's words.
enum class StallReason : std::uint8_t {
  selected,           ///< it issued
  wait,               ///< fixed-latency dependency (stall count)
  long_scoreboard,    ///< L1TEX: global or local memory
  short_scoreboard,   ///< shared memory, special functions, other variable latency
  barrier,            ///< CTA barrier
  math_pipe_throttle, ///< execution pipe busy
  lg_throttle,        ///< queue for global and local memory full
  mio_throttle,       ///< queue for shared memory and special instructions full
  dispatch_stall,     ///< register-file ports
  imc_miss,           ///< constant cache miss
  no_instruction,     ///< instruction cache miss
  branch_resolving,   ///< waits for a branch target
  sleeping,           ///< NANOSLEEP
  not_selected,       ///< ready, but another warp issued
};
inline constexpr int kStallReasons = 14;
inline constexpr std::array<std::string_view, kStallReasons> kStallReasonNames = {
    "selected",         "wait",           "long_scoreboard",
    "short_scoreboard", "barrier",        "math_pipe_throttle",
    "lg_throttle",      "mio_throttle",   "dispatch_stall",
    "imc_miss",         "no_instruction", "branch_resolving",
    "sleeping",         "not_selected"};

/// Counts of one SM. Sums over SMs are meaningful. Fields are std::uint64_t, and each has its row
/// in counter_table.cpp, which names, defines and sums it.
struct SmCounters {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;             ///< lanes whose guard was true
  std::uint64_t active_cycles = 0;                   ///< cycles with at least one resident warp
  std::uint64_t warp_cycles = 0;                     ///< resident warps summed over cycles
  std::array<std::uint64_t, 11> pipe_instructions{}; ///< by Pipe
  std::uint64_t global_load_requests = 0;            ///< warp instructions
  std::uint64_t global_load_sectors = 0;
  std::uint64_t global_store_requests = 0;
  std::uint64_t global_store_sectors = 0;
  std::uint64_t local_load_sectors = 0;
  std::uint64_t local_store_sectors = 0;
  std::uint64_t l1_sector_hits = 0; ///< of load sectors
  std::uint64_t l1_sector_misses = 0;
  std::uint64_t prefetch_sectors = 0; ///< asked for ahead of any load
  std::uint64_t prefetch_useful = 0;  ///< of them: there when a load first wanted them
  std::uint64_t prefetch_late = 0;    ///< under way when a load wanted them
  std::uint64_t prefetch_unused = 0;  ///< evicted before a load wanted them
  std::uint64_t prefetch_dropped = 0; ///< not asked for: misses or the port were busy
  std::uint64_t shared_load_requests = 0;
  std::uint64_t shared_store_requests = 0;
  std::uint64_t shared_wavefronts = 0;     ///< passes through the data stage
  std::uint64_t shared_conflicts = 0;      ///< passes beyond the conflict-free number
  std::uint64_t instruction_l0_misses = 0; ///< lines asked of L1, prefetches included
  std::uint64_t instruction_l1_misses = 0;
  std::uint64_t constant_misses = 0;
  std::uint64_t ctas = 0;
  std::uint64_t warp_switches = 0;     ///< issues of another warp than the one before
  std::uint64_t warps_swapped_out = 0; ///< of the active set of a two-level scheduler
  std::uint64_t register_reads = 0;    ///< registers of 32 lanes, without those of the reuse cache
  std::uint64_t register_reuses = 0;   ///< those that the reuse cache held
  std::uint64_t register_writes = 0;
  std::uint64_t register_reads_compressed = 0; ///< reused ones included
  std::uint64_t register_writes_compressed = 0;
  std::uint64_t register_sub_banks_saved = 0;              ///< accesses to sixteen-byte sub-banks
  std::array<std::uint64_t, kStallReasons> stall_cycles{}; ///< warp-cycles
};

/// Counts of the memory side; the same rules.
struct MemoryCounters {
  std::uint64_t l2_read_sectors = 0;
  std::uint64_t l2_write_sectors = 0;
  std::uint64_t l2_atomic_sectors = 0;
  std::uint64_t l2_sector_hits = 0; ///< of reads
  std::uint64_t l2_shared_hits =
      0; ///< of them: brought in by a CTA that the sample does not simulate
  std::uint64_t l2_sector_misses = 0;
  std::uint64_t l2_partition_sectors = 0; ///< that loads fetched from the other partition
  std::uint64_t dram_read_sectors = 0;
  std::uint64_t dram_write_sectors = 0;
  std::uint64_t dram_row_hits = 0;
  std::uint64_t dram_row_misses = 0;
};

} // namespace coulomb::timing
