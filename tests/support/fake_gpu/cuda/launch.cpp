// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/executor.hpp"
#include "sim/functional/grid_runner.hpp"
#include "tests/support/fake_gpu/cuda/call.hpp"
#include "tests/support/fake_gpu/cuda/exports.hpp"
#include "tests/support/fake_gpu/cuda/limits.hpp"
#include "tests/support/fake_gpu/options.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <string_view>

namespace {

using namespace coulomb;
using namespace coulomb::fake::cuda;
using hw::abi::FunctionT;
using hw::abi::Result;

/// One launch that the driver has accepted.
struct Launch {
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared = 0;
  std::vector<std::uint8_t> parameters;

  [[nodiscard]] std::string key() const {
    return fmt::format("{} {} {} {} {} {} {} ", grid.x, grid.y, grid.z, block.x, block.y, block.z,
                       dynamic_shared) +
           std::string(parameters.begin(), parameters.end());
  }
};

/// What a GPU answers to a fault, by how the executor's message begins.
struct FaultKind {
  std::string_view begins;
  Result result;
};
constexpr FaultKind kFaultKinds[] = {
    {"illegal access", hw::abi::kIllegalAddress},
    {"misaligned access", hw::abi::kMisalignedAddress},
    {"instruction limit", hw::abi::kLaunchTimeout},
    {"jump to", hw::abi::kInvalidPc},
    {"control ran past", hw::abi::kInvalidPc},
    {"trap", hw::abi::kLaunchFailed},
};

std::uint64_t watchdog() {
  return static_cast<std::uint64_t>(fake::option_number("FAKE_CUDA_WATCHDOG", 0));
}

void device_faulted(const functional::KernelFault& fault) {
  const std::string cause = fault.cause();
  if (cause.starts_with("deadlock")) {
    if (watchdog() == 0) {
      Driver::get().device_hung(fault.what());
    } else {
      Driver::get().device_failed(hw::abi::kLaunchTimeout, fault.what());
    }
    return;
  }
  Result result = cause.ends_with("` failed") ? hw::abi::kAssert
                                              : hw::abi::kLaunchFailed; // "assertion `x` failed"
  for (const FaultKind& kind : kFaultKinds) {
    result = cause.starts_with(kind.begins) ? kind.result : result;
  }
  Driver::get().device_failed(result, fault.what());
}

/// Executes the kernel in the context's memory. Returns the warp instructions of the whole grid:
/// those executed, scaled up if FAKE_CUDA_CTAS leaves some out.
double execute(const FunctionT& function, const Launch& launch) {
  hw::abi::ModuleT& module = *function.module;
  hw::abi::ContextT& context = *module.context;
  if (module.constants != 0) { // the host may have written to them
    const std::uint8_t* now =
        device_bytes(context, module.constants, module.cubin.constant3.size());
    std::copy_n(now, module.cubin.constant3.size(), module.cubin.constant3.begin());
  }
  const functional::ExecutableKernel kernel(module.cubin, *function.image, launch.grid,
                                            launch.block, launch.dynamic_shared, launch.parameters,
                                            static_cast<std::uint32_t>(context.board.sms));
  const int resident =
      ctas_per_sm(function, launch.block.volume(), launch.dynamic_shared) * context.board.sms;
  functional::GridRunner runner(kernel, context.memory,
                                static_cast<std::uint32_t>(std::max(resident, 1)));
  const std::uint64_t all = launch.grid.volume();
  const auto limit = static_cast<std::uint64_t>(fake::option_number("FAKE_CUDA_CTAS", 0));
  const std::uint64_t ctas = limit == 0 ? all : std::min(all, limit);
  try {
    runner.run(0, ctas, watchdog());
  } catch (const functional::KernelFault& fault) {
    device_faulted(fault);
  }
  return static_cast<double>(runner.executed()) * static_cast<double>(all) /
         static_cast<double>(ctas);
}

void perform(FunctionT& function, const Launch& launch) {
  static const bool only_first = [] {
    const std::string wanted = fake::option("FAKE_CUDA_EXECUTE", "all");
    if (wanted != "all" && wanted != "first") {
      fake::refuse_option("FAKE_CUDA_EXECUTE", fmt::format("\"{}\": all or first", wanted));
    }
    return wanted == "first";
  }();
  double instructions = 0;
  const std::string key = only_first ? launch.key() : std::string();
  const auto known = function.known_launches.find(key);
  if (only_first && known != function.known_launches.end()) {
    instructions = known->second;
  } else {
    instructions = execute(function, launch);
    if (only_first) {
      function.known_launches[key] = instructions;
    }
  }
  function.module->context->timeline.launch(instructions, !function.launched);
  function.launched = true;
}

/// The values that the caller's pointers point at, laid out as the kernel reads them.
bool read_parameters(const isa::KernelImage& image,
                     void** values,
                     std::vector<std::uint8_t>& parameters) {
  parameters.assign(image.parameter_bytes, 0);
  for (std::size_t i = 0; i < image.parameters.size(); ++i) {
    const isa::KernelParameter& parameter = image.parameters[i];
    if (values == nullptr || values[i] == nullptr ||
        parameter.offset + parameter.size > parameters.size()) {
      return false;
    }
    std::memcpy(&parameters[parameter.offset], values[i], parameter.size);
  }
  return true;
}

} // namespace

Result cuLaunchKernel(hw::abi::Function function,
                      unsigned grid_x,
                      unsigned grid_y,
                      unsigned grid_z,
                      unsigned block_x,
                      unsigned block_y,
                      unsigned block_z,
                      unsigned shared_bytes,
                      hw::abi::Stream stream,
                      void** parameters,
                      void** extra) {
  return Driver::get().call("cuLaunchKernel", Needs::context, [&] {
    if (!owns(here(), function) || stream != nullptr) {
      return Result{kInvalidHandle};
    }
    if (extra != nullptr) { // the other way to pass parameters
      return Result{kNotSupported};
    }
    Launch launch{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, {}};
    const Result shape = check_shape(*function, launch.grid, launch.block, shared_bytes);
    if (shape != hw::abi::kSuccess) {
      return shape;
    }
    if (!read_parameters(*function->image, parameters, launch.parameters)) {
      return Result{hw::abi::kInvalidValue};
    }
    if (!Driver::get().device_stopped()) {
      perform(*function, launch);
    }
    return Result{hw::abi::kSuccess};
  });
}

void cuFakeTotals(double* launches, double* warp_instructions, double* nanoseconds) {
  Timeline::Totals sum;
  for (const auto& context : Driver::get().contexts()) {
    if (context) {
      const Timeline::Totals& one = context->timeline.totals();
      sum.launches += one.launches;
      sum.warp_instructions += one.warp_instructions;
      sum.ns += one.ns;
    }
  }
  *launches = sum.launches;
  *warp_instructions = sum.warp_instructions;
  *nanoseconds = sum.ns;
}
