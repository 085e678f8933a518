// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/cuda/driver.hpp"

#include <utility>

namespace coulomb::hw {

/// The device's primary context, current on this thread as long as this lives.
class Context {
public:
  /// Throws CudaFailure.
  Context(const Driver& driver, std::uint32_t ordinal);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Waits for all work. Throws CudaFailure: errors of kernels show here.
  void synchronize() const;
  [[nodiscard]] abi::Context handle() const { return context_; }

private:
  const Driver* driver_;
  abi::Context context_ = nullptr;
  abi::Device device_ = 0;
};

/// Device memory; freed with this.
class DeviceBuffer {
public:
  DeviceBuffer() = default;
  /// Throws CudaFailure. 0 bytes: nothing is allocated, the address is 0.
  DeviceBuffer(const Driver& driver, std::uint64_t bytes);
  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DeviceBuffer();

  [[nodiscard]] abi::DevicePointer address() const { return address_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(driver_, other.driver_);
    std::swap(address_, other.address_);
    std::swap(bytes_, other.bytes_);
  }

  const Driver* driver_ = nullptr;
  abi::DevicePointer address_ = 0;
  std::uint64_t bytes_ = 0;
};

/// A loaded cubin; unloaded with this.
class DeviceModule {
public:
  /// Throws CudaFailure (another architecture's cubin: kNoBinaryForGpu).
  DeviceModule(const Driver& driver, const std::string& image);
  ~DeviceModule();
  DeviceModule(const DeviceModule&) = delete;
  DeviceModule& operator=(const DeviceModule&) = delete;

  /// Throws CudaFailure.
  [[nodiscard]] abi::Function function(const std::string& name) const;
  /// Address and bytes of a __constant__ or __device__ variable. Throws CudaFailure.
  [[nodiscard]] std::pair<abi::DevicePointer, std::uint64_t> global(const std::string& name) const;

private:
  const Driver* driver_;
  abi::Module module_ = nullptr;
};

/// Two events around something, on the default stream.
class Stopwatch {
public:
  /// Throws CudaFailure.
  explicit Stopwatch(const Driver& driver);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  void start() const;
  /// Waits for what was started since; milliseconds. Throws CudaFailure: errors of kernels show
  /// here.
  [[nodiscard]] double stop() const;

private:
  const Driver* driver_;
  abi::Event begin_ = nullptr;
  abi::Event end_ = nullptr;
};

} // namespace coulomb::hw
