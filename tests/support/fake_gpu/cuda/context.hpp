// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/cuda/driver_abi.hpp"
#include "sim/functional/global_memory.hpp"
#include "sim/isa/cubin.hpp"
#include "tests/support/fake_gpu/board.hpp"
#include "tests/support/fake_gpu/cuda/timeline.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// What the driver's handles point at: the fake library defines the types that the interface leaves
/// open.
namespace coulomb::hw::abi {

/// A kernel of a module.
struct FunctionT {
  ModuleT* module = nullptr;
  const isa::KernelImage* image = nullptr;
  int max_dynamic_shared = 0;
  bool launched = false;
  std::map<std::string, double> known_launches; ///< what was launched -> its warp instructions
};

struct ModuleT {
  ContextT* context = nullptr;
  isa::Cubin cubin; ///< its variables' addresses are those in the context's memory
  DevicePointer globals = 0;
  DevicePointer constants = 0;
  std::map<std::string, std::unique_ptr<FunctionT>> functions;
};

struct EventT {
  ContextT* context = nullptr;
  bool recorded = false;
  double stamp_ns = 0.0;
  std::uint64_t work = 0; ///< its place in the stream
};

/// The primary context of a device.
struct ContextT {
  explicit ContextT(int device_ordinal)
      : board(fake::chosen_board()), ordinal(device_ordinal), timeline(board.sms, board.clock_mhz) {
  }

  const fake::Board& board;
  int ordinal;
  int users = 0;
  functional::GlobalMemory memory;
  std::map<DevicePointer, std::uint64_t> buffers; ///< what cuMemAlloc gave, with sizes
  std::uint64_t used_bytes = 0;
  std::vector<std::unique_ptr<ModuleT>> modules;
  std::vector<std::unique_ptr<EventT>> events;
  fake::cuda::Timeline timeline;
  std::size_t printed = 0; ///< characters of device printf that were passed on
};

} // namespace coulomb::hw::abi

namespace coulomb::fake::cuda {

/// Whether a handle is one that `owned` holds.
template <class T>
[[nodiscard]] bool holds(const std::vector<std::unique_ptr<T>>& owned, const T* handle) {
  for (const auto& one : owned) {
    if (one.get() == handle) {
      return true;
    }
  }
  return false;
}

/// Whether it is a function of one of the context's modules.
[[nodiscard]] bool owns(const hw::abi::ContextT& context, const hw::abi::FunctionT* function);

/// Size of the device's memory: the board's, or FAKE_CUDA_MEMORY.
[[nodiscard]] std::uint64_t device_memory_bytes(const Board& board);

/// Host address of `bytes` bytes of device memory, null unless all are in one allocation.
[[nodiscard]] std::uint8_t*
device_bytes(const hw::abi::ContextT& context, hw::abi::DevicePointer address, std::uint64_t bytes);

} // namespace coulomb::fake::cuda
