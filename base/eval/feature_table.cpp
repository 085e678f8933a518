// SPDX-License-Identifier: Apache-2.0
#include "base/eval/features.hpp"

#include <string_view>

namespace coulomb::eval {
namespace {

// Inputs that several features use.
constexpr std::string_view kInst = "smsp__inst_executed.sum";
constexpr std::string_view kSmCycles = "sm__cycles_active.sum";
constexpr std::string_view kElapsed = "sm__cycles_elapsed.max";
constexpr std::string_view kThreads = "launch.threads";
constexpr std::string_view kTimeMs = "launch.time_ms";
constexpr std::string_view kCode = "code.instructions";
constexpr std::string_view kLoads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr std::string_view kStores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr std::string_view kL1Hits = "l1tex__t_sectors_lookup_hit.sum";
constexpr std::string_view kL1Misses = "l1tex__t_sectors_lookup_miss.sum";
constexpr std::string_view kLocalLoads = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum";
constexpr std::string_view kLocalStores = "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum";
constexpr std::string_view kSharedLoads = "smsp__inst_executed_op_shared_ld.sum";
constexpr std::string_view kSharedStores = "smsp__inst_executed_op_shared_st.sum";
constexpr std::string_view kWavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";
constexpr std::string_view kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
constexpr std::string_view kL2Reads = "lts__t_sectors_op_read.sum";
constexpr std::string_view kL2Writes = "lts__t_sectors_op_write.sum";
constexpr std::string_view kL2Atomics = "lts__t_sectors_op_atom.sum";
constexpr std::string_view kDramReads = "dram__bytes_read.sum";
constexpr std::string_view kDramWrites = "dram__bytes_write.sum";
constexpr std::string_view kThreadInst = "smsp__thread_inst_executed_pred_on.sum";
constexpr std::string_view kWarpCycles = "sm__warps_active.sum";

// clang-format off
constexpr Feature kFeatures[] = {
    {"time_ms", "ms", "time", {kTimeMs}, {}, 1.0, "time of the kernel alone"},
    {"cycles_elapsed", "cycle", "time", {kElapsed}, {}, 1.0, "SM cycles of the kernel alone"},
    {"sm_cycles_active", "cycle", "time", {kSmCycles}, {}, 1.0, "cycles with a resident warp, summed over SMs"},
    {"inst_executed", "inst", "instructions", {kInst}, {}, 1.0, "warp instructions executed"},
    {"thread_inst_executed", "inst", "instructions", {kThreadInst}, {}, 1.0, "thread instructions executed, guard true"},
    {"inst_per_cycle_active", "inst/cycle", "instructions", {kInst}, {kSmCycles}, 1.0, "warp instructions per cycle of an active SM"},
    {"inst_per_cta", "inst/CTA", "instructions", {kInst}, {"launch.ctas"}, 1.0, "warp instructions per CTA"},
    {"inst_per_thread", "inst", "instructions", {kThreadInst}, {kThreads}, 1.0, "thread instructions per thread"},
    {"pipe_fma_share", "fraction", "instructions", {"sm__inst_executed_pipe_fma.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: FP32 multiply and add"},
    {"pipe_fmaheavy_share", "fraction", "instructions", {"sm__inst_executed_pipe_fmaheavy.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: integer multiply-add"},
    {"pipe_alu_share", "fraction", "instructions", {"sm__inst_executed_pipe_alu.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: integer, logic, compare, move"},
    {"pipe_fp16_share", "fraction", "instructions", {"sm__inst_executed_pipe_fp16.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: packed half precision"},
    {"pipe_xu_share", "fraction", "instructions", {"sm__inst_executed_pipe_xu.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: transcendental functions, conversions, bit counts"},
    {"pipe_fp64_share", "fraction", "instructions", {"sm__inst_executed_pipe_fp64.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: double precision"},
    {"pipe_uniform_share", "fraction", "instructions", {"sm__inst_executed_pipe_uniform.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: uniform datapath"},
    {"pipe_tensor_share", "fraction", "instructions", {"sm__inst_executed_pipe_tensor.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: tensor cores"},
    {"pipe_lsu_share", "fraction", "instructions", {"sm__inst_executed_pipe_lsu.sum"}, {kInst}, 1.0, "warp instructions of the pipe over all: global, local and generic memory"},
    {"pipe_mio_share", "fraction", "instructions", {"model__inst_executed_pipe_mio.sum"}, {kInst}, 1.0, "shared memory, shuffles and what else is queued to shared units, over all"},
    {"pipe_none_share", "fraction", "instructions", {"model__inst_executed_pipe_none.sum"}, {kInst}, 1.0, "branches, barriers, NOP over all warp instructions"},
    {"pipe_tensor_per_cycle", "inst/cycle", "instructions", {"sm__inst_executed_pipe_tensor.sum"}, {kSmCycles}, 1.0, "tensor instructions per cycle of an active SM"},
    {"pipe_fma_per_cycle", "inst/cycle", "instructions", {"sm__inst_executed_pipe_fma.sum"}, {kSmCycles}, 1.0, "FP32 instructions per cycle of an active SM"},
    {"threads_per_inst", "thread", "divergence", {kThreadInst}, {kInst}, 1.0, "lanes whose guard was true per warp instruction, 0 to 32"},
    {"lane_efficiency", "fraction", "divergence", {kThreadInst}, {kInst}, 1.0 / 32, "the same over 32"},
    {"stall_branch_resolving_per_inst", "cycle/inst", "divergence", {"smsp__warps_issue_stalled_branch_resolving.sum"}, {kInst}, 1.0, "warp-cycles that wait for a branch target, per warp instruction"},
    {"stall_selected_share", "fraction", "stalls", {"stall.selected"}, {}, 1.0, "of warp-cycles: issued in this cycle"},
    {"stall_wait_share", "fraction", "stalls", {"stall.wait"}, {}, 1.0, "of warp-cycles: waits out a fixed-latency dependency"},
    {"stall_long_scoreboard_share", "fraction", "stalls", {"stall.long_scoreboard"}, {}, 1.0, "of warp-cycles: waits for global or local memory"},
    {"stall_short_scoreboard_share", "fraction", "stalls", {"stall.short_scoreboard"}, {}, 1.0, "of warp-cycles: waits for shared memory, special functions, or another variable latency"},
    {"stall_barrier_share", "fraction", "stalls", {"stall.barrier"}, {}, 1.0, "of warp-cycles: waits at a CTA barrier"},
    {"stall_math_pipe_throttle_share", "fraction", "stalls", {"stall.math_pipe_throttle"}, {}, 1.0, "of warp-cycles: its execution pipe is busy"},
    {"stall_lg_throttle_share", "fraction", "stalls", {"stall.lg_throttle"}, {}, 1.0, "of warp-cycles: the queue for global and local memory is full"},
    {"stall_mio_throttle_share", "fraction", "stalls", {"stall.mio_throttle"}, {}, 1.0, "of warp-cycles: the queue for shared memory and special instructions is full"},
    {"stall_dispatch_stall_share", "fraction", "stalls", {"stall.dispatch_stall"}, {}, 1.0, "of warp-cycles: the register file's read ports are taken"},
    {"stall_imc_miss_share", "fraction", "stalls", {"stall.imc_miss"}, {}, 1.0, "of warp-cycles: constant cache miss"},
    {"stall_no_instruction_share", "fraction", "stalls", {"stall.no_instruction"}, {}, 1.0, "of warp-cycles: instruction cache miss, or not fetched yet after launch"},
    {"stall_branch_resolving_share", "fraction", "stalls", {"stall.branch_resolving"}, {}, 1.0, "of warp-cycles: waits for a branch target"},
    {"stall_sleeping_share", "fraction", "stalls", {"stall.sleeping"}, {}, 1.0, "of warp-cycles: NANOSLEEP"},
    {"stall_not_selected_share", "fraction", "stalls", {"stall.not_selected"}, {}, 1.0, "of warp-cycles: ready, but another warp issued"},
    {"stall_cycles_per_inst", "cycle/inst", "stalls", {kWarpCycles}, {kInst}, 1.0, "warp-cycles per warp instruction: the mean distance of a warp's issues"},
    {"stall_long_scoreboard_per_inst", "cycle/inst", "stalls", {"smsp__warps_issue_stalled_long_scoreboard.sum"}, {kInst}, 1.0, "warp-cycles of long_scoreboard per warp instruction"},
    {"stall_short_scoreboard_per_inst", "cycle/inst", "stalls", {"smsp__warps_issue_stalled_short_scoreboard.sum"}, {kInst}, 1.0, "warp-cycles of short_scoreboard per warp instruction"},
    {"stall_barrier_per_inst", "cycle/inst", "stalls", {"smsp__warps_issue_stalled_barrier.sum"}, {kInst}, 1.0, "warp-cycles of barrier per warp instruction"},
    {"stall_wait_per_inst", "cycle/inst", "stalls", {"smsp__warps_issue_stalled_wait.sum"}, {kInst}, 1.0, "warp-cycles of wait per warp instruction"},
    {"warps_active", "warp", "occupancy", {kWarpCycles}, {kSmCycles}, 1.0, "resident warps of an SM that is active"},
    {"achieved_occupancy", "fraction", "occupancy", {"sm__warps_active.avg.per_cycle_active"}, {"launch.max_warps_per_sm"}, 1.0, "resident warps of an active SM over those it can hold"},
    {"theoretical_occupancy", "fraction", "occupancy", {"launch.warps_per_sm"}, {"launch.max_warps_per_sm"}, 1.0, "warps of the CTAs that fit over those an SM can hold"},
    {"occupancy_reached", "fraction", "occupancy", {"sm__warps_active.avg.per_cycle_active"}, {"launch.warps_per_sm"}, 1.0, "resident warps of an active SM over those that fit"},
    {"ctas_per_sm", "CTA", "occupancy", {"launch.ctas_per_sm"}, {}, 1.0, "CTAs that fit in an SM"},
    {"warps_per_sm", "warp", "occupancy", {"launch.warps_per_sm"}, {}, 1.0, "warps of the CTAs that fit in an SM"},
    {"waves", "wave", "occupancy", {"launch.waves"}, {}, 1.0, "CTAs of the grid over those that fit in the chip"},
    {"tail_wave_share", "fraction", "occupancy", {"launch.tail_wave_share"}, {}, 1.0, "how much of the last wave is filled: above 0 to 1"},
    {"ctas_launched", "CTA", "occupancy", {"sm__ctas_launched.sum"}, {}, 1.0, "CTAs launched"},
    {"global_load_requests", "request", "L1", {kLoads}, {}, 1.0, "warp instructions that load global memory"},
    {"global_load_sectors", "sector", "L1", {kLoadSectors}, {}, 1.0, "sectors that they ask for"},
    {"global_load_sectors_per_request", "sector/request", "L1", {kLoadSectors}, {kLoads}, 1.0, "coalescing of loads: 4 for 32 lanes of 4 bytes in a row"},
    {"global_store_requests", "request", "L1", {kStores}, {}, 1.0, "warp instructions that store to global memory"},
    {"global_store_sectors", "sector", "L1", {kStoreSectors}, {}, 1.0, "sectors that they write"},
    {"global_store_sectors_per_request", "sector/request", "L1", {kStoreSectors}, {kStores}, 1.0, "coalescing of stores"},
    {"global_loads_per_inst", "request/inst", "L1", {kLoads}, {kInst}, 1.0, "global loads per warp instruction"},
    {"global_stores_per_inst", "request/inst", "L1", {kStores}, {kInst}, 1.0, "global stores per warp instruction"},
    {"global_bytes_per_thread", "byte", "L1", {kLoadSectors, kStoreSectors}, {kThreads}, 32.0, "bytes of the sectors of global loads and stores per thread"},
    {"l1_hit_rate", "fraction", "L1", {kL1Hits}, {kL1Hits, kL1Misses}, 1.0, "sectors of loads that L1 held over all of them"},
    {"l1_miss_sectors", "sector", "L1", {kL1Misses}, {}, 1.0, "sectors of loads that L1 did not hold"},
    {"l1_sectors_per_cycle", "sector/cycle", "L1", {kL1Hits, kL1Misses}, {kSmCycles}, 1.0, "sectors looked up for loads per cycle of an active SM"},
    {"local_load_sectors", "sector", "L1", {kLocalLoads}, {}, 1.0, "sectors of local memory loaded: spills and arrays"},
    {"local_store_sectors", "sector", "L1", {kLocalStores}, {}, 1.0, "sectors of local memory stored"},
    {"local_sector_share", "fraction", "L1", {kLocalLoads, kLocalStores}, {kLocalLoads, kLocalStores, kLoadSectors}, 1.0, "local sectors over local sectors and those of global loads"},
    {"shared_loads", "inst", "shared", {kSharedLoads}, {}, 1.0, "warp instructions that load shared memory"},
    {"shared_stores", "inst", "shared", {kSharedStores}, {}, 1.0, "warp instructions that store to shared memory"},
    {"shared_accesses_per_inst", "fraction", "shared", {kSharedLoads, kSharedStores}, {kInst}, 1.0, "shared loads and stores over all warp instructions"},
    {"shared_wavefronts", "wavefront", "shared", {kWavefronts}, {}, 1.0, "passes through the data stage"},
    {"shared_wavefronts_per_cycle", "wavefront/cycle", "shared", {kWavefronts}, {kSmCycles}, 1.0, "passes per cycle of an active SM, at most 1"},
    {"shared_wavefronts_per_access", "wavefront/inst", "shared", {kWavefronts}, {kSharedLoads, kSharedStores}, 1.0, "passes per shared load or store"},
    {"bank_conflicts", "wavefront", "shared", {kConflicts}, {}, 1.0, "passes beyond those of the same access without conflicts"},
    {"bank_conflict_share", "fraction", "shared", {kConflicts}, {kWavefronts}, 1.0, "the same over all passes"},
    {"l2_read_sectors", "sector", "L2", {kL2Reads}, {}, 1.0, "sectors that loads ask L2 for"},
    {"l2_write_sectors", "sector", "L2", {kL2Writes}, {}, 1.0, "sectors that stores write to L2"},
    {"l2_atomic_sectors", "sector", "L2", {kL2Atomics}, {}, 1.0, "sectors that atomics and reductions change in L2"},
    {"l2_read_hit_rate", "fraction", "L2", {"lts__t_sectors_op_read_lookup_hit.sum"}, {kL2Reads}, 1.0, "sectors of loads that L2 held over those asked for"},
    {"l2_read_misses", "sector", "L2", {"lts__t_sectors_op_read_lookup_miss.sum"}, {}, 1.0, "sectors of loads that L2 did not hold"},
    {"l2_other_partition_share", "fraction", "L2", {"lts__t_sectors_srcunit_ltcfabric.sum"}, {kL2Reads}, 1.0, "sectors that loads fetched from the other L2 partition over those asked for"},
    {"l2_bytes_per_cycle", "byte/cycle", "L2", {kL2Reads, kL2Writes, kL2Atomics}, {kElapsed}, 32.0, "bytes of all L2 sectors per elapsed cycle"},
    {"l2_write_share", "fraction", "L2", {kL2Writes}, {kL2Reads, kL2Writes, kL2Atomics}, 1.0, "write sectors over all L2 sectors"},
    {"l2_sectors_per_inst", "sector/inst", "L2", {kL2Reads, kL2Writes, kL2Atomics}, {kInst}, 1.0, "L2 sectors per warp instruction"},
    {"dram_read_bytes", "byte", "DRAM", {kDramReads}, {}, 1.0, "bytes that L2 reads from DRAM"},
    {"dram_write_bytes", "byte", "DRAM", {kDramWrites}, {}, 1.0, "bytes that L2 writes to DRAM"},
    {"dram_bytes_per_cycle", "byte/cycle", "DRAM", {kDramReads, kDramWrites}, {kElapsed}, 1.0, "bytes of both directions per elapsed SM cycle"},
    {"dram_gb_per_s", "GB/s", "DRAM", {kDramReads, kDramWrites}, {kTimeMs}, 1e-06, "10^9 bytes of both directions per second"},
    {"dram_write_share", "fraction", "DRAM", {kDramWrites}, {kDramReads, kDramWrites}, 1.0, "bytes written over bytes of both directions"},
    {"dram_bytes_per_inst", "byte/inst", "DRAM", {kDramReads, kDramWrites}, {kInst}, 1.0, "bytes of both directions per warp instruction"},
    {"dram_bytes_per_thread", "byte", "DRAM", {kDramReads, kDramWrites}, {kThreads}, 1.0, "bytes of both directions per thread"},
    {"inst_per_dram_byte", "inst/byte", "DRAM", {kInst}, {kDramReads, kDramWrites}, 1.0, "warp instructions per DRAM byte: arithmetic intensity"},
    {"dram_row_hit_rate", "fraction", "DRAM", {"model__dram_row_hits.sum"}, {"model__dram_row_hits.sum", "model__dram_row_misses.sum"}, 1.0, "accesses to an open row over all; the hardware does not report it"},
    {"icc_requests", "request", "fetch", {"sm__icc_requests.sum"}, {}, 1.0, "instruction lines that sub-cores asked the SM's cache for"},
    {"icc_miss_rate", "fraction", "fetch", {"sm__icc_requests_lookup_miss.sum"}, {"sm__icc_requests.sum"}, 1.0, "of them: lines that the SM's instruction cache lacked"},
    {"icc_requests_per_inst", "request/inst", "fetch", {"sm__icc_requests.sum"}, {kInst}, 1.0, "instruction lines asked for per warp instruction"},
    {"constant_misses_per_inst", "request/inst", "fetch", {"model__imc_requests_lookup_miss.sum"}, {kInst}, 1.0, "constant operands that the constant cache lacked per warp instruction; the hardware does not report it"},
    {"grid_x", "CTA", "launch", {"launch.grid_x"}, {}, 1.0, "grid, x"},
    {"grid_y", "CTA", "launch", {"launch.grid_y"}, {}, 1.0, "grid, y"},
    {"grid_z", "CTA", "launch", {"launch.grid_z"}, {}, 1.0, "grid, z"},
    {"block_x", "thread", "launch", {"launch.block_x"}, {}, 1.0, "CTA, x"},
    {"block_y", "thread", "launch", {"launch.block_y"}, {}, 1.0, "CTA, y"},
    {"block_z", "thread", "launch", {"launch.block_z"}, {}, 1.0, "CTA, z"},
    {"ctas", "CTA", "launch", {"launch.ctas"}, {}, 1.0, "CTAs of the grid"},
    {"threads_per_cta", "thread", "launch", {"launch.threads_per_cta"}, {}, 1.0, "threads of a CTA"},
    {"warps_per_cta", "warp", "launch", {"launch.warps_per_cta"}, {}, 1.0, "warps of a CTA, a partial one counts whole"},
    {"threads", "thread", "launch", {kThreads}, {}, 1.0, "threads of the grid"},
    {"registers", "register", "resources", {"launch.registers"}, {}, 1.0, "32-bit registers per thread"},
    {"registers_per_cta", "register", "resources", {"launch.registers_per_cta"}, {}, 1.0, "registers times threads of a CTA"},
    {"static_shared_bytes", "byte", "resources", {"launch.static_shared_bytes"}, {}, 1.0, "static shared memory of a CTA"},
    {"dynamic_shared_bytes", "byte", "resources", {"launch.dynamic_shared_bytes"}, {}, 1.0, "dynamic shared memory of a CTA"},
    {"shared_bytes", "byte", "resources", {"launch.static_shared_bytes", "launch.dynamic_shared_bytes"}, {}, 1.0, "shared memory of a CTA"},
    {"shared_bytes_per_thread", "byte", "resources", {"launch.static_shared_bytes", "launch.dynamic_shared_bytes"}, {"launch.threads_per_cta"}, 1.0, "shared memory of a CTA over its threads"},
    {"spill_bytes", "byte", "resources", {"launch.spill_bytes"}, {}, 1.0, "local memory per thread"},
    {"code_instructions", "inst", "code", {kCode}, {}, 1.0, "instructions of the kernel's section, padding included"},
    {"code_bytes", "byte", "code", {"code.bytes"}, {}, 1.0, "size of the kernel's section"},
    {"code_int_share", "fraction", "code", {"code.int"}, {kCode}, 1.0, "static share of: integer add, multiply, minimum, address"},
    {"code_logic_share", "fraction", "code", {"code.logic"}, {kCode}, 1.0, "static share of: bitwise logic, shifts, byte permutes"},
    {"code_move_share", "fraction", "code", {"code.move"}, {kCode}, 1.0, "static share of: moves, selects, special registers"},
    {"code_compare_share", "fraction", "code", {"code.compare"}, {kCode}, 1.0, "static share of: compare and set predicate or value"},
    {"code_fp32_share", "fraction", "code", {"code.fp32"}, {kCode}, 1.0, "static share of: FP32 arithmetic"},
    {"code_fp64_share", "fraction", "code", {"code.fp64"}, {kCode}, 1.0, "static share of: FP64 arithmetic"},
    {"code_fp16_share", "fraction", "code", {"code.fp16"}, {kCode}, 1.0, "static share of: packed half-precision arithmetic"},
    {"code_tensor_share", "fraction", "code", {"code.tensor"}, {kCode}, 1.0, "static share of: tensor core"},
    {"code_transcendental_share", "fraction", "code", {"code.transcendental"}, {kCode}, 1.0, "static share of: MUFU"},
    {"code_bit_count_share", "fraction", "code", {"code.bit_count"}, {kCode}, 1.0, "static share of: POPC, FLO, BREV"},
    {"code_conversion_share", "fraction", "code", {"code.conversion"}, {kCode}, 1.0, "static share of: conversions between types"},
    {"code_uniform_share", "fraction", "code", {"code.uniform"}, {kCode}, 1.0, "static share of: uniform datapath"},
    {"code_warp_exchange_share", "fraction", "code", {"code.warp_exchange"}, {kCode}, 1.0, "static share of: shuffles, votes, matches, reductions of a warp"},
    {"code_global_loads_share", "fraction", "code", {"code.global_loads"}, {kCode}, 1.0, "static share of: LDG"},
    {"code_global_stores_share", "fraction", "code", {"code.global_stores"}, {kCode}, 1.0, "static share of: STG"},
    {"code_generic_loads_share", "fraction", "code", {"code.generic_loads"}, {kCode}, 1.0, "static share of: LD"},
    {"code_generic_stores_share", "fraction", "code", {"code.generic_stores"}, {kCode}, 1.0, "static share of: ST"},
    {"code_local_loads_share", "fraction", "code", {"code.local_loads"}, {kCode}, 1.0, "static share of: LDL"},
    {"code_local_stores_share", "fraction", "code", {"code.local_stores"}, {kCode}, 1.0, "static share of: STL"},
    {"code_shared_loads_share", "fraction", "code", {"code.shared_loads"}, {kCode}, 1.0, "static share of: LDS, LDSM"},
    {"code_shared_stores_share", "fraction", "code", {"code.shared_stores"}, {kCode}, 1.0, "static share of: STS"},
    {"code_constant_loads_share", "fraction", "code", {"code.constant_loads"}, {kCode}, 1.0, "static share of: LDC"},
    {"code_async_copies_share", "fraction", "code", {"code.async_copies"}, {kCode}, 1.0, "static share of: LDGSTS"},
    {"code_atomics_share", "fraction", "code", {"code.atomics"}, {kCode}, 1.0, "static share of: atomics and reductions"},
    {"code_barriers_share", "fraction", "code", {"code.barriers"}, {kCode}, 1.0, "static share of: BAR"},
    {"code_memory_order_share", "fraction", "code", {"code.memory_order"}, {kCode}, 1.0, "static share of: fences, cache control, dependency barriers"},
    {"code_branches_share", "fraction", "code", {"code.branches"}, {kCode}, 1.0, "static share of: BRA, BRX"},
    {"code_calls_share", "fraction", "code", {"code.calls"}, {kCode}, 1.0, "static share of: calls and returns"},
    {"code_exits_share", "fraction", "code", {"code.exits"}, {kCode}, 1.0, "static share of: EXIT"},
    {"code_convergence_share", "fraction", "code", {"code.convergence"}, {kCode}, 1.0, "static share of: BSSY, BSYNC, WARPSYNC and their like"},
    {"code_nop_share", "fraction", "code", {"code.nop"}, {kCode}, 1.0, "static share of: NOP"},
    {"code_other_control_share", "fraction", "code", {"code.other_control"}, {kCode}, 1.0, "static share of: NANOSLEEP, BPT, PMTRIG, QSPC"},
    {"code_loads_1b", "inst", "code", {"code.loads_1b"}, {}, 1.0, "loads of 1 byte per lane, every space, asynchronous copies included"},
    {"code_loads_2b", "inst", "code", {"code.loads_2b"}, {}, 1.0, "loads of 2 bytes per lane, every space, asynchronous copies included"},
    {"code_loads_4b", "inst", "code", {"code.loads_4b"}, {}, 1.0, "loads of 4 bytes per lane, every space, asynchronous copies included"},
    {"code_loads_8b", "inst", "code", {"code.loads_8b"}, {}, 1.0, "loads of 8 bytes per lane, every space, asynchronous copies included"},
    {"code_loads_16b", "inst", "code", {"code.loads_16b"}, {}, 1.0, "loads of 16 bytes per lane, every space, asynchronous copies included"},
    {"code_stores_1b", "inst", "code", {"code.stores_1b"}, {}, 1.0, "stores of 1 byte per lane, every space"},
    {"code_stores_2b", "inst", "code", {"code.stores_2b"}, {}, 1.0, "stores of 2 bytes per lane, every space"},
    {"code_stores_4b", "inst", "code", {"code.stores_4b"}, {}, 1.0, "stores of 4 bytes per lane, every space"},
    {"code_stores_8b", "inst", "code", {"code.stores_8b"}, {}, 1.0, "stores of 8 bytes per lane, every space"},
    {"code_stores_16b", "inst", "code", {"code.stores_16b"}, {}, 1.0, "stores of 16 bytes per lane, every space"},
    {"code_matrix_loads", "inst", "code", {"code.matrix_loads"}, {}, 1.0, "LDSM"},
    {"code_ffma_share", "fraction", "code", {"code.ffma"}, {kCode}, 1.0, "static share of FFMA"},
    {"code_integer_multiply_share", "fraction", "code", {"code.integer_multiply"}, {kCode}, 1.0, "static share of IMAD, moves written as IMAD included"},
    {"code_predicated_share", "fraction", "code", {"code.predicated"}, {kCode}, 1.0, "instructions with a guard"},
    {"code_backward_branches", "inst", "code", {"code.backward_branches"}, {}, 1.0, "branches to a lower address: loops"},
    {"code_reused_operands_per_inst", "operand/inst", "code", {"code.reused_operands"}, {kCode}, 1.0, "operands kept in the register-file cache per instruction"},
    {"code_barrier_waits_share", "fraction", "code", {"code.barrier_waits"}, {kCode}, 1.0, "instructions that wait for a dependence counter"},
    {"code_yields_share", "fraction", "code", {"code.yields"}, {kCode}, 1.0, "instructions with the yield hint"},
    {"code_stall_cycles_per_inst", "cycle/inst", "code", {"code.stall_cycles"}, {kCode}, 1.0, "stall counts of the control words per instruction"},
};
// clang-format on

} // namespace

std::span<const Feature> feature_table() {
  return kFeatures;
}

} // namespace coulomb::eval
