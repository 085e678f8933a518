// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coulomb::hw {

/// A number as ncu prints it in any locale: "1234.5", "1,234.5", "1.234,5", "1'234", "0,5",
/// "1e+06". A single comma before exactly three digits is a thousands separator. Nothing if it is
/// no number.
[[nodiscard]] std::optional<double> parse_ncu_number(std::string_view text);

/// A unit as ncu prints it, and what it is in base units.
struct NcuUnit {
  double scale = 1.0; ///< base value / printed value
  std::string base;   ///< "ns", "byte/second", "hz", "%", "inst"
};
/// Times become ns, rates "per second", frequencies hz; K, M, G and T (steps of 1,000, as ncu
/// counts) and Ki, Mi, Gi are taken off. A unit that is not known stays as it is.
[[nodiscard]] NcuUnit parse_ncu_unit(std::string_view text);

/// "(256, 1, 1)" -> {256, 1, 1}; nothing if it is not of that form.
[[nodiscard]] std::optional<std::array<std::uint32_t, 3>> parse_ncu_size(std::string_view text);

} // namespace coulomb::hw
