// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/disasm_input.hpp"

#include <string>
#include <vector>

namespace coulomb::cli {

/// A kernel of a listing, with the architecture of the cubin it is from. The kernel must outlive
/// it.
struct ListedKernel {
  const isa::KernelImage* kernel = nullptr;
  std::uint32_t architecture = 0;
};

/// A kernel that does not decode, and why.
struct UndecodedKernel {
  std::string name;
  std::string reason;
};

/// The object that `disasm --json` prints: kernels with every instruction, kernels that do not
/// decode, images that were skipped. Barriers that are not set, and files and lines that are not
/// known, are null.
[[nodiscard]] std::string disasm_json(const std::vector<ListedKernel>& kernels,
                                      const std::vector<UndecodedKernel>& undecoded,
                                      const std::vector<SkippedImage>& skipped);

} // namespace coulomb::cli
