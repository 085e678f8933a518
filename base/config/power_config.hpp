// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace coulomb::config {

/// Power, heat and area of one product. Energies and static powers are stated at the lowest voltage
/// (v = 1) and scale with v^2, v being the voltage over the lowest one; docs/power.md has the
/// equations and where each comes from.

/// Voltage that the chip needs at a clock.
struct VoltageConfig {
  double minimum_v = 0.7125;
  std::vector<std::uint32_t> clocks_mhz = {210, 1050}; ///< ascending
  /// v at those clocks in thousandths; straight lines between, the last one goes on beyond.
  std::vector<std::uint32_t> permille = {1000, 1000};
};

/// What is there without an instruction.
struct StaticPowerConfig {
  double board_w = 13.0;           ///< regulators, fan, interfaces: not scaled by the voltage
  double dram_background_w = 10.0; ///< DRAM that is powered and refreshed
  double dram_sleep_w = 10.0;      ///< DRAM in the idle state P8
  double leakage_w = 12.0;         ///< of the die at v = 1 and 30 C
  double leakage_per_kelvin = 0.012;
  double leakage_sm_share = 0.6; ///< of the leakage, over all SMs evenly; the rest is uncore
  double gated_leakage = 0.3;    ///< of its leakage that a power-gated SM keeps
  double clock_tree_w_per_ghz = 7.3;
};

/// Energy of one event, pJ at v = 1.
struct EnergyConfig {
  double sm_cycle_pj = 200.0;        ///< cycle of an SM with a resident warp
  double instruction_pj = 7.7;       ///< warp instruction fetched, decoded, scheduled
  double register_read_pj = 26.6;    ///< operand of 32 lanes
  double register_write_pj = 22.7;   ///< the same
  double integer_pj = 73.0;          ///< warp instruction of the ALU pipe
  double fp32_pj = 36.5;             ///< warp instruction of the FMA pipes, integer included
  double fp16_pj = 36.5;             ///< packed half
  double fp64_pj = 54.0;             ///< double precision
  double special_pj = 80.0;          ///< warp instruction of the XU
  double uniform_pj = 2.3;           ///< one lane's worth of integer
  double tensor_pj = 1843.0;         ///< warp instruction of the tensor core
  double shared_wavefront_pj = 37.2; ///< pass through the data stage
  double l1_sector_pj = 41.8;        ///< sector looked up in L1
  double l2_read_pj = 22.7;          ///< sector
  double l2_write_pj = 89.0;         ///< sector
  double crossbar_sector_pj = 28.4;  ///< sector between an SM and L2
  double dram_byte_pj = 30.0;        ///< not scaled by the core's voltage
};

/// What the board's controller holds to.
struct PowerLimitConfig {
  double board_w = 250.0; ///< power limit as delivered, of the sensor's reading
  double minimum_w = 150.0;
  double maximum_w = 250.0;
  double lowest_clock_mhz = 210.0;
  double highest_clock_mhz = 1410.0;
  double clock_step_mhz = 15.0;
  double control_period_ms = 20.0; ///< between two steps of the controller
};

/// NVML's reading: gain x power + offset, averaged over the window.
struct PowerSensorConfig {
  double gain = 1.0;
  double offset_w = 0.0;
  double window_ms = 25.0;
  double period_ms = 100.0;
};

/// One node per SM, one for the uncore, the heat spreader, the sink.
struct ThermalConfig {
  double die_kelvin_per_watt = 0.04; ///< die to spreader, the whole die
  double spreader_kelvin_per_watt = 0.027;
  double sink_kelvin_per_watt = 0.12;
  double die_joule_per_kelvin = 1.04;
  double spreader_seconds = 2.5; ///< time constants
  double sink_seconds = 175.0;
  double lateral_watt_per_kelvin = 0.1; ///< between SMs side by side
  double ambient_c = 25.0;
  double slowdown_c = 89.0; ///< the controller lowers the clock above it
};

/// Silicon area, mm2 unless a name says otherwise. Physical units count, not enabled ones.
struct AreaConfig {
  double sm_enabled = 0.84375;        ///< enabled part of the SMs on the die
  double l2_enabled = 0.8333;         ///< of the L2
  double dram_enabled = 0.8333;       ///< of the DRAM interfaces
  double register_file_kib = 0.00547; ///< one KiB of registers, one bank port
  double l1_kib = 0.00245;            ///< one KiB of L1 and shared memory
  double lane = 0.00208;              ///< 32-bit lane of an FMA or ALU pipe; FP64 counts as two
  double tensor_fma = 0.000244;       ///< FP16 multiply-add of the tensor cores per cycle
  double warp_slot = 0.00469;         ///< scheduler and scoreboard of one resident warp
  double sm_other = 0.93;             ///< rest of an SM
  double crossbar_sm = 0.597;         ///< crossbar, per SM
  double l2_mib = 2.486;
  double dram_channel = 0.935; ///< PHY and controller of a channel as dram.channels counts
  double fixed = 60.95;
  double error_band = 0.1; ///< relative; designs closer than this are ties
};

struct PowerConfig {
  VoltageConfig voltage;
  StaticPowerConfig standing;
  EnergyConfig energy;
  PowerLimitConfig limit;
  PowerSensorConfig sensor;
  ThermalConfig thermal;
};

} // namespace coulomb::config
