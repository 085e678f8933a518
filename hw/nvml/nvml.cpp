// SPDX-License-Identifier: Apache-2.0
#include "hw/nvml/nvml.hpp"

#include "base/error.hpp"

#include <array>
#include <utility>

namespace coulomb::hw {
namespace {

using namespace nvml_abi;

struct ThrottleRow {
  std::uint64_t bit;
  const char* word;
};

// Idleness and clocks that somebody set are no throttling.
constexpr std::array<ThrottleRow, 6> kThrottle = {{
    {kSwPowerCap, "SW power cap"},
    {kHwSlowdown, "HW slowdown"},
    {kSyncBoost, "sync boost"},
    {kSwThermalSlowdown, "SW thermal slowdown"},
    {kHwThermalSlowdown, "HW thermal slowdown"},
    {kHwPowerBrakeSlowdown, "HW power brake slowdown"},
}};

/// Calls a getter whose last argument is where the value goes; nothing if it fails.
template <class T, class Getter, class... Arguments>
std::optional<T> ask(Getter* getter, Device device, Arguments... arguments) {
  T value{};
  if (getter(device, arguments..., &value) != kSuccess) {
    return std::nullopt;
  }
  return value;
}

template <class T>
std::optional<double> scaled(std::optional<T> value, double factor) {
  return value ? std::optional(static_cast<double>(*value) * factor) : std::nullopt;
}

} // namespace

std::vector<std::string> throttle_words(std::uint64_t bits) {
  std::vector<std::string> words;
  for (const ThrottleRow& row : kThrottle) {
    if ((bits & row.bit) != 0) {
      words.emplace_back(row.word);
    }
  }
  return words;
}

std::optional<Nvml> Nvml::open(const std::string& pci_bus_id, std::string& why) {
  auto library = SharedLibrary::open({"libnvidia-ml.so.1"}, why);
  if (!library) {
    return std::nullopt;
  }
  Functions functions;
#define COULOMB_RESOLVE(member, name, ...)                                                         \
  functions.member = library->function<Functions::member##_signature>(name);                       \
  if (functions.member == nullptr) {                                                               \
    why = fmt::format("NVML has no function {}: the driver is too old", name);                     \
    return std::nullopt;                                                                           \
  }
  COULOMB_NVML_FUNCTIONS(COULOMB_RESOLVE)
#undef COULOMB_RESOLVE
  if (const Result started = functions.init(); started != kSuccess) {
    why = fmt::format("NVML cannot start: {}", functions.error_string(started));
    return std::nullopt;
  }
  Nvml nvml(std::move(*library), functions);
  if (const Result found = functions.device_by_pci(pci_bus_id.c_str(), &nvml.device_);
      found != kSuccess) {
    why = fmt::format("NVML does not know the device at {}: {}", pci_bus_id,
                      functions.error_string(found));
    return std::nullopt;
  }
  return nvml;
}

Nvml::Nvml(Nvml&& other) noexcept
    : library_(std::exchange(other.library_, std::nullopt)), functions_(other.functions_),
      device_(other.device_) {}

Nvml::~Nvml() {
  if (library_) {
    functions_.shutdown();
  }
}

std::optional<double> Nvml::clock(int which) const {
  return scaled(ask<unsigned>(functions_.clock, device_, which), 1.0);
}

BoardReading Nvml::read() const {
  BoardReading reading;
  reading.sm_clock_mhz = clock(kClockSm);
  reading.memory_clock_mhz = clock(kClockMemory);
  reading.temperature_c =
      scaled(ask<unsigned>(functions_.temperature, device_, kTemperatureGpu), 1.0);
  reading.watts = scaled(ask<unsigned>(functions_.power_milliwatts, device_), 1e-3);
  reading.throttle_bits = ask<unsigned long long>(functions_.throttle_reasons, device_).value_or(0);
  return reading;
}

std::string Nvml::driver_version() const {
  std::array<char, 96> text{};
  return functions_.driver_version(text.data(), text.size()) == kSuccess ? text.data()
                                                                         : std::string{};
}

std::optional<double> Nvml::busy_percent() const {
  const auto rates = ask<Utilization>(functions_.utilization, device_);
  return rates ? std::optional(static_cast<double>(rates->gpu)) : std::nullopt;
}

std::optional<bool> Nvml::persistence_mode() const {
  const auto mode = ask<int>(functions_.persistence_mode, device_);
  return mode ? std::optional(*mode != 0) : std::nullopt;
}

std::optional<double> Nvml::power_limit_watts() const {
  return scaled(ask<unsigned>(functions_.power_limit_milliwatts, device_), 1e-3);
}

std::optional<double> Nvml::max_sm_clock_mhz() const {
  return scaled(ask<unsigned>(functions_.max_clock, device_, kClockSm), 1.0);
}

void Nvml::lock_sm_clock(std::uint32_t mhz) const {
  check(functions_.set_gpu_locked_clocks(device_, mhz, mhz), "lock the SM clock");
}

void Nvml::release_sm_clock() const {
  check(functions_.reset_gpu_locked_clocks(device_), "release the SM clock");
}

void Nvml::check(Result result, const char* what) const {
  if (result == kSuccess) {
    return;
  }
  throw EnvironmentError(
      fmt::format("cannot {}: {}", what, functions_.error_string(result)),
      result == kNoPermission
          ? "changing clocks needs root; without --lock-clocks the clocks are watched, not changed"
          : "measure without --lock-clocks: the clocks are then watched, not changed");
}

} // namespace coulomb::hw
