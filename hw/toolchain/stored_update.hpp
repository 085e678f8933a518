// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/compilation.hpp"

#include <string>
#include <vector>

namespace coulomb::toolchain {

/// One cubin that data/cubins/wanted.json asks for.
struct WantedCubin {
  std::string file; ///< "convolution-sm_86-1.cubin": spec, architecture, number among the spec's
                    ///< configurations
  eval::CompileRequest request;
};

/// What `home`/data/cubins/wanted.json asks for, resolved against the specs in `home`/kernels.
/// Throws UserError for a malformed file, an unknown spec or parameter.
[[nodiscard]] std::vector<WantedCubin> wanted_cubins(const std::string& home);

/// Compiles every wanted cubin and writes it and index.json to `home`/data/cubins; cubins that are
/// no longer wanted are removed. Returns a line of text for each. Throws UserError with the
/// compiler's message if one does not compile, EnvironmentError without NVRTC.
[[nodiscard]] std::vector<std::string> update_stored_cubins(const std::string& home);

} // namespace coulomb::toolchain
