// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/configuration.hpp"

#include <optional>
#include <vector>

namespace coulomb::search {

/// Of an integer or a real; nothing for any other value.
[[nodiscard]] std::optional<double> as_number(const kernel::ParameterValue& value);

/// The values of a parameter in the order in which mutation walks along them: ascending if all are
/// numbers, else as given. A repeated value is kept once.
[[nodiscard]] std::vector<kernel::ParameterValue>
ordered_values(std::vector<kernel::ParameterValue> values);

} // namespace coulomb::search
