// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/nvml/nvml_abi.hpp"

/// The functions of the fake libnvidia-ml.so.1, declared from the signatures that Coulomb calls
/// them with: a definition that differs does not compile. exports.map lets nothing else out.
#define FAKE_NVML_DECLARE(member, function)                                                        \
  extern "C" __attribute__((visibility("default")))                                                \
  coulomb::hw::nvml_abi::Functions::member##_signature function;

FAKE_NVML_DECLARE(init, nvmlInit_v2)
FAKE_NVML_DECLARE(shutdown, nvmlShutdown)
FAKE_NVML_DECLARE(error_string, nvmlErrorString)
FAKE_NVML_DECLARE(driver_version, nvmlSystemGetDriverVersion)
FAKE_NVML_DECLARE(device_by_pci, nvmlDeviceGetHandleByPciBusId_v2)
FAKE_NVML_DECLARE(clock, nvmlDeviceGetClockInfo)
FAKE_NVML_DECLARE(max_clock, nvmlDeviceGetMaxClockInfo)
FAKE_NVML_DECLARE(throttle_reasons, nvmlDeviceGetCurrentClocksThrottleReasons)
FAKE_NVML_DECLARE(temperature, nvmlDeviceGetTemperature)
FAKE_NVML_DECLARE(power_milliwatts, nvmlDeviceGetPowerUsage)
FAKE_NVML_DECLARE(power_limit_milliwatts, nvmlDeviceGetEnforcedPowerLimit)
FAKE_NVML_DECLARE(utilization, nvmlDeviceGetUtilizationRates)
FAKE_NVML_DECLARE(persistence_mode, nvmlDeviceGetPersistenceMode)
FAKE_NVML_DECLARE(set_gpu_locked_clocks, nvmlDeviceSetGpuLockedClocks)
FAKE_NVML_DECLARE(reset_gpu_locked_clocks, nvmlDeviceResetGpuLockedClocks)
#undef FAKE_NVML_DECLARE
