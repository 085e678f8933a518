// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace coulomb::isa {

/// Value of an IEEE half; exact.
[[nodiscard]] double half_value(std::uint16_t bits);
/// Value of a bfloat16; exact.
[[nodiscard]] double bfloat16_value(std::uint16_t bits);

/// A floating-point immediate as the vendor's disassembler prints it: 20 significant digits,
/// integers beyond 32 bits with an exponent, and "+INF ", "-INF ", "+QNAN " with a trailing blank.
[[nodiscard]] std::string float_text(double value);
/// "0x10" or "-0x10".
[[nodiscard]] std::string hex_text(std::int64_t value);

} // namespace coulomb::isa
