// SPDX-License-Identifier: Apache-2.0
#include "sim/power/area.hpp"

#include <cmath>
#include <numeric>

namespace coulomb::power {
namespace {

constexpr double kKib = 1024.0;
constexpr double kMib = 1024.0 * kKib;
constexpr double kRegisterBytes = 4.0;
constexpr double kWarpLanes = 32.0;
constexpr double kHmmaFmas = 2048.0; ///< of the HMMA.16816 that tensor intervals are stated for
constexpr double kPortShare = 0.5;   ///< of the register file that another read port adds

double lanes(const config::PipeConfig& pipe) {
  return kWarpLanes * pipe.units / pipe.interval;
}

/// 32-bit lanes of an SM; FP64 ones are two.
double vector_lanes(const config::SmConfig& sm) {
  const config::PipesConfig& pipes = sm.pipes;
  const double fp64 =
      2.0 * lanes(pipes.fp64) * (pipes.fp64_shared_by_sm ? 1.0 : sm.warp_schedulers);
  return sm.warp_schedulers * (lanes(pipes.fma) + lanes(pipes.alu)) + fp64;
}

double tensor_fmas(const config::SmConfig& sm) {
  return sm.warp_schedulers * sm.pipes.tensor.units * kHmmaFmas / sm.pipes.tensor.fp16_interval;
}

} // namespace

AreaEstimate estimate_area(const config::GpuConfig& gpu) {
  const config::AreaConfig& area = gpu.area;
  const config::SmConfig& sm = gpu.sm;
  const double sms = gpu.sms / area.sm_enabled;
  const double ports = 1.0 + kPortShare * (sm.register_file.read_ports - 1.0);
  const std::array per_sm = {
      area.register_file_kib * sm.register_file.registers * kRegisterBytes / kKib * ports,
      area.l1_kib * sm.l1.size / kKib,
      area.lane * vector_lanes(sm),
      area.tensor_fma * tensor_fmas(sm),
      area.warp_slot * sm.max_warps,
      area.sm_other,
  };
  AreaEstimate result;
  for (std::size_t i = 0; i < per_sm.size(); ++i) {
    result.mm2[i] = sms * per_sm[i];
    result.sm_mm2 += per_sm[i];
  }
  result.mm2[6] = sms * area.crossbar_sm;
  result.mm2[7] = area.l2_mib * gpu.l2.slices * gpu.l2.slice_size / kMib / area.l2_enabled;
  result.mm2[8] = area.dram_channel * gpu.dram.channels / area.dram_enabled;
  result.mm2[9] = area.fixed;
  result.total_mm2 = std::accumulate(result.mm2.begin(), result.mm2.end(), 0.0);
  result.band_mm2 = area.error_band * result.total_mm2;
  return result;
}

bool same_area(const config::GpuConfig& gpu, double a_mm2, double b_mm2) {
  // Most of the band is common to designs of one chip; a change of a block is known to 30 %
  // (docs/power.md), so two designs are told apart by the band of their difference only if that is
  // above 5 % of the die.
  constexpr double kTie = 0.05;
  return std::abs(a_mm2 - b_mm2) <
         kTie * std::min(estimate_area(gpu).total_mm2, std::max(a_mm2, b_mm2));
}

} // namespace coulomb::power
