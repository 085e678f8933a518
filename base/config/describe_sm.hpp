// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/choices.hpp"
#include "base/config/config_of.hpp"
#include "base/config/field.hpp"

namespace coulomb::config {

template <class V, ConfigOf<FrontEndConfig> C>
void describe(V& v, C& c) {
  v.field(
      {"branch_latency", Unit::cycles, 1, 200, "taken branch until its target can issue, L0 hit"},
      c.branch_latency);
  v.field({"l0_icache_size", Unit::bytes, 128, 1 << 20, "L0 instruction cache of a sub-core"},
          c.l0_icache_size);
  v.field({"l1_icache_size", Unit::bytes, 1024, 1 << 24,
           "L1 instruction cache of an SM, also its L1.5 constant cache"},
          c.l1_icache_size);
  v.field({"icache_line", Unit::bytes, 16, 1024, "line of the instruction caches"}, c.icache_line);
  v.field({"l0_miss_latency", Unit::cycles, 1, 1000, "L0 instruction miss that hits L1"},
          c.l0_miss_latency);
  v.field({"l1_icache_interval", Unit::cycles, 1, 64,
           "between two lines that the L1 instruction cache delivers to one sub-core"},
          c.l1_icache_interval);
  v.field({"prefetch_depth", Unit::count, 0, 64,
           "lines that the instruction stream buffer runs ahead; 0 = no prefetch"},
          c.prefetch_depth);
  v.field({"constant_cache_size", Unit::bytes, 64, 1 << 20, "L0 constant cache"},
          c.constant_cache_size);
  v.field({"constant_line", Unit::bytes, 8, 1024, "line of the constant cache"}, c.constant_line);
  v.field({"constant_miss_latency", Unit::cycles, 1, 2000,
           "constant operand: L0 miss that hits the next level"},
          c.constant_miss_latency);
  v.field({"constant_miss_hold", Unit::cycles, 0, 100,
           "scheduler waits for a constant miss before it switches warp"},
          c.constant_miss_hold);
}

template <class V, ConfigOf<RegisterFileConfig> C>
void describe(V& v, C& c) {
  v.field({"registers", Unit::count, 1024, 1 << 22, "32-bit registers of an SM"}, c.registers);
  v.field({"allocation_unit", Unit::count, 1, 65536,
           "registers of a warp are rounded up to a multiple of this"},
          c.allocation_unit);
  v.field({"banks", Unit::count, 1, 16, "banks of a sub-core, by register number modulo banks"},
          c.banks);
  v.field({"read_ports", Unit::count, 1, 8, "operands read per bank and cycle"}, c.read_ports);
  v.field(
      {"read_window", Unit::cycles, 1, 16, "all sources of an instruction are read within this"},
      c.read_window);
  v.field({"bank_mapping", Unit::text, 0, 0,
           "bank of a register: modulo = its number modulo banks; asymmetric = by bank_shares",
           kBankMappings},
          c.bank_mapping);
  v.field(
      {"bank_shares", Unit::count, 1, 64,
       "asymmetric only: of every sum of these, so many neighbouring registers lie in each bank"},
      c.bank_shares);
  v.field({"bank_ports", Unit::count, 1, 8,
           "operands that each bank reads per cycle; [] = read_ports everywhere"},
          c.bank_ports);
  v.field({"reuse_slots", Unit::count, 0, 8,
           "operand reuse cache: entries for each bank and operand position; 0 = none"},
          c.reuse_slots);
  v.field({"compression", Unit::text, 0, 0,
           "of registers at write-back: base_delta = 32 lanes as a base and deltas of 0, 1 or 2 "
           "bytes; they take 1, 3 or 5 eighths of a bank",
           kRegisterCompressions},
          c.compression);
  v.field({"compression_latency", Unit::cycles, 0, 32,
           "base_delta only: added to a result, for the check and the packing"},
          c.compression_latency);
  v.field({"decompression_latency", Unit::cycles, 0, 32,
           "base_delta only: added to an instruction with a compressed source"},
          c.decompression_latency);
}

template <class V, ConfigOf<PipeConfig> C>
void describe(V& v, C& c) {
  v.field({"units", Unit::count, 1, 16, "identical pipes of a sub-core, used in turn"}, c.units);
  v.field({"interval", Unit::cycles, 1, 512, "one warp instruction keeps one unit busy for this"},
          c.interval);
  v.field({"latency", Unit::cycles, 1, 1000, "issue to first dependent issue"}, c.latency);
}

template <class V, ConfigOf<TensorConfig> C>
void describe(V& v, C& c) {
  v.field({"units", Unit::count, 1, 16, "identical tensor cores of a sub-core, used in turn"},
          c.units);
  v.field({"interval", Unit::cycles, 1, 512,
           "one HMMA.16816 with FP32 accumulation keeps the tensor core busy for this"},
          c.interval);
  v.field(
      {"latency", Unit::cycles, 1, 1000, "HMMA, FP32 accumulation: issue to first dependent issue"},
      c.latency);
  v.field({"fp16_interval", Unit::cycles, 1, 512, "same for HMMA.16816 with FP16 accumulation"},
          c.fp16_interval);
  v.field({"fp16_latency", Unit::cycles, 1, 1000,
           "HMMA, FP16 accumulation: issue to first dependent issue"},
          c.fp16_latency);
  v.field({"integer_interval", Unit::cycles, 1, 512, "same for IMMA.16832 of 8-bit integers"},
          c.integer_interval);
  v.field({"integer_latency", Unit::cycles, 1, 1000, "IMMA, BMMA: issue to first dependent issue"},
          c.integer_latency);
  v.field({"fp64_interval", Unit::cycles, 1, 512, "same for DMMA.884"}, c.fp64_interval);
  v.field({"fp64_latency", Unit::cycles, 1, 1000, "DMMA.884: issue to first dependent issue"},
          c.fp64_latency);
}

template <class V, ConfigOf<PipesConfig> C>
void describe(V& v, C& c) {
  v.group("fma", c.fma);
  v.group("imad", c.imad);
  v.group("alu", c.alu);
  v.group("half", c.half);
  v.group("xu", c.xu);
  v.group("fp64", c.fp64);
  v.field({"fp64_shared_by_sm", Unit::flag, 0, 1, "one FP64 unit serves all sub-cores of the SM"},
          c.fp64_shared_by_sm);
  v.group("uniform", c.uniform);
  v.group("tensor", c.tensor);
}

template <class V, ConfigOf<LsuConfig> C>
void describe(V& v, C& c) {
  v.field({"subcore_queue", Unit::count, 1, 256, "memory instructions that a sub-core holds"},
          c.subcore_queue);
  v.field(
      {"address_interval", Unit::cycles, 1, 64, "between two address generations of a sub-core"},
      c.address_interval);
  v.field({"accept_interval", Unit::cycles, 1, 64,
           "between two memory instructions that the stage shared by the SM accepts"},
          c.accept_interval);
  v.field({"shuffle_interval", Unit::cycles, 1, 64, "same, between two shuffles"},
          c.shuffle_interval);
  v.field({"tag_lines_per_cycle", Unit::count, 1, 32,
           "tag banks of L1, each looks up one line per cycle"},
          c.tag_lines_per_cycle);
  v.field({"banks", Unit::count, 1, 128, "shared memory banks of 4 bytes"}, c.banks);
  v.field(
      {"bytes_per_cycle", Unit::bytes_per_cycle, 4, 1024,
       "data stage of L1 and shared memory; lanes of 4 bytes are limited by accept_interval too"},
      c.bytes_per_cycle);
  v.field({"writeback_bytes_per_cycle", Unit::bytes_per_cycle, 4, 1024,
           "load results into the register file of a sub-core"},
          c.writeback_bytes_per_cycle);
  v.field({"shared_latency_32", Unit::cycles, 1, 500,
           "shared load (LDS) issue to first dependent issue, 4 bytes per lane, no conflict"},
          c.shared_latency_32);
  v.field({"shared_latency_64", Unit::cycles, 1, 500, "same, 8 bytes per lane"},
          c.shared_latency_64);
  v.field({"shared_latency_128", Unit::cycles, 1, 500, "same, 16 bytes per lane"},
          c.shared_latency_128);
  v.field({"shared_uniform_latency_32", Unit::cycles, 1, 500,
           "shared load (LDS) with an address of uniform registers or none: issue to first "
           "dependent issue, 4 bytes per lane, no conflict"},
          c.shared_uniform_latency_32);
  v.field({"shared_uniform_latency_64", Unit::cycles, 1, 500, "same, 8 bytes per lane"},
          c.shared_uniform_latency_64);
  v.field({"shared_uniform_latency_128", Unit::cycles, 1, 500, "same, 16 bytes per lane"},
          c.shared_uniform_latency_128);
  v.field({"shared_atomic_overhead", Unit::cycles, 0, 500,
           "read-modify-write on shared memory: holds the data stage beside its passes"},
          c.shared_atomic_overhead);
  v.field({"load_release", Unit::cycles, 1, 500,
           "global load (LDG) issue to release of its source registers"},
          c.load_release);
  v.field({"store_release_32", Unit::cycles, 1, 500,
           "global store (STG) issue to release of its source registers, 4 bytes per lane"},
          c.store_release_32);
  v.field({"store_release_64", Unit::cycles, 1, 500, "same, 8 bytes per lane"}, c.store_release_64);
  v.field({"store_release_128", Unit::cycles, 1, 500, "same, 16 bytes per lane"},
          c.store_release_128);
  v.field({"shared_load_release", Unit::cycles, 1, 500,
           "shared load (LDS) issue to release of its source registers"},
          c.shared_load_release);
  v.field({"shared_store_release_32", Unit::cycles, 1, 500,
           "shared store (STS) issue to release of its source registers, 4 bytes per lane"},
          c.shared_store_release_32);
  v.field({"shared_store_release_64", Unit::cycles, 1, 500, "same, 8 bytes per lane"},
          c.shared_store_release_64);
  v.field({"shared_store_release_128", Unit::cycles, 1, 500, "same, 16 bytes per lane"},
          c.shared_store_release_128);
  v.field({"uniform_load_release", Unit::cycles, 1, 500,
           "LDG or LDS with an address of uniform registers or none: issue to release of its "
           "source registers"},
          c.uniform_load_release);
  v.field({"uniform_store_release_32", Unit::cycles, 1, 500,
           "STG or STS with an address of uniform registers or none: issue to release of its "
           "source registers, 4 bytes per lane"},
          c.uniform_store_release_32);
  v.field({"uniform_store_release_64", Unit::cycles, 1, 500, "same, 8 bytes per lane"},
          c.uniform_store_release_64);
  v.field({"uniform_store_release_128", Unit::cycles, 1, 500, "same, 16 bytes per lane"},
          c.uniform_store_release_128);
  v.field({"async_copy_release", Unit::cycles, 1, 500,
           "asynchronous copy (LDGSTS) issue to release of its source registers"},
          c.async_copy_release);
  v.field({"shuffle_latency", Unit::cycles, 1, 500, "SHFL issue to first dependent issue"},
          c.shuffle_latency);
  v.field({"constant_load_latency", Unit::cycles, 1, 500,
           "LDC with an immediate address, hit: issue to first dependent issue"},
          c.constant_load_latency);
  v.field({"constant_load_release", Unit::cycles, 1, 500,
           "LDC with an immediate address: issue to release of its source registers"},
          c.constant_load_release);
  v.field({"constant_indexed_latency", Unit::cycles, 1, 500,
           "LDC with its address in a register, hit: issue to first dependent issue"},
          c.constant_indexed_latency);
  v.field({"constant_indexed_release", Unit::cycles, 1, 500,
           "LDC with its address in a register: issue to release of its source registers"},
          c.constant_indexed_release);
  v.field({"special_register_latency", Unit::cycles, 1, 500, "S2R issue to first dependent issue"},
          c.special_register_latency);
  v.field({"barrier_latency", Unit::cycles, 1, 500, "last arrival at BAR.SYNC to release"},
          c.barrier_latency);
}

template <class V, ConfigOf<L1PrefetchConfig> C>
void describe(V& v, C& c) {
  v.field({"policy", Unit::text, 0, 0,
           "stride = per static load, so many strides ahead; adaptive = the distance follows how "
           "many come late or leave unused",
           kPrefetchPolicies},
          c.policy);
  v.field({"table_entries", Unit::count, 1, 256, "static loads whose stride it follows"},
          c.table_entries);
  v.field({"distance", Unit::count, 1, 256, "strides ahead; adaptive: at the start"}, c.distance);
  v.field({"max_distance", Unit::count, 1, 256, "adaptive only: most strides ahead"},
          c.max_distance);
}

template <class V, ConfigOf<L1Config> C>
void describe(V& v, C& c) {
  v.field({"size", Unit::bytes, 4096, 1 << 24, "L1 data cache and shared memory together, per SM"},
          c.size);
  v.field({"line", Unit::bytes, 32, 1024, "L1 line"}, c.line);
  v.field({"sector", Unit::bytes, 8, 1024, "part of a line that is fetched by itself"}, c.sector);
  v.field({"associativity", Unit::count, 0, 1024,
           "ways; 0 = fully associative within a set of 64 lines"},
          c.associativity);
  v.field({"hit_latency_32", Unit::cycles, 1, 500,
           "global load (LDG) issue to first dependent issue, hit in L1, 4 bytes per lane"},
          c.hit_latency_32);
  v.field({"hit_latency_64", Unit::cycles, 1, 500, "same, 8 bytes per lane"}, c.hit_latency_64);
  v.field({"hit_latency_128", Unit::cycles, 1, 500, "same, 16 bytes per lane"}, c.hit_latency_128);
  v.field({"uniform_hit_latency_32", Unit::cycles, 1, 500,
           "global load (LDG) with an address of uniform registers or none: issue to first "
           "dependent issue, hit in L1, 4 bytes per lane"},
          c.uniform_hit_latency_32);
  v.field({"uniform_hit_latency_64", Unit::cycles, 1, 500, "same, 8 bytes per lane"},
          c.uniform_hit_latency_64);
  v.field({"uniform_hit_latency_128", Unit::cycles, 1, 500, "same, 16 bytes per lane"},
          c.uniform_hit_latency_128);
  v.field({"async_copy_latency", Unit::cycles, 1, 500,
           "asynchronous copy (LDGSTS) issue to its counter, hit in L1, any width"},
          c.async_copy_latency);
  v.field({"miss_status_entries", Unit::count, 1, 65536, "outstanding sector misses of an SM"},
          c.miss_status_entries);
  v.field(
      {"fill_bytes_per_cycle", Unit::bytes_per_cycle, 1, 1024, "crossbar response port of an SM"},
      c.fill_bytes_per_cycle);
  v.field(
      {"request_interval", Unit::cycles, 1, 64, "between two requests of an SM into the crossbar"},
      c.request_interval);
  v.field({"store_entries", Unit::count, 1, 65536,
           "lines that an SM has stored and L2 has not acknowledged"},
          c.store_entries);
  v.group("prefetch", c.prefetch);
}

template <class V, ConfigOf<SharedMemoryConfig> C>
void describe(V& v, C& c) {
  v.field({"carveouts", Unit::bytes, 0, 1 << 24, "sizes that shared memory of an SM may take"},
          c.carveouts);
  v.field({"max_per_cta", Unit::bytes, 1024, 1 << 24, "most that one CTA may have, with opt-in"},
          c.max_per_cta);
  v.field({"max_static_per_cta", Unit::bytes, 1024, 1 << 24,
           "most that one CTA may declare statically"},
          c.max_static_per_cta);
  v.field({"reserved_per_cta", Unit::bytes, 0, 1 << 20, "taken by the system in each CTA"},
          c.reserved_per_cta);
  v.field(
      {"granularity", Unit::bytes, 1, 1 << 16, "allocations are rounded up to a multiple of this"},
      c.granularity);
}

template <class V, ConfigOf<SmConfig> C>
void describe(V& v, C& c) {
  v.field({"warp_schedulers", Unit::count, 1, 16, "sub-cores of an SM, one scheduler each"},
          c.warp_schedulers);
  v.field({"scheduler_policy", Unit::text, 0, 0,
           "which ready warp issues: native = greedy, then youngest, as Ampere; gto = greedy, then "
           "oldest; lrr = loose round robin; two_level = lrr among scheduler_active_warps",
           kSchedulerPolicies},
          c.scheduler_policy);
  v.field(
      {"scheduler_active_warps", Unit::count, 1, 32,
       "two_level only: warps of a scheduler that it chooses from; one that waits for memory, a "
       "barrier or a sleep makes place"},
      c.scheduler_active_warps);
  v.field({"max_warps", Unit::count, 1, 256, "resident warps of an SM"}, c.max_warps);
  v.field({"max_ctas", Unit::count, 1, 256, "resident CTAs of an SM"}, c.max_ctas);
  v.field({"max_threads_per_cta", Unit::count, 32, 8192, "threads of one CTA"},
          c.max_threads_per_cta);
  v.group("front_end", c.front_end);
  v.group("register_file", c.register_file);
  v.group("pipes", c.pipes);
  v.group("lsu", c.lsu);
  v.group("l1", c.l1);
  v.group("shared", c.shared);
}

} // namespace coulomb::config
