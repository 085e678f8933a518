// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/cuda/call.hpp"
#include "tests/support/fake_gpu/cuda/exports.hpp"
#include "tests/support/fake_gpu/cuda/limits.hpp"

namespace {

using namespace coulomb;
using namespace coulomb::fake::cuda;
using hw::abi::Result;

Result attribute_of(const hw::abi::FunctionT& function, int attribute, int* value) {
  constexpr int kBinaryVersion = 6; // CU_FUNC_ATTRIBUTE_BINARY_VERSION
  const isa::KernelImage& image = *function.image;
  const struct {
    int attribute;
    int value;
  } table[] = {
      {hw::abi::kFunctionMaxThreadsPerBlock, max_threads(function)},
      {hw::abi::kFunctionSharedBytes, static_cast<int>(image.static_shared_bytes)},
      {hw::abi::kFunctionLocalBytes, static_cast<int>(image.local_bytes)},
      {hw::abi::kFunctionRegisters, static_cast<int>(image.registers)},
      {kBinaryVersion, static_cast<int>(function.module->cubin.architecture)},
      {hw::abi::kFunctionMaxDynamicSharedBytes, function.max_dynamic_shared},
  };
  for (const auto& row : table) {
    if (row.attribute == attribute) {
      *value = row.value;
      return hw::abi::kSuccess;
    }
  }
  return hw::abi::kInvalidValue;
}

} // namespace

Result cuFuncGetAttribute(int* value, int attribute, hw::abi::Function function) {
  return Driver::get().call("cuFuncGetAttribute", Needs::context, [&] {
    return owns(here(), function) ? attribute_of(*function, attribute, value)
                                  : Result{kInvalidHandle};
  });
}

Result cuFuncSetAttribute(hw::abi::Function function, int attribute, int value) {
  constexpr int kCarveout = 9; // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: a hint
  return Driver::get().call("cuFuncSetAttribute", Needs::context, [&] {
    if (!owns(here(), function)) {
      return Result{kInvalidHandle};
    }
    if (attribute == kCarveout && value >= -1 && value <= 100) {
      return Result{hw::abi::kSuccess};
    }
    const int allowed =
        here().board.shared_optin - static_cast<int>(function->image->static_shared_bytes);
    if (attribute != hw::abi::kFunctionMaxDynamicSharedBytes || value < 0 || value > allowed) {
      return Result{hw::abi::kInvalidValue};
    }
    function->max_dynamic_shared = value;
    return Result{hw::abi::kSuccess};
  });
}

Result cuFuncGetParamInfo(hw::abi::Function function,
                          std::size_t index,
                          std::size_t* offset,
                          std::size_t* size) {
  return Driver::get().call("cuFuncGetParamInfo", Needs::context, [&] {
    if (!owns(here(), function)) {
      return Result{kInvalidHandle};
    }
    const auto& parameters = function->image->parameters;
    if (index >= parameters.size()) {
      return Result{hw::abi::kInvalidValue};
    }
    *offset = parameters[index].offset;
    *size = parameters[index].size;
    return Result{hw::abi::kSuccess};
  });
}

Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int* ctas,
                                                   hw::abi::Function function,
                                                   int threads,
                                                   std::size_t dynamic_shared) {
  return Driver::get().call("cuOccupancyMaxActiveBlocksPerMultiprocessor", Needs::context, [&] {
    if (!owns(here(), function)) {
      return Result{kInvalidHandle};
    }
    if (threads <= 0) {
      return Result{hw::abi::kInvalidValue};
    }
    *ctas = ctas_per_sm(*function, static_cast<std::uint64_t>(threads), dynamic_shared);
    return Result{hw::abi::kSuccess};
  });
}
