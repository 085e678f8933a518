// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/isa/cubin.hpp"

#include <string>
#include <vector>

namespace coulomb::cli {

/// What `disasm` is asked to open.
struct DisasmRequest {
  std::string path;
  std::string architecture;         ///< sm_80, sm_86, or empty: sm_80 for a .cu, else all there are
  std::vector<std::string> defines; ///< NAME or NAME=VALUE; .cu only
};

/// An image that is not disassembled, and why.
struct SkippedImage {
  std::string image;
  std::string reason;
  bool unsupported = false; ///< a limit of ours, not a choice
};

struct DisasmInput {
  std::vector<isa::Cubin> cubins; ///< at least one
  std::vector<SkippedImage> skipped;
};

/// Compiles a .cu file (with line information), or opens a cubin, a fatbin or a host file that
/// contains one, told by its contents. Throws UserError, EnvironmentError (no NVRTC) and
/// UnsupportedError.
[[nodiscard]] DisasmInput open_machine_code(const DisasmRequest& request);

} // namespace coulomb::cli
