// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace coulomb::hw {

/// Where libcupti is looked for.
struct CuptiPaths {
  std::string
      cupti; ///< $COULOMB_CUPTI: library file or its directory; if set, nothing else is tried
  std::string cuda_home; ///< $CUDA_HOME, or empty

  /// The one place of hw/cupti that reads the environment.
  [[nodiscard]] static CuptiPaths from_environment();

  /// What dlopen is tried on, in order: absolute paths first, then bare names for the loader's own
  /// search.
  [[nodiscard]] std::vector<std::string> candidates() const;
};

} // namespace coulomb::hw
