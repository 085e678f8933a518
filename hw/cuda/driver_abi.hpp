// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// The part of the CUDA driver's C interface that Coulomb calls, declared here so that it builds
/// without the toolkit: names, numbers and signatures of "CUDA Driver API", 11.8 to 13.0 (they are
/// the driver's stable binary interface). The suffix _v2 is part of an exported name.
namespace coulomb::hw::abi {

using Result = int;
using Device = int;
using DevicePointer = std::uint64_t;
struct ContextT;
struct ModuleT;
struct FunctionT;
struct StreamT;
struct EventT;
using Context = ContextT*;
using Module = ModuleT*;
using Function = FunctionT*;
using Stream = StreamT*; ///< null: the default stream
using Event = EventT*;

struct Uuid {
  char bytes[16];
};

/// CUresult: those that are told apart. Any other is a failure of the driver.
enum : Result {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kStubLibrary = 34,
  kDeviceUnavailable = 46,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kNoBinaryForGpu = 209,
  kEccUncorrectable = 214,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kAssert = 710,
  kHardwareStackError = 714,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kInvalidAddressSpace = 717,
  kInvalidPc = 718,
  kLaunchFailed = 719,
  kSystemNotReady = 802,
  kSystemDriverMismatch = 803,
  kCompatNotSupported = 804,
  kUnknown = 999,
};

/// CUdevice_attribute.
enum : int {
  kMaxThreadsPerBlock = 1,
  kMaxSharedMemoryPerBlock = 8,
  kWarpSize = 10,
  kClockRateKhz = 13,
  kMultiprocessorCount = 16,
  kKernelExecTimeout = 17,
  kComputeMode = 20,
  kMemoryClockRateKhz = 36,
  kGlobalMemoryBusWidth = 37,
  kL2CacheBytes = 38,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMaxSharedMemoryPerBlockOptin = 97,
};

/// CUfunction_attribute.
enum : int {
  kFunctionMaxThreadsPerBlock = 0,
  kFunctionSharedBytes = 1,
  kFunctionLocalBytes = 3,
  kFunctionRegisters = 4,
  kFunctionMaxDynamicSharedBytes = 8,
};

enum : unsigned { kEventDefault = 0 };

/// Every function that is resolved, as X(member, exported name, signature).
#define COULOMB_CUDA_FUNCTIONS(X)                                                                  \
  X(init, "cuInit", Result(unsigned))                                                              \
  X(driver_version, "cuDriverGetVersion", Result(int*))                                            \
  X(error_name, "cuGetErrorName", Result(Result, const char**))                                    \
  X(error_string, "cuGetErrorString", Result(Result, const char**))                                \
  X(device_count, "cuDeviceGetCount", Result(int*))                                                \
  X(device, "cuDeviceGet", Result(Device*, int))                                                   \
  X(device_name, "cuDeviceGetName", Result(char*, int, Device))                                    \
  X(device_uuid, "cuDeviceGetUuid", Result(Uuid*, Device))                                         \
  X(device_pci_bus_id, "cuDeviceGetPCIBusId", Result(char*, int, Device))                          \
  X(device_attribute, "cuDeviceGetAttribute", Result(int*, int, Device))                           \
  X(device_memory, "cuDeviceTotalMem_v2", Result(std::size_t*, Device))                            \
  X(context_retain, "cuDevicePrimaryCtxRetain", Result(Context*, Device))                          \
  X(context_release, "cuDevicePrimaryCtxRelease_v2", Result(Device))                               \
  X(context_set, "cuCtxSetCurrent", Result(Context))                                               \
  X(context_synchronize, "cuCtxSynchronize", Result())                                             \
  X(module_load, "cuModuleLoadData", Result(Module*, const void*))                                 \
  X(module_unload, "cuModuleUnload", Result(Module))                                               \
  X(module_function, "cuModuleGetFunction", Result(Function*, Module, const char*))                \
  X(module_global, "cuModuleGetGlobal_v2",                                                         \
    Result(DevicePointer*, std::size_t*, Module, const char*))                                     \
  X(function_attribute, "cuFuncGetAttribute", Result(int*, int, Function))                         \
  X(function_set_attribute, "cuFuncSetAttribute", Result(Function, int, int))                      \
  X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor",                                      \
    Result(int*, Function, int, std::size_t))                                                      \
  X(memory_info, "cuMemGetInfo_v2", Result(std::size_t*, std::size_t*))                            \
  X(allocate, "cuMemAlloc_v2", Result(DevicePointer*, std::size_t))                                \
  X(release, "cuMemFree_v2", Result(DevicePointer))                                                \
  X(to_device, "cuMemcpyHtoD_v2", Result(DevicePointer, const void*, std::size_t))                 \
  X(to_host, "cuMemcpyDtoH_v2", Result(void*, DevicePointer, std::size_t))                         \
  X(fill, "cuMemsetD8_v2", Result(DevicePointer, unsigned char, std::size_t))                      \
  X(launch, "cuLaunchKernel",                                                                      \
    Result(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Stream, \
           void**, void**))                                                                        \
  X(event_create, "cuEventCreate", Result(Event*, unsigned))                                       \
  X(event_destroy, "cuEventDestroy_v2", Result(Event))                                             \
  X(event_record, "cuEventRecord", Result(Event, Stream))                                          \
  X(event_synchronize, "cuEventSynchronize", Result(Event))                                        \
  X(event_elapsed, "cuEventElapsedTime", Result(float*, Event, Event))

/// Those that older drivers lack (CUDA 12.4 and newer have them).
#define COULOMB_CUDA_OPTIONAL_FUNCTIONS(X)                                                         \
  X(function_parameter, "cuFuncGetParamInfo",                                                      \
    Result(Function, std::size_t, std::size_t*, std::size_t*))

/// One pointer for each of them; null for an optional one that is not there.
struct DriverFunctions {
#define COULOMB_CUDA_MEMBER(member, name, ...)                                                     \
  using member##_signature = __VA_ARGS__;                                                          \
  member##_signature* member = nullptr;
  COULOMB_CUDA_FUNCTIONS(COULOMB_CUDA_MEMBER)
  COULOMB_CUDA_OPTIONAL_FUNCTIONS(COULOMB_CUDA_MEMBER)
#undef COULOMB_CUDA_MEMBER
};

} // namespace coulomb::hw::abi
