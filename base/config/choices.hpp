// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace coulomb::config {

// Texts that a parameter may have. The order is that of the enumeration in the model.

inline constexpr std::array<std::string_view, 4> kSchedulerPolicies{"native", "gto", "lrr",
                                                                    "two_level"};

inline constexpr std::array<std::string_view, 3> kPrefetchPolicies{"off", "stride", "adaptive"};
inline constexpr std::array<std::string_view, 2> kBankMappings{"modulo", "asymmetric"};
inline constexpr std::array<std::string_view, 2> kRegisterCompressions{"off", "base_delta"};

/// The enumerator that `text` stands for: the models take texts apart once, at construction.
template <class Enum, std::size_t N>
[[nodiscard]] Enum choice(const std::array<std::string_view, N>& choices, const std::string& text) {
  const auto found = std::find(choices.begin(), choices.end(), text);
  COULOMB_CHECK(found != choices.end(), "\"{}\" is none of the {} choices", text, N);
  return static_cast<Enum>(found - choices.begin());
}

} // namespace coulomb::config
