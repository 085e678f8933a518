// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace coulomb::config {

/// Where a number comes from.
struct Provenance {
  std::string kind;       ///< one of kProvenanceKinds
  std::string source;     ///< document, paper, probe, or the reason of an assumption
  std::string confidence; ///< high, medium or low; empty = not stated
  std::string date;       ///< of the source, "2020" or "2025-10"; empty = not stated
  std::string note;
  bool operator==(const Provenance&) const = default;
};

/// whitepaper: vendor's product documents · guide: programming guide and toolkit headers ·
/// microbenchmark: measured on silicon · derived: arithmetic on other values · fit: tuned so that a
/// model meets silicon · assumption: nothing better is public · user: changed by the reader's own
/// file or `--set`.
inline constexpr std::array<std::string_view, 7> kProvenanceKinds{
    "whitepaper", "guide", "microbenchmark", "derived", "fit", "assumption", "user"};
inline constexpr std::array<std::string_view, 3> kConfidences{"high", "medium", "low"};

/// Key of a parameter to the source of its value.
using ProvenanceMap = std::map<std::string, Provenance, std::less<>>;

} // namespace coulomb::config
