// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace coulomb::config {

/// What a value is measured in. Bare numbers are in this unit; texts may carry any unit of the same
/// kind.
enum class Unit : std::uint8_t {
  count,
  cycles, ///< SM clocks
  bytes,
  bytes_per_cycle,
  nanoseconds,
  microseconds,
  megahertz,
  gigabytes_per_second,
  seconds,
  volts,
  watts,
  watts_per_gigahertz,
  picojoules,
  joules_per_kelvin,
  kelvin_per_watt,
  watts_per_kelvin,
  per_kelvin,
  celsius,
  square_millimetres,
  flag, ///< true or false
  text
};

/// The description of one parameter: everything about it except its value.
struct FieldSpec {
  std::string_view name; ///< last part of the key
  Unit unit = Unit::count;
  double min =
      0.0; ///< smallest allowed value, of each element for lists; unused for flags and texts
  double max = 0.0; ///< largest allowed value
  std::string_view doc;
  std::span<const std::string_view> choices = {}; ///< texts: the allowed ones, empty = any but ""
};

/// One parameter of one GpuConfig: its full key (`sm.l1.size`), description and place.
struct Field {
  std::string key;
  FieldSpec spec;
  std::variant<std::uint32_t*, double*, bool*, std::string*, std::vector<std::uint32_t>*> member;
};

/// Every parameter of `config`, in the order of the structs. The pointers live as long as `config`.
[[nodiscard]] std::vector<Field> fields(GpuConfig& config);

/// The field named `key` (e.g. `sm.l1.size`).
/// Throws UserError with the nearest key when there is none.
[[nodiscard]] Field field(GpuConfig& config, std::string_view key);

/// Every key, in the order of fields().
[[nodiscard]] std::vector<std::string> keys();

} // namespace coulomb::config
