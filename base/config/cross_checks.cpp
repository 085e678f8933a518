// SPDX-License-Identifier: Apache-2.0
#include "base/config/cross_checks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>
#include <string_view>

namespace coulomb::config {
namespace {

constexpr std::uint32_t kModelLine = 128;  ///< bytes, as timing::kLineBytes
constexpr std::uint32_t kModelSector = 32; ///< bytes, as timing::kSectorBytes

class Checker {
public:
  explicit Checker(std::vector<CrossProblem>& problems) : problems_(problems) {}

  void require(bool holds, std::string_view key, std::string text) {
    if (!holds) {
      problems_.push_back({std::string(key), std::move(text)});
    }
  }
  void power_of_two(std::string_view key, std::uint32_t value) {
    require(std::has_single_bit(value), key, fmt::format("{} is not a power of two", value));
  }
  void
  multiple(std::string_view key, std::uint64_t value, std::string_view of, std::uint64_t divisor) {
    require(divisor != 0 && value % divisor == 0, key,
            fmt::format("{} is not a multiple of {} = {}", value, of, divisor));
  }

private:
  std::vector<CrossProblem>& problems_;
};

void check_sm(const SmConfig& sm, Checker& check) {
  check.multiple("sm.max_warps", sm.max_warps, "sm.warp_schedulers", sm.warp_schedulers);
  check.multiple("sm.register_file.registers", sm.register_file.registers, "sm.warp_schedulers",
                 sm.warp_schedulers);
  check.require(sm.max_threads_per_cta <= sm.max_warps * 32, "sm.max_threads_per_cta",
                fmt::format("{} threads do not fit sm.max_warps = {} warps of 32",
                            sm.max_threads_per_cta, sm.max_warps));
  check.require(sm.pipes.imad.units <= sm.pipes.fma.units, "sm.pipes.imad.units",
                fmt::format("{} exceeds sm.pipes.fma.units = {}, the units that IMAD shares",
                            sm.pipes.imad.units, sm.pipes.fma.units));
  check.power_of_two("sm.register_file.banks", sm.register_file.banks);
  check.power_of_two("sm.lsu.banks", sm.lsu.banks);
  check.power_of_two("sm.front_end.icache_line", sm.front_end.icache_line);
  check.power_of_two("sm.front_end.constant_line", sm.front_end.constant_line);
  check.multiple("sm.front_end.l0_icache_size", sm.front_end.l0_icache_size,
                 "sm.front_end.icache_line", sm.front_end.icache_line);
  check.multiple("sm.front_end.l1_icache_size", sm.front_end.l1_icache_size,
                 "sm.front_end.icache_line", sm.front_end.icache_line);
  check.multiple("sm.front_end.constant_cache_size", sm.front_end.constant_cache_size,
                 "sm.front_end.constant_line", sm.front_end.constant_line);
}

void check_l1(const SmConfig& sm, Checker& check) {
  check.power_of_two("sm.l1.line", sm.l1.line);
  check.power_of_two("sm.l1.sector", sm.l1.sector);
  check.multiple("sm.l1.line", sm.l1.line, "sm.l1.sector", sm.l1.sector);
  check.multiple("sm.l1.size", sm.l1.size, "sm.l1.line", sm.l1.line);
  // The timing model has these sizes built in; a value that it would ignore is refused.
  if (std::has_single_bit(sm.l1.line) && sm.l1.sector != 0 && sm.l1.line % sm.l1.sector == 0) {
    check.require(sm.l1.line == kModelLine, "sm.l1.line",
                  fmt::format("{}: the model has lines of {} bytes only", sm.l1.line, kModelLine));
    check.require(
        sm.l1.sector == kModelSector, "sm.l1.sector",
        fmt::format("{}: the model has sectors of {} bytes only", sm.l1.sector, kModelSector));
  }
  const auto& carveouts = sm.shared.carveouts;
  if (carveouts.empty()) {
    check.require(false, "sm.shared.carveouts", "at least one carve-out is needed");
    return;
  }
  check.require(std::is_sorted(carveouts.begin(), carveouts.end(), std::less_equal<>()),
                "sm.shared.carveouts", "sizes are not ascending");
  const std::uint32_t largest = *std::max_element(carveouts.begin(), carveouts.end());
  check.require(
      largest < sm.l1.size, "sm.shared.carveouts",
      fmt::format("the largest, {}, leaves nothing of sm.l1.size = {} to L1", largest, sm.l1.size));
  check.require(
      sm.shared.max_per_cta + sm.shared.reserved_per_cta <= largest, "sm.shared.max_per_cta",
      fmt::format("{} and sm.shared.reserved_per_cta = {} exceed the largest carve-out, {}",
                  sm.shared.max_per_cta, sm.shared.reserved_per_cta, largest));
  check.require(sm.shared.max_static_per_cta <= sm.shared.max_per_cta,
                "sm.shared.max_static_per_cta",
                fmt::format("{} exceeds sm.shared.max_per_cta = {}", sm.shared.max_static_per_cta,
                            sm.shared.max_per_cta));
}

void check_l2(const GpuConfig& gpu, Checker& check) {
  const L2Config& l2 = gpu.l2;
  check.power_of_two("l2.line", l2.line);
  check.power_of_two("l2.sector", l2.sector);
  check.multiple("l2.line", l2.line, "l2.sector", l2.sector);
  check.require(l2.line == kModelLine || !std::has_single_bit(l2.line) || l2.sector == 0 ||
                    l2.line % l2.sector != 0,
                "l2.line",
                fmt::format("{}: the model has lines of {} bytes only", l2.line, kModelLine));
  check.multiple("l2.slice_size", l2.slice_size, "l2.associativity × l2.line",
                 std::uint64_t{l2.associativity} * l2.line);
  check.multiple("l2.slices", l2.slices, "l2.partitions", l2.partitions);
  check.multiple("l2.partition_granule", l2.partition_granule, "l2.line", l2.line);
  check.require(l2.hit_latency > gpu.sm.l1.hit_latency_32, "l2.hit_latency",
                fmt::format("{} does not exceed sm.l1.hit_latency_32 = {}", l2.hit_latency,
                            gpu.sm.l1.hit_latency_32));
  check.require(l2.sector == gpu.sm.l1.sector, "l2.sector",
                fmt::format("{} differs from sm.l1.sector = {}", l2.sector, gpu.sm.l1.sector));
  const auto& split = l2.sms_per_partition;
  if (split.empty()) {
    return;
  }
  check.require(split.size() == l2.partitions, "l2.sms_per_partition",
                fmt::format("{} values for l2.partitions = {}", split.size(), l2.partitions));
  const std::uint64_t sum = std::accumulate(split.begin(), split.end(), std::uint64_t{0});
  check.require(sum == gpu.sms, "l2.sms_per_partition",
                fmt::format("sums to {}, but sms = {}; [] spreads the SMs evenly", sum, gpu.sms));
}

void check_dram(const GpuConfig& gpu, Checker& check) {
  const DramConfig& dram = gpu.dram;
  check.power_of_two("dram.row_bytes", dram.row_bytes);
  check.multiple("dram.row_bytes", dram.row_bytes, "l2.line", gpu.l2.line);
  check.require(
      dram.t_ras_ns >= dram.t_rcd_ns, "dram.t_ras_ns",
      fmt::format("{} ns is less than dram.t_rcd_ns = {} ns", dram.t_ras_ns, dram.t_rcd_ns));
  check.require(
      dram.t_rfc_ns < dram.t_refi_ns, "dram.t_rfc_ns",
      fmt::format("{} ns is not less than dram.t_refi_ns = {} ns", dram.t_rfc_ns, dram.t_refi_ns));
}

} // namespace

std::vector<CrossProblem> cross_checks(const GpuConfig& config) {
  std::vector<CrossProblem> problems;
  Checker check(problems);
  check.require(config.architecture == 80 || config.architecture == 86, "architecture",
                fmt::format("{} is not one of: 80, 86", config.architecture));
  check.require((config.chip == "GA100") == (config.architecture == 80), "architecture",
                fmt::format("{} does not belong to chip {}", config.architecture, config.chip));
  check_sm(config.sm, check);
  check_l1(config.sm, check);
  check_l2(config, check);
  check_dram(config, check);
  return problems;
}

} // namespace coulomb::config
