// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <array>
#include <string_view>

namespace coulomb::power {

/// Parts of a die.
inline constexpr std::array<std::string_view, 10> kAreaBlocks = {
    "register_file", "l1_shared", "vector_pipes", "tensor_cores",    "warp_slots",
    "sm_other",      "crossbar",  "l2",           "dram_interfaces", "fixed"};

/// mm2 of the whole die: units that are there, enabled or not.
struct AreaEstimate {
  std::array<double, kAreaBlocks.size()> mm2{};
  double total_mm2 = 0.0;
  double sm_mm2 = 0.0;   ///< one SM, without its part of the crossbar
  double band_mm2 = 0.0; ///< the total is known to +- this
};

/// Area of the die that `gpu` describes: counts, sizes and widths of its keys times the areas of
/// [area]. Linear in every size; read ports add half of the register file each (a second port takes
/// about half of a bit cell again: an assumption). Tables of a few bytes (miss status, prefetch)
/// are not counted.
[[nodiscard]] AreaEstimate estimate_area(const config::GpuConfig& gpu);

/// The two areas cannot be told apart: they differ by less than the error of a block change.
[[nodiscard]] bool same_area(const config::GpuConfig& gpu, double a_mm2, double b_mm2);

} // namespace coulomb::power
