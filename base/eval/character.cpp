// SPDX-License-Identifier: Apache-2.0
#include "base/eval/character.hpp"

#include <algorithm>

namespace coulomb::eval {
namespace {

/// Reads counters; one that is not there counts nothing.
struct Counters {
  const SimOutcome& outcome;
  double operator()(const char* name) const {
    const auto it = outcome.counters.find(name);
    return it == outcome.counters.end() ? 0.0 : it->second;
  }
};

/// Work of the whole grid, and how much of it the chip does per SM cycle.
struct Part {
  const char* name;
  double (*work)(const Counters& count, const config::GpuConfig& gpu);
  double (*per_cycle)(const config::GpuConfig& gpu);
};

double subcores(const config::GpuConfig& gpu) {
  return static_cast<double>(gpu.sms) * gpu.sm.warp_schedulers;
}

/// Warp instructions per SM cycle of a pipe that every sub-core has.
double rate(const config::GpuConfig& gpu, std::uint32_t units, std::uint32_t interval) {
  return subcores(gpu) * units / std::max(1U, interval);
}

constexpr double kSector = 32.0; // bytes; the unit of the sector counters

constexpr Part kParts[] = {
    {"DRAM",
     [](const Counters& count, const config::GpuConfig&) {
       return count("dram__bytes_read.sum") + count("dram__bytes_write.sum");
     },
     [](const config::GpuConfig& gpu) { // GB/s over MHz: 1000 bytes a cycle
       return 1e3 * gpu.dram.channels * gpu.dram.channel_gbps / gpu.sm_clock_mhz;
     }},
    {"L2",
     [](const Counters& count, const config::GpuConfig&) {
       return kSector *
              (count("lts__t_sectors_op_read.sum") + count("lts__t_sectors_op_write.sum") +
               count("lts__t_sectors_op_atom.sum"));
     },
     [](const config::GpuConfig& gpu) {
       return static_cast<double>(gpu.l2.slices) * gpu.l2.slice_bytes_per_cycle;
     }},
    {"L1",
     [](const Counters& count, const config::GpuConfig&) {
       return kSector * (count("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") +
                         count("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum") +
                         count("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") +
                         count("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"));
     },
     [](const config::GpuConfig& gpu) {
       return static_cast<double>(gpu.sms) * gpu.sm.lsu.bytes_per_cycle;
     }},
    {"shared memory",
     [](const Counters& count, const config::GpuConfig&) {
       return count("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
     },
     [](const config::GpuConfig& gpu) { return static_cast<double>(gpu.sms); }},
    {"FP32 pipe", // integer multiply-adds share its units, at their own rate
     [](const Counters& count, const config::GpuConfig& gpu) {
       const auto& pipes = gpu.sm.pipes;
       return count("sm__inst_executed_pipe_fma.sum") +
              count("sm__inst_executed_pipe_fmaheavy.sum") * pipes.imad.interval /
                  std::max(1U, pipes.fma.interval);
     },
     [](const config::GpuConfig& gpu) {
       return rate(gpu, gpu.sm.pipes.fma.units, gpu.sm.pipes.fma.interval);
     }},
    {"ALU pipe",
     [](const Counters& count, const config::GpuConfig&) {
       return count("sm__inst_executed_pipe_alu.sum");
     },
     [](const config::GpuConfig& gpu) {
       return rate(gpu, gpu.sm.pipes.alu.units, gpu.sm.pipes.alu.interval);
     }},
    {"FP16 pipe",
     [](const Counters& count, const config::GpuConfig&) {
       return count("sm__inst_executed_pipe_fp16.sum");
     },
     [](const config::GpuConfig& gpu) {
       return rate(gpu, gpu.sm.pipes.half.units, gpu.sm.pipes.half.interval);
     }},
    {"XU pipe",
     [](const Counters& count, const config::GpuConfig&) {
       return count("sm__inst_executed_pipe_xu.sum");
     },
     [](const config::GpuConfig& gpu) {
       return rate(gpu, gpu.sm.pipes.xu.units, gpu.sm.pipes.xu.interval);
     }},
    {"FP64 pipe",
     [](const Counters& count, const config::GpuConfig&) {
       return count("sm__inst_executed_pipe_fp64.sum");
     },
     [](const config::GpuConfig& gpu) {
       const auto& pipes = gpu.sm.pipes;
       return rate(gpu, pipes.fp64.units, pipes.fp64.interval) /
              (pipes.fp64_shared_by_sm ? gpu.sm.warp_schedulers : 1.0);
     }},
    {"tensor cores",
     [](const Counters& count, const config::GpuConfig&) {
       return count("sm__inst_executed_pipe_tensor.sum");
     },
     [](const config::GpuConfig& gpu) {
       return rate(gpu, gpu.sm.pipes.tensor.units, gpu.sm.pipes.tensor.interval);
     }},
    {"issue slots",
     [](const Counters& count, const config::GpuConfig&) {
       return count("smsp__inst_executed.sum");
     },
     subcores},
};

} // namespace

std::string Character::text() const {
  return limiter + "-bound" + (local_memory ? ", with local memory" : "");
}

std::vector<Utilization> utilizations(const SimOutcome& outcome, const config::GpuConfig& gpu) {
  std::vector<Utilization> all;
  const Counters count{outcome};
  for (const Part& part : kParts) {
    const double possible = part.per_cycle(gpu) * outcome.cycles;
    all.push_back({part.name, possible > 0.0 ? part.work(count, gpu) / possible : 0.0});
  }
  return all;
}

double core_utilization(const SimOutcome& outcome, const config::GpuConfig& gpu) {
  double share = 0.0;
  for (const Utilization& part : utilizations(outcome, gpu)) {
    share = part.part == "DRAM" ? share : std::max(share, part.busy);
  }
  return std::min(share, 1.0);
}

Character character_of(const SimOutcome& outcome, const config::GpuConfig& gpu) {
  const auto all = utilizations(outcome, gpu);
  const auto busiest =
      std::max_element(all.begin(), all.end(),
                       [](const Utilization& a, const Utilization& b) { return a.busy < b.busy; });
  const Counters count{outcome};
  Character character;
  character.utilization = busiest->busy;
  if (busiest->busy >= kLimitingUtilization) {
    character.limiter = busiest->part;
  }
  character.local_memory = count("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum") +
                               count("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum") >
                           0.0;
  return character;
}

} // namespace coulomb::eval
