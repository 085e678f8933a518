// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/power_config.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::config {

/// Everything the timing model knows about one product. Cycles are SM clocks unless a name says
/// otherwise; sizes are bytes. The files under configs/gpu give every number with its source.

struct FrontEndConfig {
  std::uint32_t branch_latency = 8;     ///< taken branch: cycles until the target can issue, L0 hit
  std::uint32_t l0_icache_size = 32768; ///< per sub-core
  std::uint32_t l1_icache_size = 131072; ///< per SM, also the L1.5 constant cache
  std::uint32_t icache_line = 128;
  std::uint32_t l0_miss_latency = 39; ///< L0 miss that hits L1
  std::uint32_t l1_icache_interval =
      17;                           ///< cycles between two lines that L1 delivers to a sub-core
  std::uint32_t prefetch_depth = 8; ///< lines that the stream buffer runs ahead
  std::uint32_t constant_cache_size = 2048;
  std::uint32_t constant_line = 64;
  std::uint32_t constant_miss_latency = 79; ///< constant operand: L0 miss that hits the next level
  std::uint32_t constant_miss_hold =
      4; ///< cycles the scheduler waits for it before it switches warp
};

struct RegisterFileConfig {
  std::uint32_t registers = 65536;              ///< 32-bit registers per SM
  std::uint32_t allocation_unit = 256;          ///< registers per warp are rounded up to this
  std::uint32_t banks = 2;                      ///< per sub-core, by register number modulo banks
  std::uint32_t read_ports = 1;                 ///< per bank and cycle
  std::uint32_t read_window = 3;                ///< cycles in which all sources must have been read
  std::string bank_mapping = "modulo";          ///< one of kBankMappings
  std::vector<std::uint32_t> bank_shares{1, 1}; ///< of neighbouring registers; asymmetric only
  std::vector<std::uint32_t> bank_ports;        ///< read ports of each bank; empty = read_ports
  std::uint32_t reuse_slots = 1;                ///< reuse entries per bank and operand position
  std::string compression = "off";              ///< one of kRegisterCompressions
  std::uint32_t compression_latency = 2;        ///< cycles added to a result that is compressed
  std::uint32_t decompression_latency = 1;      ///< cycles added to reading a compressed source
};

/// One execution pipe of a sub-core.
struct PipeConfig {
  std::uint32_t units = 1;    ///< identical pipes, used in turn
  std::uint32_t interval = 2; ///< cycles that one warp instruction keeps one unit busy
  std::uint32_t latency = 4;  ///< issue to first dependent issue
};

/// The tensor core of a sub-core. An interval is that of the named shape; other shapes of its kind
/// scale by their FMAs, and sparse ones have half of them.
struct TensorConfig {
  std::uint32_t units = 1;
  std::uint32_t interval = 8; ///< HMMA.16816 with FP32 accumulation (FP16 and BF16 in)
  std::uint32_t latency = 25;
  std::uint32_t fp16_interval = 8; ///< HMMA.16816 with FP16 accumulation
  std::uint32_t fp16_latency = 25;
  std::uint32_t integer_interval = 8; ///< IMMA.16832.S8
  std::uint32_t integer_latency = 26;
  std::uint32_t fp64_interval = 16; ///< DMMA.884
  std::uint32_t fp64_latency = 26;
};

struct PipesConfig {
  PipeConfig fma{1, 2, 4};  ///< FP32 (GA10x: two units, FMAheavy and FMAlite)
  PipeConfig imad{1, 2, 4}; ///< integer multiply-add: shares the FMA units; units it may use
  PipeConfig alu{1, 2, 4};  ///< integer, logic, compare, move
  PipeConfig half{1, 2, 5}; ///< packed half
  PipeConfig xu{1, 8, 17};  ///< MUFU, conversions, POPC, FLO, BREV
  PipeConfig fp64{1, 4, 6};
  bool fp64_shared_by_sm = false; ///< GA10x: one FP64 unit for the four sub-cores, DMMA included
  PipeConfig uniform{1, 2, 4};
  TensorConfig tensor;
};

