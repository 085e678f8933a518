// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace coulomb::kernel {

/// IEEE 754 binary16 bits of a double, rounded to nearest even; too large becomes infinity, NaN
/// stays NaN.
[[nodiscard]] std::uint16_t float16_from_double(double value);
/// The exact value of binary16 bits.
[[nodiscard]] double float16_to_double(std::uint16_t bits);

} // namespace coulomb::kernel
