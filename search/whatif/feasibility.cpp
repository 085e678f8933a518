// SPDX-License-Identifier: Apache-2.0
#include "search/whatif/feasibility.hpp"

#include "base/error.hpp"
#include "search/whatif/design.hpp"
#include "sim/power/area.hpp"

#include <limits>

namespace coulomb::search {

void check_feasible(const Study& study,
                    const config::GpuConfig& baseline,
                    const SearchSpace& space) {
  constexpr std::size_t kMostTried = 2000;
  RandomStream random(study.seed, "feasible designs");
  double least = std::numeric_limits<double>::infinity();
  kernel::Configuration smallest;
  std::string problem;
  const auto points = space.sample(kMostTried, random);
  for (const Point point : points) {
    const kernel::Configuration genes = space.configuration(point);
    try {
      const config::GpuConfig design = design_gpu(baseline, study.limits, genes);
      const double area = power::estimate_area(design).total_mm2;
      if (!over_area(design, study.limits)) {
        return;
      }
      if (area < least) {
        least = area;
        smallest = genes;
      }
    } catch (const UserError& error) {
      problem = error.what();
    }
  }
  if (smallest.entries().empty()) {
    throw UserError(fmt::format("what-if: none of {} designs is a GPU: {}", points.size(), problem),
                    "relations between keys: give the keys that depend on each other together");
  }
  throw UserError(
      fmt::format("what-if: no design keeps to limits.area_mm2 = {:.1f} mm2; the least of {} is "
                  "{:.1f} mm2, {:.1f} % above it: {}",
                  *study.limits.area_mm2, points.size(), least,
                  100.0 * (least / *study.limits.area_mm2 - 1.0), smallest.key()),
      "raise the limit, or add smaller values to [genes]");
}

} // namespace coulomb::search
