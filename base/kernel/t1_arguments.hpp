// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/json_view.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <string>

namespace coulomb::kernel {

/// Parses `text`, which stands at `where`, and checks its names against the parameters of `spec`
/// and ProblemSize. Throws UserError with the place and the nearest name.
[[nodiscard]] Expression
checked_expression(const TunableSpec& spec, const JsonView& where, const std::string& text);

/// One element of KernelSpecification.Arguments. `spec` has its parameters already.
[[nodiscard]] TunableSpec::ArgumentTemplate read_argument(const TunableSpec& spec,
                                                          const JsonView& a);

/// Applies the "Arguments" of the Coulomb object: constant symbols, passed, output, seed.
void override_arguments(TunableSpec& spec, const JsonView& overrides);

} // namespace coulomb::kernel