struct LsuConfig {
  std::uint32_t subcore_queue = 5;    ///< memory instructions that a sub-core holds
  std::uint32_t address_interval = 4; ///< cycles between two address generations of a sub-core
  std::uint32_t accept_interval =
      1; ///< cycles between two instructions that the SM's stage accepts
  std::uint32_t shuffle_interval = 1;    ///< same, between two shuffles
  std::uint32_t tag_lines_per_cycle = 4; ///< tag banks: each looks up one 128-byte line per cycle
  std::uint32_t banks = 32;              ///< of 4 bytes
  std::uint32_t bytes_per_cycle = 128;   ///< data stage
  std::uint32_t writeback_bytes_per_cycle =
      64;                               ///< load results into the register file, per sub-core
  std::uint32_t shared_latency_32 = 24; ///< LDS issue to first dependent issue
  std::uint32_t shared_latency_64 = 24;
  std::uint32_t shared_latency_128 = 26;
  std::uint32_t shared_uniform_latency_32 = 23; ///< same, address without a vector register
  std::uint32_t shared_uniform_latency_64 = 23;
  std::uint32_t shared_uniform_latency_128 = 25;
  std::uint32_t shared_atomic_overhead =
      4;                               ///< stage held by a read-modify-write, beside its passes
  std::uint32_t load_release = 11;     ///< LDG: issue to release of the source registers
  std::uint32_t store_release_32 = 14; ///< STG
  std::uint32_t store_release_64 = 16;
  std::uint32_t store_release_128 = 20;
  std::uint32_t shared_load_release = 9;      ///< LDS
  std::uint32_t shared_store_release_32 = 12; ///< STS
  std::uint32_t shared_store_release_64 = 14;
  std::uint32_t shared_store_release_128 = 18;
  std::uint32_t uniform_load_release = 9;      ///< LDG, LDS: address without a vector register
  std::uint32_t uniform_store_release_32 = 10; ///< STG, STS
  std::uint32_t uniform_store_release_64 = 12;
  std::uint32_t uniform_store_release_128 = 16;
  std::uint32_t async_copy_release = 13; ///< LDGSTS
  std::uint32_t shuffle_latency = 23;
  std::uint32_t constant_load_latency = 26; ///< LDC, immediate address
  std::uint32_t constant_load_release = 10;
  std::uint32_t constant_indexed_latency = 29; ///< LDC, address in a vector register
  std::uint32_t constant_indexed_release = 29;
  std::uint32_t special_register_latency = 25; ///< S2R
  std::uint32_t barrier_latency = 20;          ///< last arrival at BAR.SYNC to release
};

/// Prefetcher of an SM's L1, see sim/timing/sm/stride_prefetcher.hpp.
struct L1PrefetchConfig {
  std::string policy = "off";       ///< one of kPrefetchPolicies
  std::uint32_t table_entries = 16; ///< static loads that it follows
  std::uint32_t distance = 2;       ///< strides; adaptive: at the start
  std::uint32_t max_distance = 16;  ///< adaptive only
};

struct L1Config {
  std::uint32_t size = 196608; ///< L1 and shared memory together
  std::uint32_t line = 128;
  std::uint32_t sector = 32;
  std::uint32_t associativity = 0;   ///< ways; 0 = fully associative within a set of 64 lines
  std::uint32_t hit_latency_32 = 32; ///< LDG issue to first dependent issue, hit, 4 bytes per lane
  std::uint32_t hit_latency_64 = 34;
  std::uint32_t hit_latency_128 = 38;
  std::uint32_t uniform_hit_latency_32 = 29; ///< same, address without a vector register
  std::uint32_t uniform_hit_latency_64 = 31;
  std::uint32_t uniform_hit_latency_128 = 35;
  std::uint32_t async_copy_latency = 39;   ///< LDGSTS, hit, any width
  std::uint32_t miss_status_entries = 256; ///< outstanding sector misses
  std::uint32_t fill_bytes_per_cycle = 64; ///< crossbar response port of the SM
  std::uint32_t request_interval = 1;      ///< cycles between two requests into the crossbar
  std::uint32_t store_entries = 256; ///< lines stored whose acknowledgement from L2 is outstanding
  L1PrefetchConfig prefetch;
};

struct SharedMemoryConfig {
  std::vector<std::uint32_t> carveouts; ///< bytes, ascending
  std::uint32_t max_per_cta = 166912;   ///< with opt-in
  std::uint32_t max_static_per_cta = 49152;
  std::uint32_t reserved_per_cta = 1024;
  std::uint32_t granularity = 128;
};

struct SmConfig {
  std::uint32_t warp_schedulers = 4;
  std::string scheduler_policy = "native";  ///< one of kSchedulerPolicies
  std::uint32_t scheduler_active_warps = 4; ///< of each scheduler, two_level only
  std::uint32_t max_warps = 64;
  std::uint32_t max_ctas = 32;
  std::uint32_t max_threads_per_cta = 1024;
  FrontEndConfig front_end;
  RegisterFileConfig register_file;
  PipesConfig pipes;
  LsuConfig lsu;
  L1Config l1;
  SharedMemoryConfig shared;
};

