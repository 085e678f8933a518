// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/json_fields.hpp"
#include "hw/device/measurer.hpp"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace coulomb::hw {

/// One thing that the doctor looked at.
struct DoctorCheck {
  enum class State : std::uint8_t { ok, warn, fail };
  State state = State::ok;
  std::string subject; ///< "performance counters"
  std::string finding; ///< what was found
  std::string fix;     ///< next step; empty if there is nothing to do
};

/// What can be said of a device and its driver without changing anything: health, clocks, counters,
/// persistence, load.
[[nodiscard]] std::vector<DoctorCheck> examine(Measurer& measurer);

[[nodiscard]] nlohmann::json doctor_check_json(const DoctorCheck& check);
/// Throws UserError naming the field.
[[nodiscard]] DoctorCheck doctor_check_from_json(const eval::JsonFields& fields);

/// DeviceInfo as the worker sends it.
[[nodiscard]] nlohmann::json device_info_json(const DeviceInfo& info);
[[nodiscard]] DeviceInfo device_info_from_json(const eval::JsonFields& fields);

/// Id of the GPU file that a device of this name would have: "NVIDIA GeForce RTX 3090" ->
/// "rtx-3090".
[[nodiscard]] std::string gpu_id_of(const std::string& device_name);

} // namespace coulomb::hw
