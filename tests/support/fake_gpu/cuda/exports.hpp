// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/cuda/driver_abi.hpp"

/// The functions of the fake libcuda.so.1, declared from the signatures that Coulomb calls them
/// with: a definition that differs does not compile. exports.map lets nothing else out.
#define FAKE_CUDA_DECLARE(member, function)                                                        \
  extern "C" __attribute__((visibility("default")))                                                \
  coulomb::hw::abi::DriverFunctions::member##_signature function;

FAKE_CUDA_DECLARE(init, cuInit)
FAKE_CUDA_DECLARE(driver_version, cuDriverGetVersion)
FAKE_CUDA_DECLARE(error_name, cuGetErrorName)
FAKE_CUDA_DECLARE(error_string, cuGetErrorString)
FAKE_CUDA_DECLARE(device_count, cuDeviceGetCount)
FAKE_CUDA_DECLARE(device, cuDeviceGet)
FAKE_CUDA_DECLARE(device_name, cuDeviceGetName)
FAKE_CUDA_DECLARE(device_uuid, cuDeviceGetUuid)
FAKE_CUDA_DECLARE(device_pci_bus_id, cuDeviceGetPCIBusId)
FAKE_CUDA_DECLARE(device_attribute, cuDeviceGetAttribute)
FAKE_CUDA_DECLARE(device_memory, cuDeviceTotalMem_v2)
FAKE_CUDA_DECLARE(context_retain, cuDevicePrimaryCtxRetain)
FAKE_CUDA_DECLARE(context_release, cuDevicePrimaryCtxRelease_v2)
FAKE_CUDA_DECLARE(context_set, cuCtxSetCurrent)
FAKE_CUDA_DECLARE(context_synchronize, cuCtxSynchronize)
FAKE_CUDA_DECLARE(module_load, cuModuleLoadData)
FAKE_CUDA_DECLARE(module_unload, cuModuleUnload)
FAKE_CUDA_DECLARE(module_function, cuModuleGetFunction)
FAKE_CUDA_DECLARE(module_global, cuModuleGetGlobal_v2)
FAKE_CUDA_DECLARE(function_attribute, cuFuncGetAttribute)
FAKE_CUDA_DECLARE(function_set_attribute, cuFuncSetAttribute)
FAKE_CUDA_DECLARE(function_parameter, cuFuncGetParamInfo)
FAKE_CUDA_DECLARE(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor)
FAKE_CUDA_DECLARE(memory_info, cuMemGetInfo_v2)
FAKE_CUDA_DECLARE(allocate, cuMemAlloc_v2)
FAKE_CUDA_DECLARE(release, cuMemFree_v2)
FAKE_CUDA_DECLARE(to_device, cuMemcpyHtoD_v2)
FAKE_CUDA_DECLARE(to_host, cuMemcpyDtoH_v2)
FAKE_CUDA_DECLARE(fill, cuMemsetD8_v2)
FAKE_CUDA_DECLARE(launch, cuLaunchKernel)
FAKE_CUDA_DECLARE(event_create, cuEventCreate)
FAKE_CUDA_DECLARE(event_destroy, cuEventDestroy_v2)
FAKE_CUDA_DECLARE(event_record, cuEventRecord)
FAKE_CUDA_DECLARE(event_synchronize, cuEventSynchronize)
FAKE_CUDA_DECLARE(event_elapsed, cuEventElapsedTime)
#undef FAKE_CUDA_DECLARE

/// Not called by Coulomb: NVRTC, which shares the process in tests, asks the driver for interfaces
/// of its own and calls this without looking whether it is there.
extern "C" __attribute__((visibility("default"))) coulomb::hw::abi::Result
cuGetExportTable(const void** table, const coulomb::hw::abi::Uuid* id);

/// No function of the driver: what the launches of this process came to so far, for the fake CUPTI.
extern "C" __attribute__((visibility("default"))) void
cuFakeTotals(double* launches, double* warp_instructions, double* nanoseconds);
