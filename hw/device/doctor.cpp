// SPDX-License-Identifier: Apache-2.0
#include "hw/device/doctor.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

namespace coulomb::hw {
namespace {

using State = DoctorCheck::State;
constexpr std::array<const char*, 3> kStateWords = {"ok", "warn", "fail"};
/// Busier than this, somebody else's kernels share the device.
constexpr double kIdlePercent = 5.0;

DoctorCheck check_health(Measurer& measurer) {
  const std::string problem = measurer.health_problem();
  if (problem.empty()) {
    return {State::ok, "device memory", "written and read back", ""};
  }
  return {State::fail, "device memory", problem,
          "see \"nvidia-smi\" and the kernel log for Xid messages; the GPU may need a reset"};
}

DoctorCheck check_watchdog(const DeviceInfo& info) {
  if (!info.kernel_timeout) {
    return {State::ok, "watchdog", "none: kernels may run for seconds", ""};
  }
  return {State::warn, "watchdog", "the display's watchdog ends kernels that run for seconds",
          "measure on a GPU without a screen, or keep problems small"};
}

DoctorCheck check_clocks(const Nvml& nvml) {
  const BoardReading reading = nvml.read();
  if (!reading.sm_clock_mhz) {
    return {State::warn, "clocks", "the board does not tell its clocks",
            "times are measured; their clock is unknown"};
  }
  const std::string now =
      fmt::format("SM {:.0f} MHz (at most {:.0f}), memory {:.0f} MHz", *reading.sm_clock_mhz,
                  nvml.max_sm_clock_mhz().value_or(0.0), reading.memory_clock_mhz.value_or(0.0));
  const auto words = throttle_words(reading.throttle_bits);
  if (!words.empty()) {
    return {State::warn, "clocks", fmt::format("{}; throttled: {}", now, fmt::join(words, ", ")),
            "let the board cool down, or see its power limit"};
  }
  const bool root = ::geteuid() == 0;
  return {State::ok, "clocks",
          fmt::format("{}; they {} be locked: {}", now, root ? "can" : "cannot",
                      root ? "--lock-clocks MHZ" : "that needs root"),
          ""};
}

DoctorCheck check_persistence(const Nvml& nvml) {
  const auto mode = nvml.persistence_mode();
  if (!mode.has_value() || *mode) {
    return {State::ok, "persistence mode", mode.has_value() ? "on" : "not told", ""};
  }
  return {State::warn, "persistence mode", "off: the first launch after a pause is slow",
          "as root: nvidia-smi -pm 1 (warm-up launches are there for it, too)"};
}

DoctorCheck check_load(const Nvml& nvml) {
  const auto busy = nvml.busy_percent();
  const auto temperature = nvml.read().temperature_c;
  const std::string text =
      fmt::format("{} busy, {}", busy ? fmt::format("{:.0f} %", *busy) : "not told how",
                  temperature ? fmt::format("{:.0f} C", *temperature) : "temperature not told");
  if (busy.value_or(0.0) > kIdlePercent) {
    return {State::warn, "load", text, "see \"nvidia-smi\" for who uses it: times will scatter"};
  }
  return {State::ok, "load", text, ""};
}

} // namespace

std::vector<DoctorCheck> examine(Measurer& measurer) {
  std::vector<DoctorCheck> checks = {check_health(measurer), check_watchdog(measurer.info())};
  const Nvml* nvml = measurer.nvml();
  if (nvml == nullptr) {
    checks.push_back({State::warn, "NVML", measurer.no_nvml_because(),
                      "it comes with the driver; without it clocks, temperature and power are not "
                      "known"});
    return checks;
  }
  checks.push_back(check_clocks(*nvml));
  checks.push_back(check_persistence(*nvml));
  checks.push_back(check_load(*nvml));
  return checks;
}

nlohmann::json doctor_check_json(const DoctorCheck& check) {
  return {{"state", kStateWords.at(static_cast<std::size_t>(check.state))},
          {"subject", check.subject},
          {"finding", check.finding},
          {"fix", check.fix}};
}

DoctorCheck doctor_check_from_json(const eval::JsonFields& fields) {
  const std::string word = fields.text("state");
  const auto* found = std::find(kStateWords.begin(), kStateWords.end(), word);
  if (found == kStateWords.end()) {
    fields.fail("state", "ok, warn or fail");
  }
  return {static_cast<State>(found - kStateWords.begin()), fields.text("subject"),
          fields.text("finding"), fields.text("fix")};
}

nlohmann::json device_info_json(const DeviceInfo& info) {
  return {{"ordinal", info.ordinal},
          {"name", info.name},
          {"uuid", info.uuid},
          {"pci_bus_id", info.pci_bus_id},
          {"compute_capability", {info.major, info.minor}},
          {"sms", info.sms},
          {"memory_bytes", info.memory_bytes},
          {"l2_bytes", info.l2_bytes},
          {"shared_optin_bytes", info.shared_optin_bytes},
          {"kernel_timeout", info.kernel_timeout},
          {"cuda_version", info.cuda_version},
          {"driver_version", info.driver_version}};
}

DeviceInfo device_info_from_json(const eval::JsonFields& fields) {
  DeviceInfo info;
  info.ordinal = fields.u32("ordinal");
  info.name = fields.text("name");
  info.uuid = fields.text("uuid");
  info.pci_bus_id = fields.text("pci_bus_id");
  const auto& capability = fields.array("compute_capability");
  if (capability.size() != 2 || !capability[0].is_number_integer() ||
      !capability[1].is_number_integer()) {
    fields.fail("compute_capability", "[major, minor]");
  }
  info.major = capability[0].get<int>();
  info.minor = capability[1].get<int>();
  info.sms = fields.u32("sms");
  info.memory_bytes = fields.u64("memory_bytes");
  info.l2_bytes = fields.u64("l2_bytes");
  info.shared_optin_bytes = fields.u32("shared_optin_bytes");
  info.kernel_timeout = fields.flag("kernel_timeout");
  info.cuda_version = fields.text("cuda_version");
  info.driver_version = fields.text("driver_version");
  return info;
}

std::string gpu_id_of(const std::string& device_name) {
  std::string id;
  std::istringstream words(device_name);
  for (std::string word; words >> word;) {
    if (word == "NVIDIA" || word == "GeForce" || word == "Quadro") {
      continue;
    }
    id += (id.empty() ? "" : "-") + word;
  }
  std::transform(id.begin(), id.end(), id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return id;
}

} // namespace coulomb::hw
