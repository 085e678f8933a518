// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/cubin.hpp"

#include <vector>

namespace coulomb::functional {

/// For each instruction of the kernel, whether control can get to it from the entry. Padding behind
/// the last branch is not reachable. Where an indirect call or jump has no list of targets,
/// everything is taken to be. Throws UserError for a branch out of the section.
[[nodiscard]] std::vector<bool> reachable_code(const isa::KernelImage& kernel);

} // namespace coulomb::functional
