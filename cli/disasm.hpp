// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb disasm FILE.cu|FILE.cubin|FILE.fatbin [--arch sm_86] [--kernel K] [--source] [--plain]
/// [--json]`: prints the machine code of every kernel in the file, with its scheduling control
/// unless --plain, or as one JSON object. Returns 0, or 4 if a kernel or an image of the right
/// architecture could not be decoded; throws Error.
int run_disasm(const std::vector<std::string>& args);

} // namespace coulomb::cli
