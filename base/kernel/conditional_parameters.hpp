// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/tunable_spec.hpp"

#include <functional>
#include <string>
#include <vector>

namespace coulomb::kernel {

/// A parameter that is only varied where an expression of other parameters holds.
struct Condition {
  std::string parameter;
  std::string when;
};

/// Parses `text` and checks its names against the parameters and constants of `spec`. Throws
/// UserError with the nearest name.
[[nodiscard]] Expression spec_expression(const TunableSpec& spec, const std::string& text);

/// Adds the restriction `(when) or PARAMETER == default` for each condition, so that where it does
/// not hold, the parameter has its default and no two configurations differ in it alone. Calls
/// `wrong(i, message)` for a condition that cannot be parsed, names what does not exist, or depends
/// on its own parameter, directly or through other conditions.
void add_conditions(TunableSpec& spec,
                    const std::vector<Condition>& conditions,
                    const std::function<void(std::size_t, const std::string&)>& wrong);

} // namespace coulomb::kernel
