// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/measurement.hpp"
#include "hw/cuda/device_objects.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace coulomb::hw {

/// The module, buffers and parameters of one launch on a device.
class DeviceProblem {
public:
  /// Loads the cubin, allocates and fills every buffer and module variable. Throws CudaFailure, and
  /// UserError (file fills; a variable that is too small; arguments that are not the kernel's
  /// parameters, where the driver tells those).
  DeviceProblem(const Driver& driver,
                const eval::MeasureRequest& request,
                const std::string& image);

  /// Writes the initial contents of all that the kernel may change.
  void restore() const;
  /// Starts the kernel on the default stream. Throws CudaFailure.
  void launch() const;
  [[nodiscard]] abi::Function function() const { return function_; }

  /// Initial contents of argument `i`.
  [[nodiscard]] const std::vector<std::uint8_t>& pristine(std::size_t i) const {
    return pristine_[i];
  }
  /// What argument `i` (a buffer or a __device__ variable) holds now. Throws CudaFailure.
  [[nodiscard]] std::vector<std::uint8_t> contents(std::size_t i) const;

private:
  void add(const kernel::Argument& argument);
  void check_parameters() const;
  void upload(std::size_t i) const;
  [[nodiscard]] std::vector<std::uint8_t>
  read(abi::DevicePointer from, std::size_t size, const std::string& name) const;

  const Driver* driver_;
  const kernel::Launch* launch_;
  DeviceModule module_;
  abi::Function function_ = nullptr;
  std::vector<DeviceBuffer> buffers_;         ///< one for each argument; empty if by value
  std::vector<abi::DevicePointer> addresses_; ///< of what argument i is; 0: by value
  std::vector<abi::DevicePointer> variables_; ///< module variable that argument i fills; 0: none
  std::vector<std::vector<std::uint8_t>> pristine_;
  mutable std::vector<void*> parameters_; ///< the driver's interface is not const
};

} // namespace coulomb::hw
