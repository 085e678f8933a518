// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/status.hpp"
#include "hw/cuda/driver_abi.hpp"
#include "hw/loader/shared_library.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace coulomb::hw {

/// A call of the driver that failed.
class CudaFailure : public std::runtime_error {
public:
  CudaFailure(abi::Result code, const std::string& message)
      : std::runtime_error(message), code_(code) {}
  [[nodiscard]] abi::Result code() const { return code_; }

private:
  abi::Result code_;
};

/// What a result code means for the kernel that was measured.
struct CudaFate {
  eval::EvalStatus status = eval::EvalStatus::crashed;
  bool sticky = false;   ///< every later call of the process fails too: go on in another process
  bool device = false;   ///< it is the device or the driver that is at fault, not the kernel
  const char* hint = ""; ///< next step
};
[[nodiscard]] CudaFate fate_of(abi::Result code);

/// Properties of one CUDA device.
struct DeviceInfo {
  std::uint32_t ordinal = 0;
  std::string name; ///< "NVIDIA A100-SXM4-40GB"
  std::string uuid; ///< "GPU-01234567-...", as NVML and nvidia-smi print it
  std::string pci_bus_id;
  int major = 0; ///< compute capability
  int minor = 0;
  std::uint32_t sms = 0;
  std::uint64_t memory_bytes = 0;
  std::uint64_t l2_bytes = 0;
  std::uint32_t shared_optin_bytes = 0; ///< most shared memory of one CTA
  bool kernel_timeout = false;          ///< a watchdog ends kernels that run for seconds
  std::string cuda_version;             ///< newest that the driver supports, "13.0"
  std::string driver_version;           ///< "535.54.03", from NVML; empty if it is not known

  [[nodiscard]] std::string architecture() const; ///< "sm_80"
};

/// The CUDA driver, loaded with dlopen so that Coulomb starts where there is none.
class Driver {
public:
  /// Loads libcuda.so.1 ($COULOMB_CUDA_DRIVER: another file) and initialises it. Throws
  /// EnvironmentError with the fix: no driver, a function missing (driver older than 470), no
  /// device, a driver that cannot start.
  Driver();

  [[nodiscard]] const abi::DriverFunctions& api() const { return functions_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::uint32_t device_count() const;
  /// Throws UserError if there is no device of that number.
  [[nodiscard]] DeviceInfo info(std::uint32_t ordinal) const;
  /// Throws CudaFailure "cuMemAlloc of 4,096 bytes: CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
  void check(abi::Result result, const std::string& what) const;
  /// "CUDA_ERROR_OUT_OF_MEMORY (out of memory)".
  [[nodiscard]] std::string describe(abi::Result result) const;

private:
  [[nodiscard]] int attribute(abi::Device device, int which) const;

  SharedLibrary library_;
  abi::DriverFunctions functions_;
  std::string path_;
};

} // namespace coulomb::hw
