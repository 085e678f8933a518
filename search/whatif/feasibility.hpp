// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "search/space/search_space.hpp"
#include "search/whatif/study.hpp"

namespace coulomb::search {

/// Throws UserError if no design of the study can be: none is a GPU (with the reasons), or none
/// keeps to the area (with the least one and how far it is off). Spaces of more than a few thousand
/// designs are judged by a sample. Power and temperature are not known before a simulation.
void check_feasible(const Study& study,
                    const config::GpuConfig& baseline,
                    const SearchSpace& space);

} // namespace coulomb::search
