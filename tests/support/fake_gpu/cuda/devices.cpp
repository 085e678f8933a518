// SPDX-License-Identifier: Apache-2.0
#include "base/hash.hpp"
#include "tests/support/fake_gpu/cuda/call.hpp"
#include "tests/support/fake_gpu/cuda/exports.hpp"
#include "tests/support/fake_gpu/options.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string>

namespace {

using namespace coulomb;
using namespace coulomb::fake::cuda;
using hw::abi::Result;

constexpr int kDriverVersion = 13000;

bool is_device(hw::abi::Device device) {
  return device >= 0 && device < fake::board_count();
}

/// Copies a text that fits `bytes` with its end, cut where it does not.
Result give_text(char* to, int bytes, const std::string& text) {
  if (to == nullptr || bytes <= 0) {
    return hw::abi::kInvalidValue;
  }
  const std::size_t length = std::min(text.size(), static_cast<std::size_t>(bytes) - 1);
  std::memcpy(to, text.data(), length);
  to[length] = '\0';
  return hw::abi::kSuccess;
}

struct Attribute {
  int number;
  int value;
};

/// CUdevice_attribute; the numbers without a name are those of "CUDA Driver API".
const std::vector<Attribute>& attributes() {
  constexpr int kThousand = 1000;
  static const fake::Board& board = fake::chosen_board();
  static const std::vector<Attribute> table{
      {hw::abi::kMaxThreadsPerBlock, 1024},
      {2, 1024},       // MAX_BLOCK_DIM_X
      {3, 1024},       // MAX_BLOCK_DIM_Y
      {4, 64},         // MAX_BLOCK_DIM_Z
      {5, 0x7fffffff}, // MAX_GRID_DIM_X
      {6, 65535},      // MAX_GRID_DIM_Y
      {7, 65535},      // MAX_GRID_DIM_Z
      {hw::abi::kMaxSharedMemoryPerBlock, 48 * 1024},
      {9, 64 * 1024}, // TOTAL_CONSTANT_MEMORY
      {hw::abi::kWarpSize, 32},
      {12, 65536}, // MAX_REGISTERS_PER_BLOCK
      {hw::abi::kClockRateKhz, static_cast<int>(board.clock_mhz) * kThousand},
      {hw::abi::kMultiprocessorCount, board.sms},
      {hw::abi::kKernelExecTimeout, fake::option_number("FAKE_CUDA_WATCHDOG", 0) > 0 ? 1 : 0},
      {hw::abi::kComputeMode, 0},
      {hw::abi::kMemoryClockRateKhz, static_cast<int>(board.memory_clock_mhz) * kThousand},
      {hw::abi::kGlobalMemoryBusWidth, board.bus_bits},
      {hw::abi::kL2CacheBytes, board.l2_bytes},
      {39, board.max_warps * 32}, // MAX_THREADS_PER_MULTIPROCESSOR
      {hw::abi::kComputeCapabilityMajor, board.major},
      {hw::abi::kComputeCapabilityMinor, board.minor},
      {81, board.shared_per_sm}, // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
      {82, 65536},               // MAX_REGISTERS_PER_MULTIPROCESSOR
      {hw::abi::kMaxSharedMemoryPerBlockOptin, board.shared_optin},
      {106, board.max_ctas}, // MAX_BLOCKS_PER_MULTIPROCESSOR
      {111, 1024},           // RESERVED_SHARED_MEMORY_PER_BLOCK
  };
  return table;
}

} // namespace

Result cuInit(unsigned flags) {
  return Driver::get().call("cuInit", Needs::nothing, [&] {
    if (flags != 0) {
      return Result{hw::abi::kInvalidValue};
    }
    if (fake::board_count() == 0) {
      return Result{hw::abi::kNoDevice};
    }
    Driver::get().initialise();
    return Result{hw::abi::kSuccess};
  });
}

Result cuDriverGetVersion(int* version) {
  return Driver::get().call("cuDriverGetVersion", Needs::nothing, [&] {
    *version = static_cast<int>(fake::option_number("FAKE_CUDA_DRIVER_VERSION", kDriverVersion));
    return Result{hw::abi::kSuccess};
  });
}

Result cuDeviceGetCount(int* count) {
  return Driver::get().call("cuDeviceGetCount", Needs::driver, [&] {
    *count = fake::board_count();
    return Result{hw::abi::kSuccess};
  });
}

