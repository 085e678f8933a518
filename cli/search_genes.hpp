// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_catalogue.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <string>
#include <vector>

namespace coulomb::cli {

/// Makes keys of the GPU file parameters of the search, so that kernel and GPU are searched
/// together: each of `genes` is KEY=V1,V2,..., e.g. "sm.l1.size=192 KiB,256 KiB", values in the
/// order in which the search shall step through them. The default is the GPU's own value if it is
/// listed, else the first. Throws UserError: no such key (did you mean), a value that the key
/// cannot have, fewer than two values, a key given twice or changed by --set, too.
void add_gpu_genes(const std::vector<std::string>& genes,
                   const config::ResolvedGpu& gpu,
                   kernel::TunableSpec& spec);

} // namespace coulomb::cli
