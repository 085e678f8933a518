// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/metrics.hpp"

#include <fmt/format.h>

namespace coulomb::timing::gpu {
namespace {

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

constexpr DerivedMetric kDerived[] = {
    {"l1tex__t_sector_hit_rate.ratio", "fraction",
     "l1tex__t_sectors_lookup_hit over hits and misses",
     [](const SmCounters& sm, const MemoryCounters&) {
       return ratio(sm.l1_sector_hits, sm.l1_sector_hits + sm.l1_sector_misses);
     }},
    {"lts__t_sector_op_read_hit_rate.ratio", "fraction",
     "lts__t_sectors_op_read_lookup_hit over lts__t_sectors_op_read",
     [](const SmCounters&, const MemoryCounters& memory) {
       return ratio(memory.l2_sector_hits, memory.l2_read_sectors);
     }},
    {"sm__warps_active.avg.per_cycle_active", "warp", "resident warps of an SM that is active",
     [](const SmCounters& sm, const MemoryCounters&) {
       return ratio(sm.warp_cycles, sm.active_cycles);
     }},
    {"sm__inst_executed.avg.per_cycle_active", "inst/cycle",
     "warp instructions per cycle of an SM that is active",
     [](const SmCounters& sm, const MemoryCounters&) {
       return ratio(sm.warp_instructions, sm.active_cycles);
     }},
};

constexpr std::string_view kIntroduction =
    "# Counters\n\n"
    "What `coulomb run --json` reports under `counters`, under Nsight Compute's names for sm_80; "
    "`model__` marks what the\nhardware does not report. Sums (`.sum`) are over the whole grid: "
    "counts of the simulated CTAs times CTAs of the grid\nover CTAs simulated. Ratios are of the "
    "simulated part. A test compares this page with the table in the code\n"
    "(`sim/timing/counter_table.cpp`), which also says what is summed over SMs and slices.\n\n"
    "| metric | unit | definition |\n"
    "| --- | --- | --- |\n";

std::string row(std::string_view name, std::string_view unit, std::string_view definition) {
  return fmt::format("| `{}` | {} | {} |\n", name, unit, definition);
}

} // namespace

std::span<const DerivedMetric> derived_metrics() {
  return kDerived;
}

std::map<std::string, double>
named_counters(const SmCounters& sm, const MemoryCounters& memory, double scale) {
  std::map<std::string, double> out;
  for (const Counter& c : counter_table()) {
    const std::uint64_t count =
        c.owner == Counter::Owner::sm ? count_of(c, sm) : count_of(c, memory);
    out[std::string(c.name)] = static_cast<double>(count) * c.factor * scale;
  }
  for (const DerivedMetric& m : kDerived) {
    out[std::string(m.name)] = m.value(sm, memory);
  }
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

std::string counters_document() {
  std::string text(kIntroduction);
  for (const Counter& c : counter_table()) {
    text += row(c.name, c.unit, c.definition);
  }
  for (const DerivedMetric& m : kDerived) {
    text += row(m.name, m.unit, m.definition);
  }
  text +=
      row(kElapsedCycles, "cycle", "cycles of the kernel alone, extrapolated to the whole grid");
  return text;
}

} // namespace coulomb::timing::gpu
