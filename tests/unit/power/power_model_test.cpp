// SPDX-License-Identifier: Apache-2.0
#include "sim/power/power_model.hpp"

#include "sim/power/dvfs.hpp"
#include "sim/power/power_metrics.hpp"
#include "sim/power/voltage.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace coulomb::power {
namespace {

double of(const PowerEstimate& estimate, Component component) {
  return estimate.watts[static_cast<std::size_t>(component)];
}

/// A chip of round numbers: v = 1 up to 1000 MHz, 1.4 at 1400.
config::GpuConfig chip() {
  config::GpuConfig gpu;
  gpu.sms = 10;
  gpu.sm_clock_mhz = 1000;
  gpu.power.voltage = {0.7, {200, 1000, 1400}, {1000, 1000, 1400}};
  gpu.power.standing = {10, 5, 5, 20, 0.01, 0.6, 0.3, 4};
  gpu.power.thermal.die_kelvin_per_watt = 0.1;
  gpu.power.thermal.spreader_kelvin_per_watt = 0.1;
  gpu.power.thermal.sink_kelvin_per_watt = 0.3;
  gpu.power.thermal.ambient_c = 30;
  return gpu;
}

OperatingPoint at(double mhz, double celsius) {
  return {mhz, 0.0, celsius};
}

TEST(Voltage, IsTheLowestUpToTheRidgeAndALineBeyond) {
  const config::VoltageConfig curve{0.7, {200, 1000, 1400}, {1000, 1000, 1400}};
  EXPECT_DOUBLE_EQ(relative_voltage(curve, 100), 1.0);
  EXPECT_DOUBLE_EQ(relative_voltage(curve, 1000), 1.0);
  EXPECT_DOUBLE_EQ(relative_voltage(curve, 1200), 1.2);
  EXPECT_DOUBLE_EQ(relative_voltage(curve, 1600), 1.6);
}

TEST(Power, OfAnIdleChipIsBoardDramLeakageAndClockTree) {
  const PowerEstimate cold = idle_power(chip(), at(1000, 30));
  EXPECT_DOUBLE_EQ(cold.total_w, 10 + 5 + 20 + 4);
  const PowerEstimate hot = idle_power(chip(), at(1000, 80));
  EXPECT_DOUBLE_EQ(of(hot, Component::leakage), 20 * 1.5);
}

TEST(Power, CoreTermsScaleWithTheSquareOfTheVoltageAndDramDoesNot) {
  Activity activity{1e-3, 1000, {{"smsp__inst_executed.sum", 1e9}, {"dram__bytes_read.sum", 1e9}}};
  config::GpuConfig gpu = chip();
  gpu.power.energy.instruction_pj = 10;
  gpu.power.energy.dram_byte_pj = 30;
  const PowerEstimate low = estimate_power(gpu, activity, at(1000, 30));
  EXPECT_DOUBLE_EQ(of(low, Component::instruction_issue), 10.0); // 1e9 x 10 pJ in 1 ms
  EXPECT_DOUBLE_EQ(of(low, Component::dram_access), 30.0);
  const PowerEstimate high = estimate_power(gpu, activity, at(1200, 30));
  EXPECT_NEAR(of(high, Component::instruction_issue), 14.4, 1e-9);
  EXPECT_NEAR(of(high, Component::leakage), 20 * 1.44, 1e-9);
  EXPECT_NEAR(of(high, Component::clock_tree), 4 * 1.2 * 1.44, 1e-9);
  EXPECT_DOUBLE_EQ(of(high, Component::dram_access), 30.0);
  EXPECT_NEAR(high.voltage_v, 0.84, 1e-12);
}

TEST(Power, SteadyTemperatureIsWhereLeakageAndHeatAgree) {
  const PowerEstimate idle = idle_power(chip(), {1000, 0.0, std::nan("")});
  const double core = of(idle, Component::leakage) + of(idle, Component::clock_tree);
  EXPECT_NEAR(idle.temperature_c, 30 + 0.5 * core, 1e-9);
  EXPECT_NEAR(of(idle, Component::leakage), 20 * (1 + 0.01 * (idle.temperature_c - 30)), 1e-9);
}

TEST(Power, ALeakageThatHeatsFasterThanTheSinkCoolsHasNoSteadyState) {
  config::GpuConfig gpu = chip();
  gpu.power.standing.leakage_w = 500;
  EXPECT_TRUE(std::isinf(idle_power(gpu, {1000, 0.0, std::nan("")}).temperature_c));
}

TEST(Power, SensorReadsGainAndOffset) {
  EXPECT_DOUBLE_EQ(sensor_reading({0.954, -1.18, 25, 100}, 200), 189.62);
}

TEST(Power, OneBusySmHasItsShareOfWhatSmsTake) {
  config::GpuConfig gpu = chip();
  gpu.power.energy = {};
  gpu.power.energy.sm_cycle_pj = 100;
  // Half of the ten SMs busy for 1 ms at 1 GHz: 5e6 SM cycles, 0.5 W for all five.
  const Activity activity{1e-3, 1000, {{"sm__cycles_active.sum", 5e6}}};
  const PowerEstimate estimate = estimate_power(gpu, activity, at(1000, 30));
  EXPECT_NEAR(of(estimate, Component::sm_active), 0.5, 1e-12);
  EXPECT_NEAR(estimate.busy_sm_w, 0.1 + 4.0 / 10 + 0.6 * 20 / 10, 1e-9);
}

TEST(Power, MetricsOfAComponentAddUpToTheWhole) {
  std::map<std::string, double> counters{{"smsp__inst_executed.sum", 1e9},
                                         {"sm__cycles_active.sum", 1e7}};
  add_power_metrics(chip(), 1.0, counters);
  double sum = 0.0;
  for (std::size_t c = 0; c < kComponents; ++c) {
    sum += counters.at("model__power_" + std::string(component_name(static_cast<Component>(c))) +
                       ".avg");
  }
  EXPECT_NEAR(sum, counters.at("model__power.avg"), 1e-9);
  EXPECT_NEAR(counters.at("model__energy.sum"), counters.at("model__power.avg") * 1e-3, 1e-12);
  for (const PowerMetric& metric : power_metrics()) {
    EXPECT_EQ(counters.count(metric.name), 1U) << metric.name;
  }
}

TEST(Power, CompressedRegistersSaveTheSubBanksThatAreLeftAlone) {
  config::GpuConfig gpu = chip();
  gpu.power.energy = {};
  gpu.power.energy.register_read_pj = 24;
  const std::map<std::string, double> plain{{"model__register_reads.sum", 1e9}};
  auto compressed = plain;
  compressed["model__register_sub_bank_accesses_saved.sum"] = 4e9; // half of 8 each
  const auto watts = [&](const std::map<std::string, double>& counters) {
    return of(estimate_power(gpu, {1e-3, 1000, counters}, at(1000, 30)), Component::register_file);
  };
  EXPECT_DOUBLE_EQ(watts(plain), 24.0);
  EXPECT_DOUBLE_EQ(watts(compressed), 12.0);
}

TEST(Retiming, OfAKernelWithoutDramKeepsItsCycles) {
  const Activity activity{1e-3, 1000, {{"dram__bytes_read.sum", 1e3}}};
  const Retiming retiming = retiming_of(chip(), activity, 0.9);
  EXPECT_TRUE(retiming.exact);
  EXPECT_DOUBLE_EQ(retiming.time_s(500), 2e-3);
}

TEST(Retiming, OfADramBoundKernelKeepsItsSecondsUntilTheCoresAreSlower) {
  config::GpuConfig gpu = chip(); // 80 channels of 19.44 GB/s
  const Activity activity{1e-3, 1000, {{"dram__bytes_read.sum", 1.4e9}}};
  const Retiming retiming = retiming_of(gpu, activity, 0.25);
  EXPECT_FALSE(retiming.exact);
  EXPECT_DOUBLE_EQ(retiming.time_s(500), 1e-3);
  EXPECT_DOUBLE_EQ(retiming.time_s(125), 2e-3);
}

TEST(Dvfs, ClockFallsUntilTheReadingMeetsTheLimit) {
  config::GpuConfig gpu = chip();
  gpu.power.limit = {100, 50, 200, 200, 1400, 15, 20};
  gpu.power.sensor = {1, 0, 25, 100};
  gpu.power.energy = {};
  gpu.power.energy.instruction_pj = 10;
  const Activity activity{1e-3, 1400, {{"smsp__inst_executed.sum", 4e9}}}; // 40 W at v = 1
  const Retiming retiming = retiming_of(gpu, activity, 1.0);
  const ClockChoice choice = settle(gpu, activity, retiming, 1400, 100);
  EXPECT_EQ(choice.limit, ClockChoice::Limit::power);
  EXPECT_LE(choice.power.reading_w, 100.0);
  EXPECT_NEAR(choice.power.reading_w, 100.0, 0.2);
  EXPECT_NEAR(choice.time_s, 1e-3 * 1400 / choice.sm_clock_mhz, 1e-9);
  gpu.power.thermal.slowdown_c = 150;
  const ClockChoice free = settle(gpu, activity, retiming, 1400, 1000);
  EXPECT_EQ(free.limit, ClockChoice::Limit::none);
  EXPECT_EQ(free.sm_clock_mhz, 1400);
}

TEST(Dvfs, ControllerEndsWithinAStepOfWhereItSettles) {
  config::GpuConfig gpu = chip();
  gpu.power.limit = {100, 50, 200, 200, 1400, 15, 20};
  gpu.power.sensor = {1, 0, 25, 100};
  gpu.power.energy = {};
  gpu.power.energy.instruction_pj = 10;
  gpu.power.thermal.sink_seconds = 5;
  const Activity activity{1e-3, 1400, {{"smsp__inst_executed.sum", 4e9}}};
  const Retiming retiming = retiming_of(gpu, activity, 1.0);
  const auto trace = control_trace(gpu, activity, retiming, 1400, 100, 40);
  EXPECT_EQ(trace.front().sm_clock_mhz, 1400);
  EXPECT_NEAR(trace.front().temperature_c, idle_power(gpu, {1400, 0.0, std::nan("")}).temperature_c,
              1e-6);
  EXPECT_NEAR(trace.back().sm_clock_mhz, settle(gpu, activity, retiming, 1400, 100).sm_clock_mhz,
              30);
  EXPECT_NEAR(trace.back().reading_w, 100, 4);
}

} // namespace
} // namespace coulomb::power
