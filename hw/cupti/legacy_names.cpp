// SPDX-License-Identifier: Apache-2.0
#include "hw/cupti/legacy_names.hpp"

namespace coulomb::hw {
namespace {

constexpr LegacyName kNames[] = {
    {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"},
    {"dram_read_bytes", "dram__bytes_read.sum"},
    {"dram_read_throughput", "dram__bytes_read.sum.per_second"},
    {"dram_utilization", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
    {"dram_write_bytes", "dram__bytes_write.sum"},
    {"dram_write_throughput", "dram__bytes_write.sum.per_second"},
    {"elapsed_cycles_sm", "sm__cycles_elapsed.max"},
    {"gld_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"},
    {"gld_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_ld.sum.per_second"},
    {"gld_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {"gld_transactions_per_request",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"},
    {"global_hit_rate", "l1tex__t_sector_hit_rate.pct"},
    {"gst_efficiency", "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"},
    {"gst_throughput", "l1tex__t_bytes_pipe_lsu_mem_global_op_st.sum.per_second"},
    {"gst_transactions", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {"gst_transactions_per_request",
     "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"},
    {"inst_executed", "smsp__inst_executed.sum"},
    {"inst_per_warp", "smsp__average_inst_executed_per_warp.ratio"},
    {"ipc", "sm__inst_executed.avg.per_cycle_active"},
    {"issued_ipc", "sm__inst_issued.avg.per_cycle_active"},
    {"l2_read_transactions", "lts__t_sectors_op_read.sum"},
    {"l2_tex_hit_rate", "lts__t_sector_hit_rate.pct"},
    {"l2_write_transactions", "lts__t_sectors_op_write.sum"},
    {"shared_ld_bank_conflict", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {"shared_st_bank_conflict", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {"sm_efficiency", "smsp__cycles_active.avg.pct_of_peak_sustained_elapsed"},
    {"stall_memory_dependency", "smsp__warp_issue_stalled_long_scoreboard_per_warp_active.pct"},
    {"stall_sync", "smsp__warp_issue_stalled_barrier_per_warp_active.pct"},
    {"warp_execution_efficiency", "smsp__average_thread_inst_executed_per_inst_executed.pct"},
};

} // namespace

std::span<const LegacyName> legacy_names() {
  return kNames;
}

const LegacyName* find_legacy_name(std::string_view name) {
  for (const LegacyName& row : kNames) {
    if (name == row.nvprof) {
      return &row;
    }
  }
  return nullptr;
}

} // namespace coulomb::hw
