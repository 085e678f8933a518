// SPDX-License-Identifier: Apache-2.0
#include "hw/cuda/driver.hpp"

#include "base/error.hpp"

#include <array>
#include <cstdlib>

namespace coulomb::hw {
namespace {

using eval::EvalStatus;

constexpr const char* kInstall =
    "install NVIDIA's driver (470 or newer; \"nvidia-smi\" then lists the GPU), or use recorded "
    "measurements: --device replay:TABLE";
constexpr const char* kRestartDriver =
    "see \"nvidia-smi\" and the kernel log for Xid messages; the driver or the machine may need a "
    "restart";
constexpr const char* kFaulty =
    "find the access with: coulomb run SPEC --functional --check memory";

struct FateRow {
  abi::Result code;
  CudaFate fate;
};

// What the driver's documentation says of each error: whether the process must be given up, and who
// is at fault.
constexpr std::array<FateRow, 22> kFates = {{
    {abi::kInvalidValue, {EvalStatus::launch_invalid, false, false, ""}},
    {abi::kOutOfMemory,
     {EvalStatus::launch_invalid, false, false, "take a smaller problem or another GPU"}},
    {abi::kNotInitialized, {EvalStatus::crashed, true, true, kRestartDriver}},
    {abi::kDeinitialized, {EvalStatus::crashed, true, true, kRestartDriver}},
    {abi::kDeviceUnavailable,
     {EvalStatus::crashed, true, true,
      "another process has the GPU to itself (compute mode EXCLUSIVE_PROCESS)"}},
    {abi::kInvalidImage, {EvalStatus::compile_failed, false, false, ""}},
    {abi::kNoBinaryForGpu, {EvalStatus::compile_failed, false, false, ""}},
    {abi::kEccUncorrectable, {EvalStatus::crashed, true, true, kRestartDriver}},
    {abi::kNotFound, {EvalStatus::launch_invalid, false, false, ""}},
    {abi::kIllegalAddress, {EvalStatus::crashed, true, false, kFaulty}},
    {abi::kLaunchOutOfResources, {EvalStatus::launch_invalid, false, false, ""}},
    {abi::kLaunchTimeout,
     {EvalStatus::timeout, true, false,
      "a display's watchdog ends kernels that run for seconds: measure on a GPU without a screen"}},
    {abi::kAssert, {EvalStatus::crashed, true, false, ""}},
    {abi::kHardwareStackError, {EvalStatus::crashed, true, false, kFaulty}},
    {abi::kIllegalInstruction, {EvalStatus::crashed, true, false, ""}},
    {abi::kMisalignedAddress, {EvalStatus::crashed, true, false, kFaulty}},
    {abi::kInvalidAddressSpace, {EvalStatus::crashed, true, false, kFaulty}},
    {abi::kInvalidPc, {EvalStatus::crashed, true, false, ""}},
    {abi::kLaunchFailed, {EvalStatus::crashed, true, false, kFaulty}},
    {abi::kSystemNotReady, {EvalStatus::crashed, true, true, kRestartDriver}},
    {abi::kSystemDriverMismatch,
     {EvalStatus::crashed, true, true,
      "the driver was updated while it ran: reload it, or restart the machine"}},
    {abi::kUnknown, {EvalStatus::crashed, true, true, kRestartDriver}},
}};

SharedLibrary load() {
  std::string why;
  const char* chosen = std::getenv("COULOMB_CUDA_DRIVER");
  const std::vector<std::string> candidates = chosen != nullptr && *chosen != '\0'
                                                  ? std::vector<std::string>{chosen}
                                                  : std::vector<std::string>{"libcuda.so.1"};
  if (auto library = SharedLibrary::open(candidates, why)) {
    return *library;
  }
  throw EnvironmentError("no NVIDIA driver: cannot load the CUDA driver library; " + why, kInstall);
}

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

} // namespace

CudaFate fate_of(abi::Result code) {
  for (const FateRow& row : kFates) {
    if (row.code == code) {
      return row.fate;
    }
  }
  return {EvalStatus::crashed, true, true, kRestartDriver}; // unknown: trust nothing after it
}

std::string DeviceInfo::architecture() const {
  return fmt::format("sm_{}{}", major, minor);
}

Driver::Driver() : library_(load()), path_(library_.path_of("cuInit")) {
#define COULOMB_RESOLVE(member, name, ...)                                                         \
  functions_.member = library_.function<abi::DriverFunctions::member##_signature>(name);           \
  if (functions_.member == nullptr) {                                                              \
    throw EnvironmentError(                                                                        \
        fmt::format("{} has no function {}: the driver is too old", path_, name), kInstall);       \
  }
  COULOMB_CUDA_FUNCTIONS(COULOMB_RESOLVE)
#undef COULOMB_RESOLVE
#define COULOMB_RESOLVE(member, name, ...)                                                         \
  functions_.member = library_.function<abi::DriverFunctions::member##_signature>(name);
  COULOMB_CUDA_OPTIONAL_FUNCTIONS(COULOMB_RESOLVE)
#undef COULOMB_RESOLVE
  const abi::Result started = functions_.init(0);
  if (started == abi::kStubLibrary) {
    throw EnvironmentError(
        fmt::format("{} is the toolkit's stub, which no program can run with", path_),
        "take the stubs directory out of LD_LIBRARY_PATH; the driver's own library is needed");
  }
  if (started == abi::kNoDevice) {
    throw EnvironmentError("the driver finds no GPU",
                           "see \"nvidia-smi -L\" and CUDA_VISIBLE_DEVICES");
  }
  if (started != abi::kSuccess) {
    throw EnvironmentError("the driver cannot start: cuInit: " + describe(started),
                           fate_of(started).hint);
  }
}

std::string Driver::describe(abi::Result result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (functions_.error_name(result, &name) != abi::kSuccess || name == nullptr) {
    return fmt::format("error {}", result);
  }
  if (functions_.error_string(result, &text) != abi::kSuccess || text == nullptr) {
    return name;
  }
  return fmt::format("{} ({})", name, text);
}

void Driver::check(abi::Result result, const std::string& what) const {
  if (result != abi::kSuccess) {
    throw CudaFailure(result, what + ": " + describe(result));
  }
}

std::uint32_t Driver::device_count() const {
  int count = 0;
  check(functions_.device_count(&count), "cuDeviceGetCount");
  return static_cast<std::uint32_t>(count);
}

int Driver::attribute(abi::Device device, int which) const {
  int value = 0;
  check(functions_.device_attribute(&value, which, device), "cuDeviceGetAttribute");
  return value;
}

DeviceInfo Driver::info(std::uint32_t ordinal) const {
  const std::uint32_t count = device_count();
  if (ordinal >= count) {
    throw UserError(fmt::format("there is no device {}; there {} {}: 0{}", ordinal,
                                count == 1 ? "is" : "are", count,
                                count > 1 ? fmt::format(" to {}", count - 1) : ""));
  }
  DeviceInfo info;
  info.ordinal = ordinal;
  abi::Device device = 0;
  check(functions_.device(&device, static_cast<int>(ordinal)), "cuDeviceGet");
  std::array<char, 256> text{};
  check(functions_.device_name(text.data(), static_cast<int>(text.size()), device),
        "cuDeviceGetName");
  info.name = text.data();
  check(functions_.device_pci_bus_id(text.data(), static_cast<int>(text.size()), device),
        "cuDeviceGetPCIBusId");
  info.pci_bus_id = text.data();
  abi::Uuid uuid{};
  check(functions_.device_uuid(&uuid, device), "cuDeviceGetUuid");
  info.uuid = "GPU-";
  for (std::size_t i = 0; i < sizeof(uuid.bytes); ++i) {
    const bool dash = i == 4 || i == 6 || i == 8 || i == 10;
    info.uuid +=
        fmt::format("{}{:02x}", dash ? "-" : "", static_cast<unsigned char>(uuid.bytes[i]));
  }
  std::size_t bytes = 0;
  check(functions_.device_memory(&bytes, device), "cuDeviceTotalMem");
  info.memory_bytes = bytes;
  info.major = attribute(device, abi::kComputeCapabilityMajor);
  info.minor = attribute(device, abi::kComputeCapabilityMinor);
  info.sms = static_cast<std::uint32_t>(attribute(device, abi::kMultiprocessorCount));
  info.l2_bytes = static_cast<std::uint64_t>(attribute(device, abi::kL2CacheBytes));
  info.shared_optin_bytes =
      static_cast<std::uint32_t>(attribute(device, abi::kMaxSharedMemoryPerBlockOptin));
  info.kernel_timeout = attribute(device, abi::kKernelExecTimeout) != 0;
  int version = 0;
  check(functions_.driver_version(&version), "cuDriverGetVersion");
  info.cuda_version = version_text(version);
  return info;
}

} // namespace coulomb::hw
