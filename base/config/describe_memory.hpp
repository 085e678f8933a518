// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/config_of.hpp"
#include "base/config/field.hpp"

#include <array>

namespace coulomb::config {

inline constexpr std::array<std::string_view, 4> kDramTypes{"HBM2", "HBM2e", "GDDR6", "GDDR6X"};

template <class V, ConfigOf<L2Config> C>
void describe(V& v, C& c) {
  v.field({"slices", Unit::count, 1, 1024, "L2 slices of the chip"}, c.slices);
  v.field({"slice_size", Unit::bytes, 4096, 1 << 28, "L2 data of one slice"}, c.slice_size);
  v.field({"associativity", Unit::count, 1, 1024, "ways of a slice"}, c.associativity);
  v.field({"line", Unit::bytes, 32, 1024, "L2 line"}, c.line);
  v.field({"sector", Unit::bytes, 8, 1024, "part of a line that is fetched by itself"}, c.sector);
  v.field({"slice_bytes_per_cycle", Unit::bytes_per_cycle, 1, 1024, "read bandwidth of one slice"},
          c.slice_bytes_per_cycle);
  v.field({"miss_entries", Unit::count, 1, 65536, "lines that one slice has asked DRAM for"},
          c.miss_entries);
  v.field({"write_entries", Unit::count, 1, 65536, "lines that one slice has on their way to DRAM"},
          c.write_entries);
  v.field({"hit_latency", Unit::cycles, 1, 5000,
           "global load (LDG) issue to first dependent issue, hit in L2, near partition"},
          c.hit_latency);
  v.field({"far_extra_latency", Unit::cycles, 0, 5000, "added when the other partition answers"},
          c.far_extra_latency);
  v.field({"partitions", Unit::count, 1, 8, "parts of L2 that an SM is near to or far from"},
          c.partitions);
  v.field(
      {"partition_granule", Unit::bytes, 32, 1 << 28, "bytes that alternate between partitions"},
      c.partition_granule);
  v.field({"sms_per_partition", Unit::count, 1, 1024,
           "SMs near to each partition; empty = spread evenly"},
          c.sms_per_partition);
  v.field({"atomic_sector_interval", Unit::cycles, 0.01, 1000,
           "time of a slice's atomic unit for each sector of a request"},
          c.atomic_sector_interval);
  v.field({"atomic_same_address_interval", Unit::cycles, 0.01, 1000,
           "between two atomic operations on one address"},
          c.atomic_same_address_interval);
  v.field({"atomic_latency", Unit::cycles, 0, 5000,
           "read-modify-write at the slice, added to the latency of a load"},
          c.atomic_latency);
}

template <class V, ConfigOf<TlbConfig> C>
void describe(V& v, C& c) {
  v.field({"page_size", Unit::bytes, 4096, 1 << 30, "page of global and local memory"},
          c.page_size);
  v.field({"entries", Unit::count, 1, 1024, "pages that the first level of an SM holds"},
          c.entries);
  v.field({"miss_latency", Unit::cycles, 0, 5000,
           "added to a request that misses the first level and hits the outer one"},
          c.miss_latency);
  v.field({"outer_entries", Unit::count, 1, 1 << 20, "entries of the outer level"},
          c.outer_entries);
  v.field({"outer_pages", Unit::count, 1, 4096, "neighbouring pages that one of them covers"},
          c.outer_pages);
  v.field({"walk_latency", Unit::cycles, 0, 100000, "added by a walk of the page table"},
          c.walk_latency);
}

template <class V, ConfigOf<DramConfig> C>
void describe(V& v, C& c) {
  v.field({"type", Unit::text, 0, 0, "memory standard", kDramTypes}, c.type);
  v.field({"channels", Unit::count, 1, 1024, "independent channels (HBM: pseudo-channels)"},
          c.channels);
  v.field({"banks", Unit::count, 1, 256, "banks of a channel"}, c.banks);
  v.field({"bank_groups", Unit::count, 1, 256, "groups that the banks of a channel form"},
          c.bank_groups);
  v.field({"row_bytes", Unit::bytes, 128, 1 << 20, "row buffer of one bank of a channel"},
          c.row_bytes);
  v.field({"channel_gbps", Unit::gigabytes_per_second, 0.1, 1000, "peak of one channel"},
          c.channel_gbps);
  v.field({"latency_ns", Unit::nanoseconds, 1, 5000,
           "added to an L2 hit by an idle DRAM with a row activation"},
          c.latency_ns);
  v.field({"burst_clocks", Unit::count, 1, 64,
           "command clocks in which one sector passes the data bus"},
          c.burst_clocks);
  v.field({"t_ccd_s_clocks", Unit::count, 1, 64,
           "command clocks between column accesses to different bank groups"},
          c.t_ccd_s_clocks);
  v.field({"t_ccd_l_clocks", Unit::count, 1, 64,
           "command clocks between column accesses to one bank group"},
          c.t_ccd_l_clocks);
  v.field({"t_rcd_ns", Unit::nanoseconds, 0.1, 1000, "activate to read"}, c.t_rcd_ns);
  v.field({"t_rp_ns", Unit::nanoseconds, 0.1, 1000, "precharge"}, c.t_rp_ns);
  v.field({"t_cl_ns", Unit::nanoseconds, 0.1, 1000, "read to first data"}, c.t_cl_ns);
  v.field({"t_ras_ns", Unit::nanoseconds, 0.1, 1000, "activate to precharge"}, c.t_ras_ns);
  v.field({"t_wtr_ns", Unit::nanoseconds, 0, 1000, "end of written data to the next read command"},
          c.t_wtr_ns);
  v.field({"t_rtw_ns", Unit::nanoseconds, 0, 1000, "bus idle between read and written data"},
          c.t_rtw_ns);
  v.field({"t_wr_ns", Unit::nanoseconds, 0, 1000, "end of written data to precharge"}, c.t_wr_ns);
  v.field({"t_rtp_ns", Unit::nanoseconds, 0, 1000, "last read command to precharge"}, c.t_rtp_ns);
  v.field({"t_refi_ns", Unit::nanoseconds, 100, 1e6, "between two refreshes"}, c.t_refi_ns);
  v.field({"t_rfc_ns", Unit::nanoseconds, 0, 10000, "duration of a refresh"}, c.t_rfc_ns);
  v.field({"queue", Unit::count, 1, 4096, "requests that the scheduler of a channel sees"},
          c.queue);
  v.field({"write_high", Unit::count, 1, 4096, "queued writes at which a channel turns to writing"},
          c.write_high);
  v.field({"write_low", Unit::count, 0, 4096, "queued writes at which it turns back to reading"},
          c.write_low);
}

} // namespace coulomb::config
