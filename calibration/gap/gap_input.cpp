// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_input.hpp"

#include "base/error.hpp"
#include "base/eval/features.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace coulomb::calibration {
namespace {

struct Choice {
  std::string_view name;
  Transform transform;
  double resolution;
};

/// A per cent of a share, five per cent of what is compared by its logarithm.
constexpr double kShare = 0.01;
constexpr double kLog = 0.05;
constexpr Transform kIdentity = Transform::identity;
constexpr Transform kLog1p = Transform::log1p;

constexpr auto kChoices = std::to_array<Choice>({
    // Issue: ports, pipe rates, register-bank conflicts, and what draws power, hence the clock.
    {"inst_per_cycle_active", kIdentity, 0.05},
    {"pipe_fma_per_cycle", kIdentity, 0.05},
    {"pipe_alu_share", kIdentity, kShare},
    {"pipe_xu_share", kIdentity, kShare},
    {"pipe_lsu_share", kIdentity, kShare},
    {"code_reused_operands_per_inst", kIdentity, 0.02},
    // What warps wait for: latencies, queues and their back-pressure.
    {"stall_wait_share", kIdentity, kShare},
    {"stall_long_scoreboard_share", kIdentity, kShare},
    {"stall_short_scoreboard_share", kIdentity, kShare},
    {"stall_barrier_share", kIdentity, kShare},
    {"stall_math_pipe_throttle_share", kIdentity, kShare},
    {"stall_lg_throttle_share", kIdentity, kShare},
    {"stall_mio_throttle_share", kIdentity, kShare},
    {"stall_imc_miss_share", kIdentity, kShare},
    {"stall_no_instruction_share", kIdentity, kShare},
    // Occupancy, waves and their tail: dispatch order, sampling of SMs, ramps.
    {"achieved_occupancy", kIdentity, kShare},
    {"warps_per_cta", kLog1p, kLog},
    {"waves", kLog1p, kLog},
    {"tail_wave_share", kIdentity, 0.02},
    {"inst_per_thread", kLog1p, kLog},
    {"registers", kLog1p, kLog},
    // L1 and shared memory: coalescing, replacement, carve-out, bank conflicts, spills.
    {"global_load_sectors_per_request", kLog1p, kLog},
    {"global_loads_per_inst", kIdentity, kShare},
    {"l1_hit_rate", kIdentity, kShare},
    {"l1_sectors_per_cycle", kLog1p, kLog},
    {"local_sector_share", kIdentity, kShare},
    {"shared_wavefronts_per_cycle", kIdentity, 0.02},
    {"bank_conflict_share", kIdentity, kShare},
    {"shared_bytes", kLog1p, kLog},
    // L2 and DRAM: hash, replacement, efficiency.
    {"l2_read_hit_rate", kIdentity, kShare},
    {"l2_bytes_per_cycle", kLog1p, kLog},
    {"dram_bytes_per_cycle", kLog1p, kLog},
    // Instruction caches: size and prefetch.
    {"icc_miss_rate", kIdentity, kShare},
    {"code_bytes", kLog1p, kLog},
    // Additive costs, which weigh on short kernels, and clocks, which sink in long ones.
    {"time_ms", kLog1p, kLog},
});

std::optional<std::size_t> position(std::string_view name) {
  const auto table = eval::feature_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].name == name) {
      return i;
    }
  }
  return std::nullopt;
}

std::string suggestion(const std::string& name) {
  std::vector<std::string> names;
  for (const eval::Feature& f : eval::feature_table()) {
    names.emplace_back(f.name);
  }
  return did_you_mean(name, names);
}

} // namespace

std::string_view to_string(Transform transform) {
  return transform == Transform::log1p ? "log1p" : "identity";
}

double GapInput::of(std::span<const double> features) const {
  COULOMB_CHECK(feature < features.size(), "feature {} of {}", feature, features.size());
  const double x = features[feature];
  if (!std::isfinite(x)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return transform == Transform::log1p ? std::log1p(std::max(x, 0.0)) : x;
}

std::vector<GapInput> gap_inputs() {
  std::vector<GapInput> inputs;
  for (const Choice& c : kChoices) {
    const auto at = position(c.name);
    COULOMB_CHECK(at.has_value(), "the gap model uses a feature {} that there is not", c.name);
    inputs.push_back({std::string(c.name), c.transform, c.resolution, *at});
  }
  return inputs;
}

GapInput make_gap_input(const std::string& name,
                        const std::string& transform,
                        double resolution,
                        const std::string& where) {
  const auto at = position(name);
  if (!at) {
    throw UserError(fmt::format("{}: the model uses the feature \"{}\", which this version does "
                                "not have{}",
                                where, name, suggestion(name)),
                    "fit the model anew: coulomb calibrate gap OBSERVATIONS --out FILE");
  }
  for (const Transform t : {Transform::identity, Transform::log1p}) {
    if (to_string(t) == transform) {
      return {name, t, resolution, *at};
    }
  }
  throw UserError(fmt::format("{}: the transform of \"{}\" is \"{}\"; allowed: identity, log1p",
                              where, name, transform));
}

} // namespace coulomb::calibration
