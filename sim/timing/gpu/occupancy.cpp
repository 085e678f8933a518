// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/gpu/occupancy.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace coulomb::timing::gpu {
namespace {

std::uint32_t round_up(std::uint32_t value, std::uint32_t unit) {
  return (value + unit - 1) / unit * unit;
}

std::string refusal(const config::SmConfig& sm,
                    const CtaResources& cta,
                    std::uint32_t registers_per_warp,
                    std::uint32_t warps) {
  if (cta.threads == 0 || cta.threads > sm.max_threads_per_cta) {
    return fmt::format("{} threads per block, allowed 1 to {}", cta.threads,
                       sm.max_threads_per_cta);
  }
  if (cta.max_threads != 0 && cta.threads > cta.max_threads) {
    return fmt::format("{} threads per block, __launch_bounds__ allows {}", cta.threads,
                       cta.max_threads);
  }
  const std::uint32_t needed = registers_per_warp * round_up(warps, sm.warp_schedulers);
  if (needed > sm.register_file.registers) {
    return fmt::format("too many registers: {} per thread in {} warps need {}, an SM has {}",
                       cta.registers_per_thread, warps, needed, sm.register_file.registers);
  }
  if (cta.static_shared_bytes > sm.shared.max_static_per_cta) {
    return fmt::format("too much static shared memory: {} bytes, allowed {}",
                       cta.static_shared_bytes, sm.shared.max_static_per_cta);
  }
  const std::uint32_t shared = cta.static_shared_bytes + cta.dynamic_shared_bytes;
  if (shared > sm.shared.max_per_cta) {
    return fmt::format("too much shared memory: {} bytes, allowed {}", shared,
                       sm.shared.max_per_cta);
  }
  return {};
}

} // namespace

OccupancyResult
occupancy(const config::GpuConfig& gpu, const CtaResources& cta, std::uint64_t grid_ctas) {
  const auto& sm = gpu.sm;
  OccupancyResult result;
  const std::uint32_t warps = (cta.threads + 31) / 32;
  const std::uint32_t registers_per_warp =
      round_up(32 * std::max(1U, cta.registers_per_thread), sm.register_file.allocation_unit);
  result.invalid = refusal(sm, cta, registers_per_warp, warps);
  if (!result.invalid.empty()) {
    return result;
  }
  const std::uint32_t by_warps = sm.max_warps / warps;
  const std::uint32_t warps_per_sub_core =
      sm.register_file.registers / sm.warp_schedulers / registers_per_warp;
  const std::uint32_t by_registers = warps_per_sub_core * sm.warp_schedulers / warps;
  const std::uint32_t shared_per_cta =
      round_up(cta.static_shared_bytes + cta.dynamic_shared_bytes + sm.shared.reserved_per_cta,
               sm.shared.granularity);
  const std::uint32_t largest =
      sm.shared.carveouts.empty() ? sm.shared.max_per_cta : sm.shared.carveouts.back();
  const std::uint32_t by_shared = largest / shared_per_cta;

  struct Limit {
    std::uint32_t ctas;
    const char* name;
  };
  const Limit limits[] = {{by_warps, "warps"},
                          {sm.max_ctas, "CTA slots"},
                          {by_registers, "registers"},
                          {by_shared, "shared memory"}};
  const Limit* least = &limits[0];
  for (const auto& l : limits) {
    least = l.ctas < least->ctas ? &l : least;
  }
  result.ctas_per_sm = least->ctas;
  result.limiter = least->name;
  if (result.ctas_per_sm == 0) {
    result.invalid = fmt::format("no CTA fits an SM: limited by {}", least->name);
    return result;
  }
  const std::uint64_t share = (grid_ctas + gpu.sms - 1) / gpu.sms;
  if (share < result.ctas_per_sm) {
    result.ctas_per_sm = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, share));
    result.limiter = "grid";
  }
  result.warps_per_sm = result.ctas_per_sm * warps;
  const std::uint32_t wanted = shared_per_cta * result.ctas_per_sm;
  result.carveout_bytes = largest;
  for (const std::uint32_t c : sm.shared.carveouts) {
    if (c >= wanted) {
      result.carveout_bytes = c;
      break;
    }
  }
  result.l1_bytes = sm.l1.size - std::min(result.carveout_bytes, sm.l1.size);
  return result;
}

} // namespace coulomb::timing::gpu
