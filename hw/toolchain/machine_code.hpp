// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace coulomb::toolchain {

/// Names of the kernels of a cubin: what follows ".text." in its section names, in file order.
/// Empty if `cubin` is no 64-bit little-endian ELF file or is damaged.
[[nodiscard]] std::vector<std::string> kernel_symbols(std::string_view cubin);

/// The symbol among `symbols` that `kernel_name` means: the name itself (extern "C"), or the only
/// one whose C++ name, without parameters, it is. Empty if there is none or it is ambiguous.
[[nodiscard]] std::string find_symbol(const std::vector<std::string>& symbols,
                                      const std::string& kernel_name);

/// Hash of what the hardware sees of kernel `symbol`: instructions, constant banks 2 to 4,
/// initialised globals, registers, shared and parameter bytes. Line information and file names do
/// not count. Equal hashes mean the same machine code. Empty if the cubin has no such kernel.
[[nodiscard]] std::string machine_code_hash(std::string_view cubin, const std::string& symbol);

} // namespace coulomb::toolchain
