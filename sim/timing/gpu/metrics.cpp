// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/metrics.hpp"

#include "sim/timing/instruction_timing.hpp"
#include "sim/timing/types.hpp"

namespace coulomb::timing::gpu {
namespace {

struct SmMetric {
  const char* name;
  std::uint64_t SmCounters::*field;
};
constexpr SmMetric kSmMetrics[] = {
    {"smsp__inst_executed.sum", &SmCounters::warp_instructions},
    {"smsp__thread_inst_executed.sum", &SmCounters::thread_instructions},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", &SmCounters::global_load_requests},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", &SmCounters::global_store_requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &SmCounters::global_load_sectors},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &SmCounters::global_store_sectors},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", &SmCounters::local_load_sectors},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", &SmCounters::local_store_sectors},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", &SmCounters::shared_wavefronts},
    {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", &SmCounters::shared_conflicts},
    {"sm__ctas_launched.sum", &SmCounters::ctas},
};

struct MemoryMetric {
  const char* name;
  std::uint64_t MemoryCounters::*field;
  double factor;
};
constexpr MemoryMetric kMemoryMetrics[] = {
    {"lts__t_sectors_op_read.sum", &MemoryCounters::l2_read_sectors, 1.0},
    {"lts__t_sectors_op_write.sum", &MemoryCounters::l2_write_sectors, 1.0},
    {"lts__t_sectors_op_atom.sum", &MemoryCounters::l2_atomic_sectors, 1.0},
    {"dram__bytes_read.sum", &MemoryCounters::dram_read_sectors, kSectorBytes},
    {"dram__bytes_write.sum", &MemoryCounters::dram_write_sectors, kSectorBytes},
};

struct PipeMetric {
  const char* name;
  Pipe pipe;
};
constexpr PipeMetric kPipeMetrics[] = {
    {"sm__inst_executed_pipe_fma.sum", Pipe::fma},
    {"sm__inst_executed_pipe_fmaheavy.sum", Pipe::imad},
    {"sm__inst_executed_pipe_alu.sum", Pipe::alu},
    {"sm__inst_executed_pipe_fp16.sum", Pipe::half},
    {"sm__inst_executed_pipe_xu.sum", Pipe::xu},
    {"sm__inst_executed_pipe_fp64.sum", Pipe::fp64},
    {"sm__inst_executed_pipe_lsu.sum", Pipe::lsu},
    {"sm__inst_executed_pipe_tensor.sum", Pipe::tensor},
    {"sm__inst_executed_pipe_uniform.sum", Pipe::uniform},
};

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

} // namespace

std::map<std::string, double>
named_counters(const SmCounters& sm, const MemoryCounters& memory, double scale) {
  std::map<std::string, double> out;
  for (const auto& m : kSmMetrics) {
    out[m.name] = static_cast<double>(sm.*m.field) * scale;
  }
  for (const auto& m : kMemoryMetrics) {
    out[m.name] = static_cast<double>(memory.*m.field) * m.factor * scale;
  }
  for (const auto& m : kPipeMetrics) {
    out[m.name] =
        static_cast<double>(sm.pipe_instructions[static_cast<std::size_t>(m.pipe)]) * scale;
  }
  out["l1tex__t_sector_hit_rate.ratio"] =
      ratio(sm.l1_sector_hits, sm.l1_sector_hits + sm.l1_sector_misses);
  out["lts__t_sector_op_read_hit_rate.ratio"] =
      ratio(memory.l2_sector_hits, memory.l2_read_sectors);
  out["sm__warps_active.avg.per_cycle_active"] = ratio(sm.warp_cycles, sm.active_cycles);
  out["sm__inst_executed.avg.per_cycle_active"] = ratio(sm.warp_instructions, sm.active_cycles);
  return out;
}

std::map<std::string, double> stall_shares(const SmCounters& sm) {
  std::uint64_t total = 0;
  for (const auto c : sm.stall_cycles) {
    total += c;
  }
  std::map<std::string, double> out;
  if (total == 0) {
    return out;
  }
  for (int i = 0; i < kStallReasons; ++i) {
    out[std::string(kStallReasonNames[static_cast<std::size_t>(i)])] =
        static_cast<double>(sm.stall_cycles[static_cast<std::size_t>(i)]) /
        static_cast<double>(total);
  }
  return out;
}

} // namespace coulomb::timing::gpu
