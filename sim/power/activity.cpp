// SPDX-License-Identifier: Apache-2.0
#include "sim/power/activity.hpp"

namespace coulomb::power {
namespace {

using E = config::EnergyConfig;

constexpr std::array<std::string_view, kComponents> kNames = {"board",
                                                              "dram_background",
                                                              "dram_access",
                                                              "leakage",
                                                              "clock_tree",
                                                              "sm_active",
                                                              "instruction_issue",
                                                              "register_file",
                                                              "integer",
                                                              "floating_point",
                                                              "tensor",
                                                              "l1_shared",
                                                              "l2",
                                                              "crossbar"};

constexpr double kSectorBytes = 32.0;
constexpr double kSubBanks = 8.0;

constexpr Event kEvents[] = {
    {"sm__cycles_active.sum", &E::sm_cycle_pj, Component::sm_active, true},
    {"smsp__inst_executed.sum", &E::instruction_pj, Component::instruction_issue, true},
    {"model__register_reads.sum", &E::register_read_pj, Component::register_file, true},
    {"model__register_writes.sum", &E::register_write_pj, Component::register_file, true},
    // Of the eight sub-banks of a register, those that compression leaves alone.
    {"model__register_sub_bank_accesses_saved.sum", &E::register_read_pj, Component::register_file,
     true, -1.0 / kSubBanks},
    {"sm__inst_executed_pipe_alu.sum", &E::integer_pj, Component::integer, true},
    {"sm__inst_executed_pipe_uniform.sum", &E::uniform_pj, Component::integer, true},
    {"sm__inst_executed_pipe_fmaheavy.sum", &E::fp32_pj, Component::integer, true},
    {"sm__inst_executed_pipe_fma.sum", &E::fp32_pj, Component::floating_point, true},
    {"sm__inst_executed_pipe_fp16.sum", &E::fp16_pj, Component::floating_point, true},
    {"sm__inst_executed_pipe_fp64.sum", &E::fp64_pj, Component::floating_point, true},
    {"sm__inst_executed_pipe_xu.sum", &E::special_pj, Component::floating_point, true},
    {"sm__inst_executed_pipe_tensor.sum", &E::tensor_pj, Component::tensor, true},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", &E::shared_wavefront_pj,
     Component::l1_shared, true},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", &E::l1_sector_pj, Component::l1_shared,
     true},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", &E::l1_sector_pj, Component::l1_shared,
     true},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", &E::l1_sector_pj, Component::l1_shared, true},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", &E::l1_sector_pj, Component::l1_shared, true},
    {"lts__t_sectors_op_read.sum", &E::l2_read_pj, Component::l2, true},
    {"lts__t_sectors_op_write.sum", &E::l2_write_pj, Component::l2, true},
    {"lts__t_sectors_op_atom.sum", &E::l2_write_pj, Component::l2, true},
    // A sector that L2 brings in is written to its data array; one that it writes back is read.
    {"dram__bytes_read.sum", &E::l2_write_pj, Component::l2, true, 1.0 / kSectorBytes},
    {"dram__bytes_write.sum", &E::l2_read_pj, Component::l2, true, 1.0 / kSectorBytes},
    {"lts__t_sectors_op_read.sum", &E::crossbar_sector_pj, Component::crossbar, true},
    {"lts__t_sectors_op_write.sum", &E::crossbar_sector_pj, Component::crossbar, true},
    {"lts__t_sectors_op_atom.sum", &E::crossbar_sector_pj, Component::crossbar, true},
    {"lts__t_sectors_srcunit_ltcfabric.sum", &E::crossbar_sector_pj, Component::crossbar, true},
    {"dram__bytes_read.sum", &E::dram_byte_pj, Component::dram_access, false},
    {"dram__bytes_write.sum", &E::dram_byte_pj, Component::dram_access, false},
};

constexpr double kPicojoule = 1e-12;

} // namespace

std::string_view component_name(Component component) {
  return kNames[static_cast<std::size_t>(component)];
}

std::span<const Event> event_table() {
  return kEvents;
}

double Activity::active_sm_cycles() const {
  const auto cycles = counters.find("sm__cycles_active.sum");
  return cycles == counters.end() ? 0.0 : cycles->second;
}

Activity
activity_of(const std::map<std::string, double>& counters, double time_ms, double sm_clock_mhz) {
  return {time_ms / 1000.0, sm_clock_mhz, counters};
}

EventEnergy event_energy(const config::EnergyConfig& energy, const Activity& activity) {
  EventEnergy result;
  for (const Event& event : kEvents) {
    const auto counter = activity.counters.find(std::string(event.metric));
    if (counter == activity.counters.end()) {
      continue;
    }
    const double joules = counter->second * event.events * energy.*event.energy_pj * kPicojoule;
    if (event.of_core) {
      result.core_j[static_cast<std::size_t>(event.component)] += joules;
    } else {
      result.dram_j += joules;
    }
  }
  return result;
}

} // namespace coulomb::power
