// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/describe_memory.hpp"
#include "base/config/describe_power.hpp"
#include "base/config/describe_sm.hpp"

#include <array>

namespace coulomb::config {

// One describe() per struct is the only list of its members. A visitor has
//   v.field(FieldSpec, member)   for each parameter and
//   v.group(name, member)        for each nested struct.
// A test compares the number of calls with the number of members.

inline constexpr std::array<std::string_view, 4> kChips{"GA100", "GA102", "GA104", "GA106"};

template <class V, ConfigOf<GpuConfig> C>
void describe(V& v, C& c) {
  v.field({"id", Unit::text, 0, 0, "name of the configuration: that of its file"}, c.id);
  v.field({"product", Unit::text, 0, 0, "product name as NVIDIA's tools print it"}, c.product);
  v.field({"chip", Unit::text, 0, 0, "die", kChips}, c.chip);
  v.field({"architecture", Unit::count, 80, 86, "compute capability times 10: 80 = sm_80"},
          c.architecture);
  v.field({"sms", Unit::count, 1, 1024, "SMs that are enabled"}, c.sms);
  v.field({"sm_clock_mhz", Unit::megahertz, 1, 5000, "SM clock that results are stated at"},
          c.sm_clock_mhz);
  v.field({"base_clock_mhz", Unit::megahertz, 1, 5000, "guaranteed SM clock"}, c.base_clock_mhz);
  v.field(
      {"memory_clock_mhz", Unit::megahertz, 1, 50000, "memory clock as NVIDIA's tools print it"},
      c.memory_clock_mhz);
  v.field({"launch_overhead_us", Unit::microseconds, 0, 1000,
           "host-visible period of back-to-back empty kernels; not part of a kernel's time"},
          c.launch_overhead_us);
  v.field({"kernel_start_cycles", Unit::cycles, 0, 100000,
           "fixed cost of a kernel inside its own time"},
          c.kernel_start_cycles);
  v.field({"cta_launch_interval", Unit::cycles, 0, 1000, "between two CTA starts, whole GPU"},
          c.cta_launch_interval);
  v.group("sm", c.sm);
  v.group("l2", c.l2);
  v.group("tlb", c.tlb);
  v.group("dram", c.dram);
  v.group("power", c.power);
  v.group("area", c.area);
}

} // namespace coulomb::config
