// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/dim3.hpp"
#include "base/eval/json_fields.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <nlohmann/json_fwd.hpp>

namespace coulomb::eval {

/// [x, y, z].
[[nodiscard]] nlohmann::json dim3_json(const Dim3& extent);
/// Throws UserError naming the field.
[[nodiscard]] Dim3 dim3_from_json(const JsonFields& fields, const char* name);

/// A launch with all its arguments and fills, as the "launch" object of a simulation request.
[[nodiscard]] nlohmann::json launch_json(const kernel::Launch& launch);
/// Throws UserError naming the field, and the argument it belongs to.
[[nodiscard]] kernel::Launch launch_from_json(const JsonFields& fields);

} // namespace coulomb::eval
