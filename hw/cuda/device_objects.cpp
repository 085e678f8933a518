// SPDX-License-Identifier: Apache-2.0
#include "hw/cuda/device_objects.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace coulomb::hw {

Context::Context(const Driver& driver, std::uint32_t ordinal) : driver_(&driver) {
  const auto& api = driver.api();
  driver.check(api.device(&device_, static_cast<int>(ordinal)), "cuDeviceGet");
  driver.check(api.context_retain(&context_, device_), "cuDevicePrimaryCtxRetain");
  driver.check(api.context_set(context_), "cuCtxSetCurrent");
}

Context::~Context() {
  driver_->api().context_release(device_);
}

void Context::synchronize() const {
  driver_->check(driver_->api().context_synchronize(), "cuCtxSynchronize");
}

DeviceBuffer::DeviceBuffer(const Driver& driver, std::uint64_t bytes)
    : driver_(&driver), bytes_(bytes) {
  if (bytes == 0) {
    return;
  }
  const abi::Result result = driver.api().allocate(&address_, bytes);
  const std::string what = fmt::format("cuMemAlloc of {} bytes", with_thousands(bytes));
  std::size_t free = 0;
  std::size_t total = 0;
  if (result == abi::kOutOfMemory && driver.api().memory_info(&free, &total) == abi::kSuccess) {
    throw CudaFailure(result,
                      fmt::format("{}: {}; {} of {} are free", what, driver.describe(result),
                                  with_thousands(free), with_thousands(total)));
  }
  driver.check(result, what);
}

DeviceBuffer::~DeviceBuffer() {
  if (address_ != 0) {
    driver_->api().release(address_);
  }
}

DeviceModule::DeviceModule(const Driver& driver, const std::string& image) : driver_(&driver) {
  driver.check(driver.api().module_load(&module_, image.data()), "cuModuleLoadData");
}

DeviceModule::~DeviceModule() {
  driver_->api().module_unload(module_);
}

abi::Function DeviceModule::function(const std::string& name) const {
  abi::Function function = nullptr;
  driver_->check(driver_->api().module_function(&function, module_, name.c_str()),
                 fmt::format("cuModuleGetFunction of {}", name));
  return function;
}

std::pair<abi::DevicePointer, std::uint64_t> DeviceModule::global(const std::string& name) const {
  abi::DevicePointer address = 0;
  std::size_t bytes = 0;
  driver_->check(driver_->api().module_global(&address, &bytes, module_, name.c_str()),
                 fmt::format("cuModuleGetGlobal of {}", name));
  return {address, bytes};
}

Stopwatch::Stopwatch(const Driver& driver) : driver_(&driver) {
  driver.check(driver.api().event_create(&begin_, abi::kEventDefault), "cuEventCreate");
  driver.check(driver.api().event_create(&end_, abi::kEventDefault), "cuEventCreate");
}

Stopwatch::~Stopwatch() {
  driver_->api().event_destroy(begin_);
  driver_->api().event_destroy(end_);
}

void Stopwatch::start() const {
  driver_->check(driver_->api().event_record(begin_, nullptr), "cuEventRecord");
}

double Stopwatch::stop() const {
  const auto& api = driver_->api();
  driver_->check(api.event_record(end_, nullptr), "cuEventRecord");
  driver_->check(api.event_synchronize(end_), "cuEventSynchronize");
  float milliseconds = 0.0F;
  driver_->check(api.event_elapsed(&milliseconds, begin_, end_), "cuEventElapsedTime");
  return static_cast<double>(milliseconds);
}

} // namespace coulomb::hw
