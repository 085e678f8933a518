// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::toolchain {

/// Where the toolchain's parts are looked for.
struct ToolchainPaths {
  std::string
      nvrtc; ///< $COULOMB_NVRTC: library file or its directory; if set, nothing else is tried
  std::string cuda_home;  ///< $CUDA_HOME, or empty
  std::string cache_dir;  ///< kernel cache of requests that name none
  std::string stored_dir; ///< cubins that come with Coulomb: data/cubins

  /// The one place of hw/toolchain that reads the environment. Cache: $COULOMB_CACHE, else
  /// $XDG_CACHE_HOME/coulomb, else ~/.cache/coulomb.
  [[nodiscard]] static ToolchainPaths from_environment();

  /// What dlopen is tried on, in order: absolute paths first, then bare names for the loader's own
  /// search.
  [[nodiscard]] std::vector<std::string> nvrtc_candidates() const;
};

} // namespace coulomb::toolchain
