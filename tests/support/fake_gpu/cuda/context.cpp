// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/cuda/context.hpp"

#include "tests/support/fake_gpu/options.hpp"

namespace coulomb::fake::cuda {

bool owns(const hw::abi::ContextT& context, const hw::abi::FunctionT* function) {
  for (const auto& module : context.modules) {
    for (const auto& [name, owned] : module->functions) {
      if (owned.get() == function) {
        return true;
      }
    }
  }
  return false;
}

std::uint64_t device_memory_bytes(const Board& board) {
  return static_cast<std::uint64_t>(
      option_number("FAKE_CUDA_MEMORY", static_cast<double>(board.memory_bytes)));
}

std::uint8_t* device_bytes(const hw::abi::ContextT& context,
                           hw::abi::DevicePointer address,
                           std::uint64_t bytes) {
  const functional::Allocation* found = context.memory.find(address);
  if (found == nullptr || bytes > found->bytes - (address - found->base)) {
    return nullptr;
  }
  return found->data + (address - found->base);
}

} // namespace coulomb::fake::cuda