struct L2Config {
  std::uint32_t slices = 80;
  std::uint32_t slice_size = 524288;
  std::uint32_t associativity = 16;
  std::uint32_t line = 128;
  std::uint32_t sector = 32;
  std::uint32_t slice_bytes_per_cycle = 64;
  std::uint32_t miss_entries = 1024;     ///< per slice: lines asked for from DRAM
  std::uint32_t write_entries = 64;      ///< per slice: lines on their way to DRAM
  std::uint32_t hit_latency = 207;       ///< LDG issue to first dependent issue, near partition
  std::uint32_t far_extra_latency = 148; ///< added for the other partition
  std::uint32_t partitions = 2;
  std::uint32_t partition_granule = 8192;       ///< bytes that alternate between partitions
  std::vector<std::uint32_t> sms_per_partition; ///< e.g. 62, 46
  double atomic_sector_interval = 1.0; ///< cycles of a slice's atomic unit per sector of a request
  double atomic_same_address_interval = 0.125; ///< cycles between two operations on one address
  std::uint32_t atomic_latency = 4;            ///< read-modify-write, added to a load's latency
};

/// Address translation as one SM sees it.
struct TlbConfig {
  std::uint32_t page_size = 2097152;
  std::uint32_t entries = 16;         ///< of the first level
  std::uint32_t miss_latency = 8;     ///< first-level miss that the outer level has
  std::uint32_t outer_entries = 2048; ///< of the outer level
  std::uint32_t outer_pages = 16;     ///< neighbouring pages that one of them covers
  std::uint32_t walk_latency = 400;   ///< of the page table, after a miss in both
};

struct DramConfig {
  std::string type; ///< HBM2, HBM2e, GDDR6, GDDR6X
  std::uint32_t channels = 80;
  std::uint32_t banks = 16;         ///< per channel
  std::uint32_t bank_groups = 4;    ///< per channel
  std::uint32_t row_bytes = 1024;   ///< per channel
  double channel_gbps = 19.44;      ///< GB/s of one channel, peak
  double latency_ns = 189.0;        ///< added to an L2 hit by an idle DRAM with a row activation
  std::uint32_t burst_clocks = 2;   ///< command clocks in which one sector passes the data bus
  std::uint32_t t_ccd_s_clocks = 2; ///< column to column command, another bank group
  std::uint32_t t_ccd_l_clocks = 4; ///< the same bank group
  double t_rcd_ns = 14.2;
  double t_rp_ns = 14.2;
  double t_cl_ns = 14.2;
  double t_ras_ns = 33.3;
  double t_wtr_ns = 7.0;         ///< end of written data to the next read command
  double t_rtw_ns = 1.7;         ///< bus idle between read and written data
  double t_wr_ns = 15.8;         ///< end of written data to precharge
  double t_rtp_ns = 5.0;         ///< last read command to precharge
  double t_refi_ns = 3900.0;     ///< refresh interval
  double t_rfc_ns = 260.0;       ///< refresh duration
  std::uint32_t queue = 64;      ///< requests that a channel's scheduler sees
  std::uint32_t write_high = 48; ///< queued writes at which the channel turns to writing
  std::uint32_t write_low = 16;  ///< and at which it turns back to reading
};

struct GpuConfig {
  std::string id;                  ///< a100-pcie-40gb
  std::string product;             ///< NVIDIA A100-PCIE-40GB
  std::string chip;                ///< GA100
  std::uint32_t architecture = 80; ///< 80: sm_80
  std::uint32_t sms = 108;
  double sm_clock_mhz = 1410.0; ///< the clock that results are stated at
  double base_clock_mhz = 765.0;
  double memory_clock_mhz = 1215.0;
  double launch_overhead_us =
      2.6; ///< host-visible period of back-to-back empty kernels; not in time_ms
  std::uint32_t kernel_start_cycles = 1000; ///< fixed cost of a kernel inside its own time
  double cta_launch_interval = 1.0;         ///< cycles between two CTA starts, GPU-wide
  SmConfig sm;
  L2Config l2;
  TlbConfig tlb;
  DramConfig dram;
  PowerConfig power;
  AreaConfig area;
};

} // namespace coulomb::config
