// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/counter_table.hpp"

#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/types.hpp"

#include <cstring>
#include <type_traits>

namespace coulomb::timing {
namespace {

// The table addresses fields by offset: that takes structs of std::uint64_t and nothing else.
static_assert(std::is_standard_layout_v<SmCounters> && std::is_trivially_copyable_v<SmCounters>);
static_assert(std::is_standard_layout_v<MemoryCounters> &&
              std::is_trivially_copyable_v<MemoryCounters>);
static_assert(std::tuple_size_v<decltype(SmCounters::pipe_instructions)> == kPipes);

constexpr std::size_t pipe(Pipe p) {
  return offsetof(SmCounters, pipe_instructions) +
         sizeof(std::uint64_t) * static_cast<std::size_t>(p);
}

constexpr std::size_t stall(StallReason r) {
  return offsetof(SmCounters, stall_cycles) + sizeof(std::uint64_t) * static_cast<std::size_t>(r);
}

constexpr Counter kCounters[] = {
    {"smsp__inst_executed.sum", "inst", Counter::Owner::sm, offsetof(SmCounters, warp_instructions),
     1.0, "warp instructions executed"},
    {"smsp__thread_inst_executed_pred_on.sum", "inst", Counter::Owner::sm,
     offsetof(SmCounters, thread_instructions), 1.0,
     "thread instructions executed: lanes whose guard was true, summed over warp instructions"},
    {"sm__cycles_active.sum", "cycle", Counter::Owner::sm, offsetof(SmCounters, active_cycles), 1.0,
     "cycles with at least one resident warp, summed over SMs"},
    {"sm__warps_active.sum", "warp-cycle", Counter::Owner::sm, offsetof(SmCounters, warp_cycles),
     1.0, "resident warps, summed over cycles and SMs"},
    {"sm__ctas_launched.sum", "CTA", Counter::Owner::sm, offsetof(SmCounters, ctas), 1.0,
     "CTAs launched"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "request", Counter::Owner::sm,
     offsetof(SmCounters, global_load_requests), 1.0,
     "warp instructions that load global memory, asynchronous copies included"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, global_load_sectors), 1.0, "sectors that they ask for"},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", "request", Counter::Owner::sm,
     offsetof(SmCounters, global_store_requests), 1.0,
     "warp instructions that store to global memory"},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, global_store_sectors), 1.0, "sectors that they write"},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, local_load_sectors), 1.0, "sectors of local memory loaded"},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, local_store_sectors), 1.0, "sectors of local memory stored"},
    {"l1tex__t_sectors_lookup_hit.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, l1_sector_hits), 1.0, "sectors of loads, global and local, that L1 held"},
    {"l1tex__t_sectors_lookup_miss.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, l1_sector_misses), 1.0,
     "sectors of loads, global and local, that L1 did not hold"},
    {"model__l1_prefetch_sectors.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, prefetch_sectors), 1.0, "sectors that the L1 prefetcher asked L2 for"},
    {"model__l1_prefetch_sectors_useful.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, prefetch_useful), 1.0,
     "of them: sectors that L1 held when a load first wanted them"},
    {"model__l1_prefetch_sectors_late.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, prefetch_late), 1.0,
     "of them: sectors still under way when a load wanted them"},
    {"model__l1_prefetch_sectors_unused.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, prefetch_unused), 1.0,
     "of them: sectors that L1 evicted before a load wanted them"},
    {"model__l1_prefetch_sectors_dropped.sum", "sector", Counter::Owner::sm,
     offsetof(SmCounters, prefetch_dropped), 1.0,
     "sectors that it did not ask for because miss-status entries or the port were scarce"},
    {"smsp__inst_executed_op_shared_ld.sum", "inst", Counter::Owner::sm,
     offsetof(SmCounters, shared_load_requests), 1.0, "warp instructions that load shared memory"},
    {"smsp__inst_executed_op_shared_st.sum", "inst", Counter::Owner::sm,
     offsetof(SmCounters, shared_store_requests), 1.0,
     "warp instructions that store to shared memory"},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "wavefront", Counter::Owner::sm,
     offsetof(SmCounters, shared_wavefronts), 1.0,
     "passes of shared-memory accesses through the data stage"},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "wavefront", Counter::Owner::sm,
     offsetof(SmCounters, shared_conflicts), 1.0,
     "of them: passes beyond those that the same access takes without bank conflicts"},
    {"sm__icc_requests.sum", "request", Counter::Owner::sm,
     offsetof(SmCounters, instruction_l0_misses), 1.0,
     "instruction lines that sub-cores asked the SM's cache for, prefetches included"},
    {"sm__icc_requests_lookup_miss.sum", "request", Counter::Owner::sm,
     offsetof(SmCounters, instruction_l1_misses), 1.0,
     "of them: lines that the SM's instruction cache lacked"},
    {"model__imc_requests_lookup_miss.sum", "request", Counter::Owner::sm,
     offsetof(SmCounters, constant_misses), 1.0,
     "constant operands that the constant cache lacked"},
    {"model__inst_executed_pipe_none.sum", "inst", Counter::Owner::sm, pipe(Pipe::none), 1.0,
     "warp instructions that occupy no pipe: branches, barriers, NOP"},
    {"sm__inst_executed_pipe_fma.sum", "inst", Counter::Owner::sm, pipe(Pipe::fma), 1.0,
     "warp instructions of the FP32 pipe: multiply, add"},
    {"sm__inst_executed_pipe_fmaheavy.sum", "inst", Counter::Owner::sm, pipe(Pipe::imad), 1.0,
     "integer multiply-add, on the FMA units that can"},
    {"sm__inst_executed_pipe_alu.sum", "inst", Counter::Owner::sm, pipe(Pipe::alu), 1.0,
     "integer, logic, compare and move"},
    {"sm__inst_executed_pipe_fp16.sum", "inst", Counter::Owner::sm, pipe(Pipe::half), 1.0,
     "packed half precision"},
    {"sm__inst_executed_pipe_xu.sum", "inst", Counter::Owner::sm, pipe(Pipe::xu), 1.0,
     "transcendental functions, conversions, bit counts"},
    {"sm__inst_executed_pipe_fp64.sum", "inst", Counter::Owner::sm, pipe(Pipe::fp64), 1.0,
     "double precision, and HFMA2.MMA"},
    {"sm__inst_executed_pipe_uniform.sum", "inst", Counter::Owner::sm, pipe(Pipe::uniform), 1.0,
     "uniform datapath"},
    {"sm__inst_executed_pipe_tensor.sum", "inst", Counter::Owner::sm, pipe(Pipe::tensor), 1.0,
     "tensor cores"},
    {"sm__inst_executed_pipe_lsu.sum", "inst", Counter::Owner::sm, pipe(Pipe::lsu), 1.0,
     "global, local and generic memory"},
    {"model__inst_executed_pipe_mio.sum", "inst", Counter::Owner::sm, pipe(Pipe::mio), 1.0,
     "shared memory, shuffles, and what else is queued to the SM's shared units"},
    {"model__warp_switches.sum", "inst", Counter::Owner::sm, offsetof(SmCounters, warp_switches),
     1.0, "warp instructions of another warp than the one that the scheduler issued from before"},
    {"model__warps_swapped_out.sum", "warp", Counter::Owner::sm,
     offsetof(SmCounters, warps_swapped_out), 1.0,
     "warps that left the active set of a two-level scheduler: long waits, barriers, exits"},
    {"model__register_reads.sum", "register", Counter::Owner::sm,
     offsetof(SmCounters, register_reads), 1.0,
     "vector registers that warp instructions read from the register file, 32 lanes each"},
    {"model__register_reads_reused.sum", "register", Counter::Owner::sm,
     offsetof(SmCounters, register_reuses), 1.0,
     "vector registers that they took from the operand reuse cache instead"},
    {"model__register_writes.sum", "register", Counter::Owner::sm,
     offsetof(SmCounters, register_writes), 1.0,
     "vector registers that warp instructions with an executing lane write, 32 lanes each"},
    {"model__register_reads_compressed.sum", "register", Counter::Owner::sm,
     offsetof(SmCounters, register_reads_compressed), 1.0,
     "compressed vector registers among those read, reused ones included"},
    {"model__register_writes_compressed.sum", "register", Counter::Owner::sm,
     offsetof(SmCounters, register_writes_compressed), 1.0,
     "vector registers among those written that were compressed"},
    {"model__register_sub_bank_accesses_saved.sum", "access", Counter::Owner::sm,
     offsetof(SmCounters, register_sub_banks_saved), 1.0,
     "of the eight 16-byte accesses that each register takes: those that compression spares"},
    {"smsp__warps_issue_stalled_selected.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::selected), 1.0, "issued in this cycle"},
    {"smsp__warps_issue_stalled_wait.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::wait), 1.0, "waits out a fixed-latency dependency"},
    {"smsp__warps_issue_stalled_long_scoreboard.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::long_scoreboard), 1.0, "waits for global or local memory"},
    {"smsp__warps_issue_stalled_short_scoreboard.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::short_scoreboard), 1.0,
     "waits for shared memory, special functions, or another variable latency"},
    {"smsp__warps_issue_stalled_barrier.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::barrier), 1.0, "waits at a CTA barrier"},
    {"smsp__warps_issue_stalled_math_pipe_throttle.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::math_pipe_throttle), 1.0, "its execution pipe is busy"},
    {"smsp__warps_issue_stalled_lg_throttle.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::lg_throttle), 1.0, "the queue for global and local memory is full"},
    {"smsp__warps_issue_stalled_mio_throttle.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::mio_throttle), 1.0,
     "the queue for shared memory and special instructions is full"},
    {"smsp__warps_issue_stalled_dispatch_stall.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::dispatch_stall), 1.0, "the register file's read ports are taken"},
    {"smsp__warps_issue_stalled_imc_miss.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::imc_miss), 1.0, "constant cache miss"},
    {"smsp__warps_issue_stalled_no_instruction.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::no_instruction), 1.0,
     "instruction cache miss, or not fetched yet after launch"},
    {"smsp__warps_issue_stalled_branch_resolving.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::branch_resolving), 1.0, "waits for a branch target"},
    {"smsp__warps_issue_stalled_sleeping.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::sleeping), 1.0, "NANOSLEEP"},
    {"smsp__warps_issue_stalled_not_selected.sum", "warp-cycle", Counter::Owner::sm,
     stall(StallReason::not_selected), 1.0, "ready, but another warp issued"},
    {"lts__t_sectors_op_read.sum", "sector", Counter::Owner::memory,
     offsetof(MemoryCounters, l2_read_sectors), 1.0, "sectors that loads ask L2 for"},
    {"lts__t_sectors_op_write.sum", "sector", Counter::Owner::memory,
     offsetof(MemoryCounters, l2_write_sectors), 1.0, "sectors that stores write to L2"},
    {"lts__t_sectors_op_atom.sum", "sector", Counter::Owner::memory,
     offsetof(MemoryCounters, l2_atomic_sectors), 1.0,
     "sectors that atomics and reductions change in L2"},
    {"lts__t_sectors_op_read_lookup_hit.sum", "sector", Counter::Owner::memory,
     offsetof(MemoryCounters, l2_sector_hits), 1.0, "sectors of loads that L2 held"},
    {"lts__t_sectors_op_read_lookup_miss.sum", "sector", Counter::Owner::memory,
     offsetof(MemoryCounters, l2_sector_misses), 1.0, "sectors of loads that L2 did not hold"},
    {"lts__t_sectors_srcunit_ltcfabric.sum", "sector", Counter::Owner::memory,
     offsetof(MemoryCounters, l2_partition_sectors), 1.0,
     "sectors that loads fetched from the other L2 partition"},
    {"model__lts_sectors_shared_hit.sum", "sector", Counter::Owner::memory,
     offsetof(MemoryCounters, l2_shared_hits), 1.0,
     "of the hits: sectors that a CTA which is not simulated is taken to have brought in"},
    {"dram__bytes_read.sum", "byte", Counter::Owner::memory,
     offsetof(MemoryCounters, dram_read_sectors), kSectorBytes, "bytes that L2 reads from DRAM"},
    {"dram__bytes_write.sum", "byte", Counter::Owner::memory,
     offsetof(MemoryCounters, dram_write_sectors), kSectorBytes, "bytes that L2 writes to DRAM"},
    {"model__dram_row_hits.sum", "access", Counter::Owner::memory,
     offsetof(MemoryCounters, dram_row_hits), 1.0, "accesses to an open row of a bank"},
    {"model__dram_row_misses.sum", "access", Counter::Owner::memory,
     offsetof(MemoryCounters, dram_row_misses), 1.0, "accesses that had to open the row"},
};
static_assert(std::size(kCounters) * sizeof(std::uint64_t) ==
                  sizeof(SmCounters) + sizeof(MemoryCounters),
              "every field has its row");

template <class Counts>
std::uint64_t load(const Counter& counter, const Counts& counts) {
  std::uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const char*>(&counts) + counter.offset, sizeof value);
  return value;
}

template <class Counts>
void add(Counter::Owner owner, Counts& sum, const Counts& counts) {
  for (const Counter& counter : kCounters) {
    if (counter.owner == owner) {
      const std::uint64_t value = load(counter, sum) + load(counter, counts);
      std::memcpy(reinterpret_cast<char*>(&sum) + counter.offset, &value, sizeof value);
    }
  }
}

} // namespace

std::span<const Counter> counter_table() {
  return kCounters;
}

std::uint64_t count_of(const Counter& counter, const SmCounters& counts) {
  return counter.owner == Counter::Owner::sm ? load(counter, counts) : 0;
}

std::uint64_t count_of(const Counter& counter, const MemoryCounters& counts) {
  return counter.owner == Counter::Owner::memory ? load(counter, counts) : 0;
}

SmCounters& operator+=(SmCounters& sum, const SmCounters& counts) {
  add(Counter::Owner::sm, sum, counts);
  return sum;
}

MemoryCounters& operator+=(MemoryCounters& sum, const MemoryCounters& counts) {
  add(Counter::Owner::memory, sum, counts);
  return sum;
}

} // namespace coulomb::timing
