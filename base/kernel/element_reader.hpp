// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/argument.hpp"

#include <cstdint>

namespace coulomb::kernel {

/// Reads the element at `at`, of any alignment, as a double; 64-bit integers are rounded.
using ElementReader = double (*)(const std::uint8_t* at);
[[nodiscard]] ElementReader element_reader(ElementType type);

} // namespace coulomb::kernel
