// SPDX-License-Identifier: Apache-2.0
#include "hw/device/device_problem.hpp"

#include "base/error.hpp"

#include <fmt/ranges.h>

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
  for (const kernel::Argument& a : arguments) {
    add(a);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i) { // addresses no longer move
    if (arguments[i].passed) {
      parameters_.push_back(arguments[i].vector ? static_cast<void*>(&addresses_[i])
                                                : static_cast<void*>(pristine_[i].data()));
    }
  }
  check_parameters();
  if (launch_->dynamic_shared_bytes > kSharedWithoutOptIn) {
    driver.check(
        driver.api().function_set_attribute(function_, abi::kFunctionMaxDynamicSharedBytes,
                                            static_cast<int>(launch_->dynamic_shared_bytes)),
        fmt::format("{} bytes of dynamic shared memory", launch_->dynamic_shared_bytes));
  }
}

void DeviceProblem::add(const kernel::Argument& a) {
  const std::size_t i = pristine_.size();
  pristine_.push_back(kernel::initial_contents(a));
  buffers_.emplace_back(*driver_, a.vector ? kernel::argument_bytes(a) : 0);
  addresses_.push_back(buffers_[i].address());
  variables_.push_back(0);
  if (!a.constant_symbol.empty()) {
    const auto [address, bytes] = module_.global(a.constant_symbol);
    if (pristine_[i].size() > bytes) {
      throw UserError(fmt::format("variable {} has {} bytes; {} were given ({})", a.constant_symbol,
                                  bytes, pristine_[i].size(), kernel::argument_text(a)));
    }
    variables_[i] = address;
    addresses_[i] = a.vector ? addresses_[i] : address;
    if (a.fill.kind == kernel::FillKind::keep) { // what the compiler gave it
      pristine_[i] = read(address, pristine_[i].size(), a.constant_symbol);
    }
  }
  upload(i);
}

/// The driver copies as many parameters as the kernel has, from wherever the pointers lead.
void DeviceProblem::check_parameters() const {
  const auto info = driver_->api().function_parameter;
  if (info == nullptr) {
    return;
  }
  std::vector<std::string> takes;
  std::vector<std::string> given;
  std::size_t offset = 0;
  std::size_t size = 0;
  while (info(function_, takes.size(), &offset, &size) == abi::kSuccess) {
    takes.push_back(std::to_string(size));
  }
  for (const kernel::Argument& a : launch_->arguments) {
    if (a.passed) {
      given.push_back(
          std::to_string(a.vector ? sizeof(abi::DevicePointer) : kernel::argument_bytes(a)));
    }
  }
  if (takes != given) {
    throw UserError(
        fmt::format("the kernel takes {} parameters of {} bytes, the launch passes {} of {}",
                    takes.size(), takes.empty() ? "no" : fmt::format("{}", fmt::join(takes, ", ")),
                    given.size(), given.empty() ? "no" : fmt::format("{}", fmt::join(given, ", "))),
        "give one argument for each parameter of the kernel, in order; a pointer has 8 bytes");
  }
}

void DeviceProblem::upload(std::size_t i) const {
  const auto& bytes = pristine_[i];
  for (const abi::DevicePointer to : {buffers_[i].address(), variables_[i]}) {
    if (to != 0 && !bytes.empty()) {
      driver_->check(driver_->api().to_device(to, bytes.data(), bytes.size()),
                     fmt::format("cuMemcpyHtoD to {}", launch_->arguments[i].name));
    }
  }
}

void DeviceProblem::restore() const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const kernel::Argument& a = launch_->arguments[i];
    if (a.writable || a.output || variables_[i] != 0) {
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
  return read(addresses_[i], pristine_[i].size(), launch_->arguments[i].name);
}

std::vector<std::uint8_t>
DeviceProblem::read(abi::DevicePointer from, std::size_t size, const std::string& name) const {
  std::vector<std::uint8_t> bytes(size);
  driver_->check(driver_->api().to_host(bytes.data(), from, size),
                 fmt::format("cuMemcpyDtoH from {}", name));
  return bytes;
}

} // namespace coulomb::hw