Result cuDeviceGet(hw::abi::Device* device, int ordinal) {
  return Driver::get().call("cuDeviceGet", Needs::driver, [&] {
    if (!is_device(ordinal)) {
      return Result{hw::abi::kInvalidDevice};
    }
    *device = ordinal;
    return Result{hw::abi::kSuccess};
  });
}

Result cuDeviceGetName(char* name, int bytes, hw::abi::Device device) {
  return Driver::get().call("cuDeviceGetName", Needs::driver, [&] {
    return is_device(device) ? give_text(name, bytes, fake::chosen_board().name)
                             : Result{hw::abi::kInvalidDevice};
  });
}

Result cuDeviceGetUuid(hw::abi::Uuid* uuid, hw::abi::Device device) {
  return Driver::get().call("cuDeviceGetUuid", Needs::driver, [&] {
    if (!is_device(device)) {
      return Result{hw::abi::kInvalidDevice};
    }
    const std::string digits = hash128_hex(fmt::format("{} {}", fake::chosen_board().name, device));
    for (std::size_t i = 0; i < sizeof uuid->bytes; ++i) {
      uuid->bytes[i] = static_cast<char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
    }
    return Result{hw::abi::kSuccess};
  });
}

Result cuDeviceGetPCIBusId(char* text, int bytes, hw::abi::Device device) {
  return Driver::get().call("cuDeviceGetPCIBusId", Needs::driver, [&] {
    return is_device(device) ? give_text(text, bytes, fake::pci_bus_id(device))
                             : Result{hw::abi::kInvalidDevice};
  });
}

Result cuDeviceGetAttribute(int* value, int attribute, hw::abi::Device device) {
  return Driver::get().call("cuDeviceGetAttribute", Needs::driver, [&] {
    if (!is_device(device)) {
      return Result{hw::abi::kInvalidDevice};
    }
    for (const Attribute& known : attributes()) {
      if (known.number == attribute) {
        *value = known.value;
        return Result{hw::abi::kSuccess};
      }
    }
    return Result{hw::abi::kInvalidValue};
  });
}

Result cuDeviceTotalMem_v2(std::size_t* bytes, hw::abi::Device device) {
  return Driver::get().call("cuDeviceTotalMem_v2", Needs::driver, [&] {
    if (!is_device(device)) {
      return Result{hw::abi::kInvalidDevice};
    }
    *bytes = device_memory_bytes(fake::chosen_board());
    return Result{hw::abi::kSuccess};
  });
}

Result cuDevicePrimaryCtxRetain(hw::abi::Context* context, hw::abi::Device device) {
  return Driver::get().call("cuDevicePrimaryCtxRetain", Needs::device, [&] {
    if (!is_device(device)) {
      return Result{hw::abi::kInvalidDevice};
    }
    auto& owned = Driver::get().contexts()[static_cast<std::size_t>(device)];
    if (!owned) {
      owned = std::make_unique<hw::abi::ContextT>(device);
    }
    ++owned->users;
    *context = owned.get();
    return Result{hw::abi::kSuccess};
  });
}

Result cuDevicePrimaryCtxRelease_v2(hw::abi::Device device) {
  return Driver::get().call("cuDevicePrimaryCtxRelease_v2", Needs::device, [&] {
    if (!is_device(device)) {
      return Result{hw::abi::kInvalidDevice};
    }
    auto& owned = Driver::get().contexts()[static_cast<std::size_t>(device)];
    if (!owned) {
      return Result{kInvalidContext};
    }
    if (--owned->users == 0) {
      if (Driver::current() == owned.get()) {
        Driver::current() = nullptr;
      }
      owned.reset();
    }
    return Result{hw::abi::kSuccess};
  });
}

Result cuCtxSetCurrent(hw::abi::Context context) {
  return Driver::get().call("cuCtxSetCurrent", Needs::device, [&] {
    if (context != nullptr && !holds(Driver::get().contexts(), context)) {
      return Result{kInvalidContext};
    }
    Driver::current() = context;
    return Result{hw::abi::kSuccess};
  });
}

Result cuCtxSynchronize() {
  return Driver::get().call("cuCtxSynchronize", Needs::waiting, [] {
    here().timeline.wait_for_all();
    return Result{hw::abi::kSuccess};
  });
}

/// There are no private interfaces. Not counted as a call: nothing of Coulomb makes it.
Result cuGetExportTable(const void** table, const hw::abi::Uuid* /*id*/) {
  *table = nullptr;
  return hw::abi::kNotFound;
}
