// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace coulomb::hw {

/// Value of an environment variable; empty if it is not set.
[[nodiscard]] std::string environment_variable(const char* name);

/// Where a library of the CUDA Toolkit may lie.
struct LibrarySearch {
  /// Library file or its directory, as the user chose it; if not empty, nothing else is tried.
  std::string chosen;
  std::string cuda_home;                ///< $CUDA_HOME, or empty
  std::span<const char* const> sonames; ///< best first
  std::span<const char* const> folders; ///< of a toolkit, relative to its home: "lib64"

  /// What dlopen is tried on, in order: absolute paths first (CUDA_HOME, /usr/local/cuda,
  /// Debian's), then bare names for the loader's own search.
  [[nodiscard]] std::vector<std::string> candidates() const;
};

} // namespace coulomb::hw
