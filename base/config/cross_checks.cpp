// SPDX-License-Identifier: Apache-2.0
#include "base/config/cross_checks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <fmt/format.h>
#include <numeric>

namespace coulomb::config {
namespace {

constexpr std::uint32_t kModelLine = 128;  ///< bytes, as timing::kLineBytes
constexpr std::uint32_t kModelSector = 32; ///< bytes, as timing::kSectorBytes
constexpr std::uint32_t kModelTlbWays = 8;
constexpr std::uint32_t kWarpSize = 32; ///< threads

using Keys = std::vector<std::string>;

/// One parameter of a relation.
struct Value {
  const char* key;
  std::uint64_t value;
};

class Checker {
public:
  explicit Checker(std::vector<CrossProblem>& problems) : problems_(problems) {}

  void require(bool holds, const char* key, Keys others, std::string text) {
    if (!holds) {
      problems_.push_back({key, std::move(text), std::move(others)});
    }
  }
  void power_of_two(const char* key, std::uint32_t value) {
    require(std::has_single_bit(value), key, {}, fmt::format("{} is not a power of two", value));
  }
  void multiple(const Value& of, const Value& divisor) {
    multiple(of, fmt::format("{} = {}", divisor.key, divisor.value), divisor.value, {divisor.key});
  }
  void multiple(const Value& of, const Value& a, const Value& b) {
    multiple(of, fmt::format("{} x {} = {}", a.key, b.key, a.value * b.value), a.value * b.value,
             {a.key, b.key});
  }
  /// `what` stands for `divisor` in the message.
  void multiple(const Value& of, const std::string& what, std::uint64_t divisor, Keys others) {
    if (divisor != 0 && of.value % divisor == 0) {
      return;
    }
    std::string text = fmt::format("{} is not a multiple of {}", of.value, what);
    if (divisor != 0) {
      const std::uint64_t below = of.value / divisor * divisor;
      text += below == 0 ? fmt::format("; nearest: {}", divisor)
                         : fmt::format("; nearest: {}, {}", below, below + divisor);
    }
    require(false, of.key, std::move(others), std::move(text));
  }
  void at_most(const Value& value, const Value& limit, const char* why) {
    require(value.value <= limit.value, value.key, {limit.key},
            fmt::format("{} exceeds {} = {}{}", value.value, limit.key, limit.value, why));
  }

private:
  std::vector<CrossProblem>& problems_;
};

void check_sm(const SmConfig& sm, Checker& check) {
  const Value schedulers{"sm.warp_schedulers", sm.warp_schedulers};
  const Value warps{"sm.max_warps", sm.max_warps};
  const Value threads{"sm.max_threads_per_cta", sm.max_threads_per_cta};
  check.multiple(warps, schedulers);
  check.multiple(threads, fmt::format("the {} threads of a warp", kWarpSize), kWarpSize, {});
  check.require(sm.max_threads_per_cta <= sm.max_warps * kWarpSize, threads.key, {warps.key},
                fmt::format("{} threads do not fit sm.max_warps = {} warps of {}; allowed: {} to "
                            "{}",
                            sm.max_threads_per_cta, sm.max_warps, kWarpSize, kWarpSize,
                            sm.max_warps * kWarpSize));
  check.at_most({"sm.pipes.imad.units", sm.pipes.imad.units},
                {"sm.pipes.fma.units", sm.pipes.fma.units}, ", the units that IMAD shares");
  // Each sub-core has its own part, out of which whole warps are served.
  check.multiple({"sm.register_file.registers", sm.register_file.registers}, schedulers,
                 {"sm.register_file.allocation_unit", sm.register_file.allocation_unit});
}

void check_register_file(const RegisterFileConfig& file, Checker& check) {
  const bool asymmetric = file.bank_mapping == "asymmetric";
  if (!asymmetric) {
    check.power_of_two("sm.register_file.banks", file.banks);
  }
  const auto one_per_bank = [&](const std::vector<std::uint32_t>& list, const char* key) {
    check.require(
        list.size() == file.banks, key, {"sm.register_file.banks"},
        fmt::format("{} values for sm.register_file.banks = {}", list.size(), file.banks));
  };
  if (asymmetric) {
    one_per_bank(file.bank_shares, "sm.register_file.bank_shares");
  }
  if (!file.bank_ports.empty()) {
    one_per_bank(file.bank_ports, "sm.register_file.bank_ports");
  }
}

void check_front_end(const FrontEndConfig& front, Checker& check) {
  const Value line{"sm.front_end.icache_line", front.icache_line};
  const Value constant_line{"sm.front_end.constant_line", front.constant_line};
  check.power_of_two(line.key, front.icache_line);
  check.power_of_two(constant_line.key, front.constant_line);
  check.multiple({"sm.front_end.l0_icache_size", front.l0_icache_size}, line);
  check.multiple({"sm.front_end.l1_icache_size", front.l1_icache_size}, line);
  check.at_most({"sm.front_end.l0_icache_size", front.l0_icache_size},
                {"sm.front_end.l1_icache_size", front.l1_icache_size}, ", which backs it");
  check.multiple({"sm.front_end.constant_cache_size", front.constant_cache_size}, constant_line);
}

void check_l1(const SmConfig& sm, Checker& check) {
  const Value line{"sm.l1.line", sm.l1.line};
  const Value sector{"sm.l1.sector", sm.l1.sector};
  check.power_of_two("sm.lsu.banks", sm.lsu.banks);
  check.power_of_two(line.key, sm.l1.line);
  check.power_of_two(sector.key, sm.l1.sector);
  check.multiple(line, sector);
  check.multiple({"sm.l1.size", sm.l1.size}, line);
  check.at_most({"sm.l1.prefetch.distance", sm.l1.prefetch.distance},
                {"sm.l1.prefetch.max_distance", sm.l1.prefetch.max_distance}, "");
  // The timing model has these sizes built in; a value that it would ignore is refused.
  if (std::has_single_bit(sm.l1.line) && sm.l1.sector != 0 && sm.l1.line % sm.l1.sector == 0) {
    check.require(sm.l1.line == kModelLine, line.key, {},
                  fmt::format("{}: the model has lines of {} bytes only", sm.l1.line, kModelLine));
    check.require(
        sm.l1.sector == kModelSector, sector.key, {},
        fmt::format("{}: the model has sectors of {} bytes only", sm.l1.sector, kModelSector));
  }
}

void check_tlb(const TlbConfig& tlb, Checker& check) {
  check.power_of_two("tlb.page_size", tlb.page_size);
  check.multiple({"tlb.outer_entries", tlb.outer_entries},
                 fmt::format("the {} ways of the model", kModelTlbWays), kModelTlbWays, {});
}

void check_shared(const SmConfig& sm, Checker& check) {
  constexpr const char* kCarveouts = "sm.shared.carveouts";
  const auto& carveouts = sm.shared.carveouts;
  if (carveouts.empty()) {
    check.require(false, kCarveouts, {}, "at least one carve-out is needed");
    return;
  }
  check.require(std::is_sorted(carveouts.begin(), carveouts.end(), std::less_equal<>()), kCarveouts,
                {}, "sizes are not ascending");
  for (const std::uint32_t size : carveouts) {
    check.multiple({kCarveouts, size}, {"sm.l1.line", sm.l1.line});
  }
  const std::uint32_t largest = *std::max_element(carveouts.begin(), carveouts.end());
  check.require(
      largest < sm.l1.size, kCarveouts, {"sm.l1.size"},
      fmt::format("the largest, {}, leaves nothing of sm.l1.size = {} to L1", largest, sm.l1.size));
  check.require(
      sm.shared.max_per_cta + sm.shared.reserved_per_cta <= largest, "sm.shared.max_per_cta",
      {"sm.shared.reserved_per_cta", kCarveouts},
      fmt::format("{} and sm.shared.reserved_per_cta = {} exceed the largest carve-out, {}",
                  sm.shared.max_per_cta, sm.shared.reserved_per_cta, largest));
  check.at_most({"sm.shared.max_static_per_cta", sm.shared.max_static_per_cta},
                {"sm.shared.max_per_cta", sm.shared.max_per_cta}, "");
}

void check_l2(const GpuConfig& gpu, Checker& check) {
  const L2Config& l2 = gpu.l2;
  const Value line{"l2.line", l2.line};
  const Value slices{"l2.slices", l2.slices};
  check.power_of_two(line.key, l2.line);
  check.power_of_two("l2.sector", l2.sector);
  check.multiple(line, {"l2.sector", l2.sector});
  check.require(l2.line == kModelLine || !std::has_single_bit(l2.line) || l2.sector == 0 ||
                    l2.line % l2.sector != 0,
                line.key, {},
                fmt::format("{}: the model has lines of {} bytes only", l2.line, kModelLine));
  check.multiple({"l2.slice_size", l2.slice_size}, {"l2.associativity", l2.associativity}, line);
  check.multiple(slices, {"l2.partitions", l2.partitions});
  // Each channel stands behind the same number of slices.
  check.multiple(slices, {"dram.channels", gpu.dram.channels});
  check.multiple({"l2.partition_granule", l2.partition_granule}, line);
  check.require(l2.hit_latency > gpu.sm.l1.hit_latency_32, "l2.hit_latency",
                {"sm.l1.hit_latency_32"},
                fmt::format("{} does not exceed sm.l1.hit_latency_32 = {}", l2.hit_latency,
                            gpu.sm.l1.hit_latency_32));
  check.require(l2.sector == gpu.sm.l1.sector, "l2.sector", {"sm.l1.sector"},
                fmt::format("{} differs from sm.l1.sector = {}", l2.sector, gpu.sm.l1.sector));
  const auto& split = l2.sms_per_partition;
  if (split.empty()) {
    return;
  }
  check.require(split.size() == l2.partitions, "l2.sms_per_partition", {"l2.partitions"},
                fmt::format("{} values for l2.partitions = {}", split.size(), l2.partitions));
  const std::uint64_t sum = std::accumulate(split.begin(), split.end(), std::uint64_t{0});
  check.require(sum == gpu.sms, "l2.sms_per_partition", {"sms"},
                fmt::format("sums to {}, but sms = {}; [] spreads the SMs evenly", sum, gpu.sms));
}

void check_dram(const GpuConfig& gpu, Checker& check) {
  const DramConfig& dram = gpu.dram;
  check.power_of_two("dram.row_bytes", dram.row_bytes);
  check.multiple({"dram.row_bytes", dram.row_bytes}, {"l2.line", gpu.l2.line});
  check.multiple({"dram.banks", dram.banks}, {"dram.bank_groups", dram.bank_groups});
  check.at_most({"dram.burst_clocks", dram.burst_clocks},
                {"dram.t_ccd_s_clocks", dram.t_ccd_s_clocks},
                ": bursts would meet on the data bus");
  check.at_most({"dram.t_ccd_s_clocks", dram.t_ccd_s_clocks},
                {"dram.t_ccd_l_clocks", dram.t_ccd_l_clocks}, "");
  check.require(
      dram.t_ras_ns >= dram.t_rcd_ns, "dram.t_ras_ns", {"dram.t_rcd_ns"},
      fmt::format("{} ns is less than dram.t_rcd_ns = {} ns", dram.t_ras_ns, dram.t_rcd_ns));
  check.require(
      dram.t_rfc_ns < dram.t_refi_ns, "dram.t_rfc_ns", {"dram.t_refi_ns"},
      fmt::format("{} ns is not less than dram.t_refi_ns = {} ns", dram.t_rfc_ns, dram.t_refi_ns));
}

void check_power(const GpuConfig& gpu, Checker& check) {
  const VoltageConfig& curve = gpu.power.voltage;
  constexpr const char* kClocks = "power.voltage.clocks_mhz";
  constexpr const char* kPermille = "power.voltage.permille";
  check.require(curve.clocks_mhz.size() >= 2, kClocks, {}, "a curve takes at least two clocks");
  check.require(
      std::is_sorted(curve.clocks_mhz.begin(), curve.clocks_mhz.end(), std::less_equal<>()),
      kClocks, {}, "clocks are not ascending");
  check.require(curve.permille.size() == curve.clocks_mhz.size(), kPermille, {kClocks},
                fmt::format("{} values for the {} clocks of {}", curve.permille.size(),
                            curve.clocks_mhz.size(), kClocks));
  check.require(std::is_sorted(curve.permille.begin(), curve.permille.end()), kPermille, {},
                "the voltage falls where the clock rises");
  const PowerLimitConfig& limit = gpu.power.limit;
  check.require(limit.lowest_clock_mhz <= limit.highest_clock_mhz, "power.limit.lowest_clock_mhz",
                {"power.limit.highest_clock_mhz"},
                fmt::format("{} exceeds power.limit.highest_clock_mhz = {}", limit.lowest_clock_mhz,
                            limit.highest_clock_mhz));
  check.require(limit.minimum_w <= limit.board_w && limit.board_w <= limit.maximum_w,
                "power.limit.board_w", {"power.limit.minimum_w", "power.limit.maximum_w"},
                fmt::format("{} W is not within power.limit.minimum_w = {} and "
                            "power.limit.maximum_w = {}",
                            limit.board_w, limit.minimum_w, limit.maximum_w));
  check.require(gpu.power.thermal.ambient_c < gpu.power.thermal.slowdown_c,
                "power.thermal.ambient_c", {"power.thermal.slowdown_c"},
                fmt::format("{} C is not below power.thermal.slowdown_c = {} C",
                            gpu.power.thermal.ambient_c, gpu.power.thermal.slowdown_c));
}

} // namespace

std::vector<CrossProblem> cross_checks(const GpuConfig& config) {
  std::vector<CrossProblem> problems;
  Checker check(problems);
  check.require(config.architecture == 80 || config.architecture == 86, "architecture", {},
                fmt::format("{} is not one of: 80, 86", config.architecture));
  check.require((config.chip == "GA100") == (config.architecture == 80), "architecture", {"chip"},
                fmt::format("{} does not belong to chip {}; allowed: {}", config.architecture,
                            config.chip, config.chip == "GA100" ? 80 : 86));
  check_sm(config.sm, check);
  check_register_file(config.sm.register_file, check);
  check_front_end(config.sm.front_end, check);
  check_l1(config.sm, check);
  check_shared(config.sm, check);
  check_l2(config, check);
  check_tlb(config.tlb, check);
  check_dram(config, check);
  check_power(config, check);
  return problems;
}

} // namespace coulomb::config
