// SPDX-License-Identifier: Apache-2.0
//
// Test double of libnvidia-ml.so.1 (options.hpp); never installed.
#include "tests/support/fake_gpu/board.hpp"
#include "tests/support/fake_gpu/fault_plan.hpp"
#include "tests/support/fake_gpu/nvml/exports.hpp"
#include "tests/support/fake_gpu/nvml/sensors.hpp"

#include <cstdio>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <mutex>

namespace coulomb::hw::nvml_abi {
/// What a handle points at: the interface leaves the type open.
struct DeviceT {
  explicit DeviceT(const fake::Board& board) : sensors(board) {}
  fake::nvml::Sensors sensors;
};
} // namespace coulomb::hw::nvml_abi

namespace {

using namespace coulomb;
using namespace coulomb::hw::nvml_abi;

constexpr Result kInsufficientSize = 7;
constexpr Result kUnknown = 999;
constexpr const char* kDriverVersion = "580.65.06";

std::vector<std::string> function_names() {
#define FAKE_NVML_NAME(member, name, ...) name,
  return {COULOMB_NVML_FUNCTIONS(FAKE_NVML_NAME)};
#undef FAKE_NVML_NAME
}

/// The library's state in this process.
class Library {
public:
  static Library& get() {
    static Library library;
    return library;
  }

  /// A call: log, planned faults, whether the library is initialised, `body`.
  Result call(const char* name, const std::function<Result()>& body) {
    std::unique_lock lock(mutex_);
    log_.line(name);
    try {
      if (const auto planned = faults_.next(name)) {
        lost_ = lost_ || planned->result == kGpuIsLost;
        lock.unlock(); // only this thread hangs
        return planned->carry_out();
      }
      if (lost_ && std::strncmp(name, "nvmlDevice", std::strlen("nvmlDevice")) == 0) {
        return kGpuIsLost;
      }
      return body();
    } catch (const std::exception& error) {
      fmt::print(stderr, "fake libnvidia-ml: {}: {}\n", name, error.what());
      return kUnknown;
    }
  }

  /// The same for a question about a device.
  Result
  ask(const char* name, Device device, const std::function<Result(fake::nvml::Sensors&)>& body) {
    return call(name, [&]() -> Result {
      if (users == 0) {
        return kUninitialized;
      }
      for (const auto& known : devices) {
        if (known.get() == device) {
          return body(device->sensors);
        }
      }
      return kInvalidArgument;
    });
  }

  int users = 0; ///< nvmlInit without nvmlShutdown
  std::vector<std::unique_ptr<DeviceT>> devices;

private:
  std::mutex mutex_;
  fake::FaultPlan faults_{"FAKE_NVML_FAIL",
                          function_names(),
                          {{"permission", kNoPermission},
                           {"unsupported", kNotSupported},
                           {"lost", kGpuIsLost},
                           {"unloaded", kDriverNotLoaded},
                           {"timeout", kTimeout}}};
  fake::CallLog log_{"FAKE_NVML_LOG"};
  bool lost_ = false;
};

Result give(unsigned* to, unsigned value) {
  if (to == nullptr) {
    return kInvalidArgument;
  }
  *to = value;
  return kSuccess;
}

struct ErrorText {
  Result result;
  const char* text;
};
constexpr ErrorText kErrors[] = {
    {kSuccess, "Success"},
    {kUninitialized, "Uninitialized"},
    {kInvalidArgument, "Invalid Argument"},
    {kNotSupported, "Not Supported"},
    {kNoPermission, "Insufficient Permissions"},
    {kNotFound, "Not Found"},
    {kInsufficientSize, "Insufficient Size"},
    {kDriverNotLoaded, "Driver Not Loaded"},
    {kTimeout, "Timeout"},
    {kGpuIsLost, "GPU is lost"},
};

} // namespace

Result nvmlInit_v2() {
  return Library::get().call("nvmlInit_v2", [] {
    Library& library = Library::get();
    ++library.users;
    while (library.devices.size() < static_cast<std::size_t>(fake::board_count())) {
      library.devices.push_back(std::make_unique<DeviceT>(fake::chosen_board()));
    }
    return Result{kSuccess};
  });
}

/// Locked clocks stay locked, as on a board.
Result nvmlShutdown() {
  return Library::get().call("nvmlShutdown", [] {
    Library& library = Library::get();
    if (library.users == 0) {
      return Result{kUninitialized};
    }
    --library.users;
    return Result{kSuccess};
  });
}

