// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/cubin.hpp"

#include <map>
#include <string>

namespace coulomb::isa {

/// Static counts of a kernel's machine code: its whole section, so that the NOPs behind the last
/// instruction count, too. The names are the `code.` inputs of eval::feature_table(); every name is
/// there, with 0 if nothing counts. Each instruction is in exactly one of the classes ("int",
/// "logic", "fp32", ...), and may be in further counts ("loads_16b", "predicated", ...).
[[nodiscard]] std::map<std::string, double> code_mix(const KernelImage& kernel);

} // namespace coulomb::isa
