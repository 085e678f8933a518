// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/config_of.hpp"
#include "base/config/field.hpp"

namespace coulomb::config {

template <class V, ConfigOf<VoltageConfig> C>
void describe(V& v, C& c) {
  v.field({"minimum_v", Unit::volts, 0.3, 2, "lowest voltage of the cores: v = 1"}, c.minimum_v);
  v.field({"clocks_mhz", Unit::megahertz, 1, 5000, "clocks of the voltage curve, ascending"},
          c.clocks_mhz);
  v.field({"permille", Unit::count, 500, 4000,
           "v at those clocks in thousandths; straight lines between and beyond the last two"},
          c.permille);
}

template <class V, ConfigOf<StaticPowerConfig> C>
void describe(V& v, C& c) {
  v.field({"board_w", Unit::watts, 0, 500,
           "regulators, fan, interfaces; not scaled by the cores' voltage"},
          c.board_w);
  v.field({"dram_background_w", Unit::watts, 0, 500,
           "DRAM that is powered and refreshed, without an access"},
          c.dram_background_w);
  v.field({"dram_sleep_w", Unit::watts, 0, 500, "DRAM in the idle state (P8), its clock lowered"},
          c.dram_sleep_w);
  v.field({"leakage_w", Unit::watts, 0, 500, "of the die at v = 1 and 30 C"}, c.leakage_w);
  v.field({"leakage_per_kelvin", Unit::per_kelvin, 0, 0.1,
           "rise of the leakage with temperature, linear from 30 C"},
          c.leakage_per_kelvin);
  v.field({"leakage_sm_share", Unit::count, 0, 1,
           "part of the leakage that the SMs have, evenly; the rest is uncore"},
          c.leakage_sm_share);
  v.field({"gated_leakage", Unit::count, 0, 1, "part of its leakage that a power-gated SM keeps"},
          c.gated_leakage);
  v.field({"clock_tree_w_per_ghz", Unit::watts_per_gigahertz, 0, 100,
           "clock tree at v = 1, idle or not"},
          c.clock_tree_w_per_ghz);
}

template <class V, ConfigOf<EnergyConfig> C>
void describe(V& v, C& c) {
  v.field({"sm_cycle_pj", Unit::picojoules, 0, 100000.0, "cycle of an SM with a resident warp"},
          c.sm_cycle_pj);
  v.field({"instruction_pj", Unit::picojoules, 0, 100000.0,
           "warp instruction fetched, decoded and scheduled"},
          c.instruction_pj);
  v.field({"register_read_pj", Unit::picojoules, 0, 100000.0,
           "operand of 32 lanes read from the register file"},
          c.register_read_pj);
  v.field({"register_write_pj", Unit::picojoules, 0, 100000.0,
           "operand of 32 lanes written to the register file"},
          c.register_write_pj);
  v.field({"integer_pj", Unit::picojoules, 0, 100000.0, "warp instruction of the ALU pipe"},
          c.integer_pj);
  v.field({"fp32_pj", Unit::picojoules, 0, 100000.0,
           "warp instruction of the FMA pipes, integer multiply-add included"},
          c.fp32_pj);
  v.field({"fp16_pj", Unit::picojoules, 0, 100000.0, "warp instruction of packed half precision"},
          c.fp16_pj);
  v.field({"fp64_pj", Unit::picojoules, 0, 100000.0, "warp instruction of double precision"},
          c.fp64_pj);
  v.field({"special_pj", Unit::picojoules, 0, 100000.0, "warp instruction of the XU"},
          c.special_pj);
  v.field({"uniform_pj", Unit::picojoules, 0, 100000.0, "instruction of the uniform datapath"},
          c.uniform_pj);
  v.field({"tensor_pj", Unit::picojoules, 0, 1000000.0, "warp instruction of the tensor core"},
          c.tensor_pj);
  v.field({"shared_wavefront_pj", Unit::picojoules, 0, 100000.0,
           "pass of shared memory through the data stage"},
          c.shared_wavefront_pj);
  v.field({"l1_sector_pj", Unit::picojoules, 0, 100000.0,
           "sector of global or local memory that passes L1"},
          c.l1_sector_pj);
  v.field({"l2_read_pj", Unit::picojoules, 0, 100000.0, "sector read from L2"}, c.l2_read_pj);
  v.field({"l2_write_pj", Unit::picojoules, 0, 100000.0, "sector written to L2, atomics included"},
          c.l2_write_pj);
  v.field({"crossbar_sector_pj", Unit::picojoules, 0, 100000.0,
           "sector that passes between an SM and L2"},
          c.crossbar_sector_pj);
  v.field({"dram_byte_pj", Unit::picojoules, 0, 10000.0,
           "byte between L2 and DRAM; not scaled by the cores' voltage"},
          c.dram_byte_pj);
}

template <class V, ConfigOf<PowerLimitConfig> C>
void describe(V& v, C& c) {
  v.field({"board_w", Unit::watts, 1, 2000, "power limit of the sensor's reading, as delivered"},
          c.board_w);
  v.field({"minimum_w", Unit::watts, 1, 2000, "lowest limit that can be set"}, c.minimum_w);
  v.field({"maximum_w", Unit::watts, 1, 2000, "highest limit that can be set"}, c.maximum_w);
  v.field({"lowest_clock_mhz", Unit::megahertz, 1, 5000, "lowest SM clock"}, c.lowest_clock_mhz);
  v.field({"highest_clock_mhz", Unit::megahertz, 1, 5000, "highest SM clock"}, c.highest_clock_mhz);
  v.field({"clock_step_mhz", Unit::megahertz, 1, 500, "between two SM clocks"}, c.clock_step_mhz);
  v.field({"control_period_ms", Unit::count, 0.001, 10000,
           "milliseconds between two decisions of the controller"},
          c.control_period_ms);
}

template <class V, ConfigOf<PowerSensorConfig> C>
void describe(V& v, C& c) {
  v.field({"gain", Unit::count, 0.1, 2, "of the board's sensor: reading = gain x power + offset"},
          c.gain);
  v.field({"offset_w", Unit::watts, -50, 50, "of the board's sensor"}, c.offset_w);
  v.field({"window_ms", Unit::count, 0.1, 10000, "milliseconds that one reading averages over"},
          c.window_ms);
  v.field({"period_ms", Unit::count, 0.1, 10000, "milliseconds between two readings"}, c.period_ms);
}

template <class V, ConfigOf<ThermalConfig> C>
void describe(V& v, C& c) {
  v.field({"die_kelvin_per_watt", Unit::kelvin_per_watt, 0.0001, 10,
           "die to heat spreader, the whole die"},
          c.die_kelvin_per_watt);
  v.field({"spreader_kelvin_per_watt", Unit::kelvin_per_watt, 0.0001, 10, "heat spreader to sink"},
          c.spreader_kelvin_per_watt);
  v.field({"sink_kelvin_per_watt", Unit::kelvin_per_watt, 0.0001, 10, "sink to air"},
          c.sink_kelvin_per_watt);
  v.field(
      {"die_joule_per_kelvin", Unit::joules_per_kelvin, 0.001, 1000, "heat capacity of the die"},
      c.die_joule_per_kelvin);
  v.field({"spreader_seconds", Unit::seconds, 0.001, 10000, "time constant of the heat spreader"},
          c.spreader_seconds);
  v.field({"sink_seconds", Unit::seconds, 0.001, 100000, "time constant of the sink"},
          c.sink_seconds);
  v.field({"lateral_watt_per_kelvin", Unit::watts_per_kelvin, 0, 100, "between SMs side by side"},
          c.lateral_watt_per_kelvin);
  v.field({"ambient_c", Unit::celsius, -50, 100, "air that reaches the sink"}, c.ambient_c);
  v.field({"slowdown_c", Unit::celsius, 30, 150,
           "die temperature above which the controller lowers the clock"},
          c.slowdown_c);
}

template <class V, ConfigOf<PowerConfig> C>
void describe(V& v, C& c) {
  v.group("voltage", c.voltage);
  v.group("standing", c.standing);
  v.group("energy", c.energy);
  v.group("limit", c.limit);
  v.group("sensor", c.sensor);
  v.group("thermal", c.thermal);
}

template <class V, ConfigOf<AreaConfig> C>
void describe(V& v, C& c) {
  v.field({"sm_enabled", Unit::count, 0.1, 1, "enabled part of the SMs on the die"}, c.sm_enabled);
  v.field({"l2_enabled", Unit::count, 0.1, 1, "enabled part of the L2 on the die"}, c.l2_enabled);
  v.field({"dram_enabled", Unit::count, 0.1, 1, "enabled part of the DRAM interfaces on the die"},
          c.dram_enabled);
  v.field({"register_file_kib", Unit::square_millimetres, 0, 10,
           "one KiB of registers with one read port a bank"},
          c.register_file_kib);
  v.field({"l1_kib", Unit::square_millimetres, 0, 10, "one KiB of L1 and shared memory"}, c.l1_kib);
  v.field({"lane", Unit::square_millimetres, 0, 10,
           "32-bit lane of an FMA or ALU pipe; one of FP64 counts twice"},
          c.lane);
  v.field({"tensor_fma", Unit::square_millimetres, 0, 10,
           "FP16 multiply-add that the tensor cores make in a cycle"},
          c.tensor_fma);
  v.field({"warp_slot", Unit::square_millimetres, 0, 10,
           "scheduler and scoreboard of one resident warp"},
          c.warp_slot);
  v.field({"sm_other", Unit::square_millimetres, 0, 100, "rest of an SM"}, c.sm_other);
  v.field({"crossbar_sm", Unit::square_millimetres, 0, 100, "crossbar, for each SM"},
          c.crossbar_sm);
  v.field({"l2_mib", Unit::square_millimetres, 0, 100, "one MiB of L2 with tags and control"},
          c.l2_mib);
  v.field({"dram_channel", Unit::square_millimetres, 0, 100,
           "PHY and controller of one channel of dram.channels"},
          c.dram_channel);
  v.field({"fixed", Unit::square_millimetres, 0, 1000,
           "host and display interfaces, NVLink, what is not assigned"},
          c.fixed);
  v.field({"error_band", Unit::count, 0, 1,
           "relative error of the area; designs closer than this are ties"},
          c.error_band);
}

} // namespace coulomb::config
