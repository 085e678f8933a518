// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace coulomb::hw {

/// A metric of nvprof and what Volta and later have in its place.
struct LegacyName {
  const char* nvprof;
  const char* metric;
};

/// nvprof's names that users still know, from NVIDIA's metric comparison table (Nsight Compute
/// command line guide). A test checks that every chip of the Ampere generation has what they map
/// to.
[[nodiscard]] std::span<const LegacyName> legacy_names();
/// Null if it is none of them.
[[nodiscard]] const LegacyName* find_legacy_name(std::string_view name);

} // namespace coulomb::hw
