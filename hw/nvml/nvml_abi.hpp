// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// The part of NVML's C interface that Coulomb calls, declared here: the CUDA toolkit has no NVML
/// header. Names, numbers and signatures of the "NVML API Reference Guide", driver 470 and newer.
namespace coulomb::hw::nvml_abi {

using Result = int;
struct DeviceT;
using Device = DeviceT*;

enum : Result {
  kSuccess = 0,
  kUninitialized = 1,
  kInvalidArgument = 2,
  kNotSupported = 3,
  kNoPermission = 4,
  kNotFound = 6,
  kDriverNotLoaded = 9,
  kTimeout = 10,
  kGpuIsLost = 15,
};

/// nvmlClockType_t.
enum : int { kClockSm = 1, kClockMemory = 2 };
/// nvmlTemperatureSensors_t.
enum : int { kTemperatureGpu = 0 };

/// nvmlClocksThrottleReasons: bits of what holds the clock down.
enum : std::uint64_t {
  kGpuIdle = 0x1,
  kApplicationsClocksSetting = 0x2,
  kSwPowerCap = 0x4,
  kHwSlowdown = 0x8,
  kSyncBoost = 0x10,
  kSwThermalSlowdown = 0x20,
  kHwThermalSlowdown = 0x40,
  kHwPowerBrakeSlowdown = 0x80,
  kDisplayClockSetting = 0x100,
};

struct Utilization {
  unsigned gpu;    ///< per cent of the last sample period in which a kernel ran
  unsigned memory; ///< per cent in which device memory was accessed
};

/// Every function that is resolved, as X(member, exported name, signature).
#define COULOMB_NVML_FUNCTIONS(X)                                                                  \
  X(init, "nvmlInit_v2", Result())                                                                 \
  X(shutdown, "nvmlShutdown", Result())                                                            \
  X(error_string, "nvmlErrorString", const char*(Result))                                          \
  X(driver_version, "nvmlSystemGetDriverVersion", Result(char*, unsigned))                         \
  X(device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2", Result(const char*, Device*))               \
  X(clock, "nvmlDeviceGetClockInfo", Result(Device, int, unsigned*))                               \
  X(max_clock, "nvmlDeviceGetMaxClockInfo", Result(Device, int, unsigned*))                        \
  X(throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons",                                 \
    Result(Device, unsigned long long*))                                                           \
  X(temperature, "nvmlDeviceGetTemperature", Result(Device, int, unsigned*))                       \
  X(power_milliwatts, "nvmlDeviceGetPowerUsage", Result(Device, unsigned*))                        \
  X(power_limit_milliwatts, "nvmlDeviceGetEnforcedPowerLimit", Result(Device, unsigned*))          \
  X(utilization, "nvmlDeviceGetUtilizationRates", Result(Device, Utilization*))                    \
  X(persistence_mode, "nvmlDeviceGetPersistenceMode", Result(Device, int*))                        \
  X(set_gpu_locked_clocks, "nvmlDeviceSetGpuLockedClocks", Result(Device, unsigned, unsigned))     \
  X(reset_gpu_locked_clocks, "nvmlDeviceResetGpuLockedClocks", Result(Device))

/// One pointer for each of them.
struct Functions {
#define COULOMB_NVML_MEMBER(member, name, ...)                                                     \
  using member##_signature = __VA_ARGS__;                                                          \
  member##_signature* member = nullptr;
  COULOMB_NVML_FUNCTIONS(COULOMB_NVML_MEMBER)
#undef COULOMB_NVML_MEMBER
};

} // namespace coulomb::hw::nvml_abi
