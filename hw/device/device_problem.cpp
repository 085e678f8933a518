// SPDX-License-Identifier: Apache-2.0
#include "hw/device/device_problem.hpp"

#include "base/error.hpp"

namespace coulomb::hw {
namespace {

/// Dynamic shared memory up to this needs no opt-in, on every architecture.
constexpr std::uint32_t kSharedWithoutOptIn = 48 * 1024;

} // namespace

DeviceProblem::DeviceProblem(const Driver& driver,
                             const eval::MeasureRequest& request,
                             const std::string& image)
    : driver_(&driver), launch_(&request.launch), module_(driver, image),
      function_(module_.function(request.kernel_name)) {
  const auto& arguments = launch_->arguments;
  addresses_.resize(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const kernel::Argument& a = arguments[i];
    pristine_.push_back(kernel::initial_contents(a));
    buffers_.emplace_back(driver, a.vector ? kernel::argument_bytes(a) : 0);
    addresses_[i] = buffers_[i].address();
    if (!a.constant_symbol.empty()) {
      const auto [address, bytes] = module_.global(a.constant_symbol);
      if (pristine_[i].size() > bytes) {
        throw UserError(fmt::format("variable {} has {} bytes; {} were given ({})",
                                    a.constant_symbol, bytes, pristine_[i].size(),
                                    kernel::argument_text(a)));
      }
      if (a.fill.kind != kernel::FillKind::keep) {
        driver.check(driver.api().to_device(address, pristine_[i].data(), pristine_[i].size()),
                     fmt::format("cuMemcpyHtoD to {}", a.constant_symbol));
      }
      addresses_[i] = a.vector ? addresses_[i] : address;
    }
    upload(i);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) { // addresses no longer move
    if (arguments[i].passed) {
      parameters_.push_back(arguments[i].vector ? static_cast<void*>(&addresses_[i])
                                                : static_cast<void*>(pristine_[i].data()));
    }
  }
  if (launch_->dynamic_shared_bytes > kSharedWithoutOptIn) {
    driver.check(
        driver.api().function_set_attribute(function_, abi::kFunctionMaxDynamicSharedBytes,
                                            static_cast<int>(launch_->dynamic_shared_bytes)),
        fmt::format("{} bytes of dynamic shared memory", launch_->dynamic_shared_bytes));
  }
}

void DeviceProblem::upload(std::size_t i) const {
  if (buffers_[i].bytes() > 0) {
    driver_->check(
        driver_->api().to_device(buffers_[i].address(), pristine_[i].data(), buffers_[i].bytes()),
        fmt::format("cuMemcpyHtoD to {}", launch_->arguments[i].name));
  }
}

void DeviceProblem::restore() const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const kernel::Argument& a = launch_->arguments[i];
    if (a.writable || a.output) {
      upload(i);
    }
  }
}

void DeviceProblem::launch() const {
  const Dim3& grid = launch_->grid;
  const Dim3& block = launch_->block;
  driver_->check(driver_->api().launch(function_, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                       launch_->dynamic_shared_bytes, nullptr, parameters_.data(),
                                       nullptr),
                 "cuLaunchKernel");
}

std::vector<std::uint8_t> DeviceProblem::contents(std::size_t i) const {
  std::vector<std::uint8_t> bytes(pristine_[i].size());
  driver_->check(driver_->api().to_host(bytes.data(), addresses_[i], bytes.size()),
                 fmt::format("cuMemcpyDtoH from {}", launch_->arguments[i].name));
  return bytes;
}

} // namespace coulomb::hw