const char* nvmlErrorString(Result result) {
  for (const ErrorText& error : kErrors) {
    if (error.result == result) {
      return error.text;
    }
  }
  return "Unknown Error";
}

Result nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  return Library::get().call("nvmlSystemGetDriverVersion", [&] {
    if (Library::get().users == 0) {
      return Result{kUninitialized};
    }
    if (bytes <= std::strlen(kDriverVersion)) {
      return kInsufficientSize;
    }
    std::strcpy(text, kDriverVersion);
    return Result{kSuccess};
  });
}

Result nvmlDeviceGetHandleByPciBusId_v2(const char* pci_bus_id, Device* device) {
  return Library::get().call("nvmlDeviceGetHandleByPciBusId_v2", [&] {
    if (Library::get().users == 0) {
      return Result{kUninitialized};
    }
    const int ordinal = fake::device_at(pci_bus_id);
    if (ordinal < 0) {
      return Result{kNotFound};
    }
    *device = Library::get().devices[static_cast<std::size_t>(ordinal)].get();
    return Result{kSuccess};
  });
}

Result nvmlDeviceGetClockInfo(Device device, int type, unsigned* mhz) {
  return Library::get().ask("nvmlDeviceGetClockInfo", device, [&](auto& sensors) {
    return type == kClockSm       ? give(mhz, sensors.sm_clock_mhz())
           : type == kClockMemory ? give(mhz, sensors.memory_clock_mhz())
                                  : Result{kInvalidArgument};
  });
}

Result nvmlDeviceGetMaxClockInfo(Device device, int type, unsigned* mhz) {
  return Library::get().ask("nvmlDeviceGetMaxClockInfo", device, [&](auto&) {
    return type == kClockSm       ? give(mhz, fake::chosen_board().max_clock_mhz)
           : type == kClockMemory ? give(mhz, fake::chosen_board().memory_clock_mhz)
                                  : Result{kInvalidArgument};
  });
}

Result nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long* reasons) {
  return Library::get().ask("nvmlDeviceGetCurrentClocksThrottleReasons", device,
                            [&](auto& sensors) {
                              *reasons = sensors.throttle_reasons();
                              return Result{kSuccess};
                            });
}

Result nvmlDeviceGetTemperature(Device device, int sensor, unsigned* celsius) {
  return Library::get().ask("nvmlDeviceGetTemperature", device, [&](auto& sensors) {
    return sensor == kTemperatureGpu ? give(celsius, sensors.temperature())
                                     : Result{kInvalidArgument};
  });
}

Result nvmlDeviceGetPowerUsage(Device device, unsigned* milliwatts) {
  return Library::get().ask("nvmlDeviceGetPowerUsage", device, [&](auto& sensors) {
    return give(milliwatts, sensors.power_milliwatts());
  });
}

Result nvmlDeviceGetEnforcedPowerLimit(Device device, unsigned* milliwatts) {
  return Library::get().ask("nvmlDeviceGetEnforcedPowerLimit", device, [&](auto&) {
    return give(milliwatts, fake::chosen_board().power_limit_mw);
  });
}

Result nvmlDeviceGetUtilizationRates(Device device, Utilization* rates) {
  return Library::get().ask("nvmlDeviceGetUtilizationRates", device, [&](auto& sensors) {
    const unsigned value = sensors.utilization();
    *rates = {value, value};
    return Result{kSuccess};
  });
}

Result nvmlDeviceGetPersistenceMode(Device device, int* on) {
  return Library::get().ask("nvmlDeviceGetPersistenceMode", device, [&](auto& sensors) {
    *on = sensors.persistence() ? 1 : 0;
    return Result{kSuccess};
  });
}

Result nvmlDeviceSetGpuLockedClocks(Device device, unsigned min_mhz, unsigned max_mhz) {
  return Library::get().ask("nvmlDeviceSetGpuLockedClocks", device, [&](auto& sensors) {
    if (min_mhz > max_mhz || max_mhz > fake::chosen_board().max_clock_mhz) {
      return Result{kInvalidArgument};
    }
    sensors.clock_lock().lock({min_mhz, max_mhz});
    return Result{kSuccess};
  });
}

Result nvmlDeviceResetGpuLockedClocks(Device device) {
  return Library::get().ask("nvmlDeviceResetGpuLockedClocks", device, [&](auto& sensors) {
    sensors.clock_lock().unlock();
    return Result{kSuccess};
  });
}
