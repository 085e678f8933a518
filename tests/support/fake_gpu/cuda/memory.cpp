// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "tests/support/fake_gpu/cuda/call.hpp"
#include "tests/support/fake_gpu/cuda/exports.hpp"

#include <cstring>

namespace {

using namespace coulomb;
using namespace coulomb::fake::cuda;
using hw::abi::DevicePointer;
using hw::abi::Result;

/// Unit in which a GPU's memory is used up.
constexpr std::uint64_t kUnit = 512;

std::uint64_t charged(std::uint64_t bytes) {
  return (bytes + kUnit - 1) / kUnit * kUnit;
}

} // namespace

Result cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  return Driver::get().call("cuMemGetInfo_v2", Needs::context, [&] {
    *total_bytes = device_memory_bytes(here().board);
    *free_bytes = *total_bytes - here().used_bytes;
    return Result{hw::abi::kSuccess};
  });
}

Result cuMemAlloc_v2(DevicePointer* address, std::size_t bytes) {
  return Driver::get().call("cuMemAlloc_v2", Needs::context, [&] {
    if (address == nullptr || bytes == 0) {
      return Result{hw::abi::kInvalidValue};
    }
    if (bytes > device_memory_bytes(here().board) ||
        here().used_bytes + charged(bytes) > device_memory_bytes(here().board)) {
      return Result{hw::abi::kOutOfMemory};
    }
    try {
      *address = here().memory.allocate("buffer", bytes);
    } catch (const EnvironmentError&) { // the host has not so much
      return Result{hw::abi::kOutOfMemory};
    }
    here().buffers[*address] = bytes;
    here().used_bytes += charged(bytes);
    return Result{hw::abi::kSuccess};
  });
}

Result cuMemFree_v2(DevicePointer address) {
  return Driver::get().call("cuMemFree_v2", Needs::waiting, [&] {
    if (address == 0) {
      return Result{hw::abi::kSuccess};
    }
    const auto found = here().buffers.find(address);
    if (found == here().buffers.end()) {
      return Result{hw::abi::kInvalidValue};
    }
    here().used_bytes -= charged(found->second);
    here().buffers.erase(found);
    here().memory.release(address);
    return Result{hw::abi::kSuccess};
  });
}

Result cuMemcpyHtoD_v2(DevicePointer to, const void* from, std::size_t bytes) {
  return Driver::get().call("cuMemcpyHtoD_v2", Needs::waiting, [&] {
    std::uint8_t* device = device_bytes(here(), to, bytes);
    if (bytes != 0 && (device == nullptr || from == nullptr)) {
      return Result{hw::abi::kInvalidValue};
    }
    if (bytes != 0) {
      std::memcpy(device, from, bytes);
    }
    here().timeline.transfer(bytes);
    here().timeline.wait_for_all();
    return Result{hw::abi::kSuccess};
  });
}

Result cuMemcpyDtoH_v2(void* to, DevicePointer from, std::size_t bytes) {
  return Driver::get().call("cuMemcpyDtoH_v2", Needs::waiting, [&] {
    const std::uint8_t* device = device_bytes(here(), from, bytes);
    if (bytes != 0 && (device == nullptr || to == nullptr)) {
      return Result{hw::abi::kInvalidValue};
    }
    if (bytes != 0) {
      std::memcpy(to, device, bytes);
    }
    here().timeline.transfer(bytes);
    here().timeline.wait_for_all();
    return Result{hw::abi::kSuccess};
  });
}

Result cuMemsetD8_v2(DevicePointer to, unsigned char value, std::size_t bytes) {
  return Driver::get().call("cuMemsetD8_v2", Needs::context, [&] {
    std::uint8_t* device = device_bytes(here(), to, bytes);
    if (bytes != 0 && device == nullptr) {
      return Result{hw::abi::kInvalidValue};
    }
    if (bytes != 0 && !Driver::get().device_stopped()) {
      std::memset(device, value, bytes);
    }
    here().timeline.transfer(bytes);
    return Result{hw::abi::kSuccess};
  });
}
