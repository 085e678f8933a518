// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/field.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace coulomb::config {

/// Name of a unit as `config list` prints it: "cycles", "bytes", "ns", "count".
[[nodiscard]] std::string_view unit_name(Unit unit);

/// Sets a field from a text: a bare number in the field's unit, a number with a unit of the same
/// kind
/// ("256 KiB", "1.41 GHz", "33 cycles"), a list ("[62, 46]", "[0, 8, 16] KiB"), true or false, or a
/// text. Returns what would have been allowed when the text does not fit; the field is then
/// unchanged.
[[nodiscard]] std::optional<std::string> assign(const Field& field, std::string_view text);

/// The value with its unit, as a person would write it: "192 KiB", "33 cycles", "[62, 46]", "true".
/// assign() reads it back to the same value.
[[nodiscard]] std::string format_value(const Field& field);

/// The allowed range with its unit ("1 to 500 cycles") or the allowed texts ("one of: HBM2,
/// HBM2e").
[[nodiscard]] std::string format_range(const FieldSpec& spec);

} // namespace coulomb::config
