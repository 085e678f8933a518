// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::cli {

/// `coulomb disasm FILE.cubin|FILE.cu [--arch sm_86] [--plain]`: prints the machine code of every
/// kernel in the file, with its scheduling control unless --plain. Returns 0; throws Error.
int run_disasm(const std::vector<std::string>& args);

} // namespace coulomb::cli
