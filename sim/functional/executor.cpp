// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/executor.hpp"

#include "base/error.hpp"
#include "sim/functional/kernel_impl.hpp"
#include "sim/functional/lanes.hpp"

#include <algorithm>

namespace coulomb::functional {
namespace {
void map_globals(const ExecutableKernel::Impl& kernel, GlobalMemory& memory) {
  if (kernel.grid_workspace && memory.find(kGridWorkspace) == nullptr) {
    memory.allocate_at("grid workspace", kGridWorkspace, kGridWorkspaceBytes);
  }
  if (kernel.globals.empty()) {
    return;
  }
  if (const Allocation* mapped = memory.find(kModuleGlobals); mapped != nullptr) {
    COULOMB_CHECK(mapped->bytes == kernel.globals.size(),
                  "another module's variables ({} bytes) are still mapped", mapped->bytes);
    return;
  }
  memory.allocate_at("__device__ variables", kModuleGlobals, kernel.globals.size());
  memory.initialise(kModuleGlobals, kernel.globals);
}

void start_warp(const ExecutableKernel::Impl& kernel, std::uint32_t index, WarpState& warp) {
  const std::uint32_t rows = std::min<std::uint32_t>(kernel.image.registers + 1, 255);
  std::fill_n(warp.registers.begin(), rows, std::array<std::uint32_t, kLanes>{});
  warp.registers[isa::kRegisterZero].fill(0);
  warp.registers[1].fill(kernel.local_bytes);
  warp.uniform.fill(0);
  warp.predicates.fill(0);
  warp.predicates[isa::kPredicateTrue] = kAllLanes;
  warp.uniform_predicates.fill(false);
  warp.uniform_predicates[isa::kPredicateTrue] = true;
  for (auto& members : warp.barriers) {
    members.fill(0);
  }
  const std::uint64_t left = kernel.block.volume() - std::uint64_t{index} * kLanes;
  warp.active = left >= kLanes ? kAllLanes : (1U << left) - 1;
  warp.exited = ~warp.active;
  warp.pc = 0;
  warp.warp_in_cta = index;
  warp.backward_branches = 0;
  warp.last_barrier = 0;
  warp.splits.clear();
  warp.splits.reserve(kLanes);
  warp.local.assign(std::size_t{kernel.local_bytes} * kLanes, 0);
}
} // namespace

Executor::Executor(const ExecutableKernel& kernel, GlobalMemory& memory)
    : kernel_(kernel), memory_(memory) {
  map_globals(kernel.impl(), memory);
}

void Executor::start_cta(CtaState& cta, std::uint64_t linear_id, WarpState* const* warps) const {
  const auto& kernel = kernel_.impl();
  COULOMB_CHECK(linear_id < kernel.grid.volume(), "CTA {} of a grid of {}", linear_id,
                kernel.grid.volume());
  cta.id = kernel.grid.at(linear_id);
  cta.linear_id = linear_id;
  cta.warps = kernel.warps;
  cta.live_warps = kernel.warps;
  cta.shared.assign(kernel.shared_bytes, 0);
  cta.barriers.fill(CtaBarrier{});
  cta.reduction.fill(0);
  for (std::uint32_t w = 0; w < kernel.warps; ++w) {
    start_warp(kernel, w, *warps[w]);
  }
}

void Executor::step(WarpState& warp,
                    CtaState& cta,
                    const MachineState& machine,
                    StepResult& result) {
  const auto& kernel = kernel_.impl();
  const std::uint32_t pc = warp.pc;
  const MicroOp& op = kernel.ops[pc / isa::kInstructionBytes];
  const std::uint32_t exec = warp.active & (warp.predicates[op.guard & 7] ^ (0U - (op.guard >> 7)));
  result.event = StepEvent::none;
  result.executed = exec;
  result.access.space = MemorySpace::none;
  if (exec == 0) {
    warp.pc = pc + isa::kInstructionBytes;
    return;
  }
  Context ctx(warp, cta, machine, result, memory_, kernel, kernel.pool.data(), exec);
  warp.pc = pc + isa::kInstructionBytes;
  op.handler(ctx, op);
}

bool Executor::barrier_released(const CtaState& cta,
                                const WarpState& warp,
                                std::uint8_t barrier_id) {
  return (cta.barriers[barrier_id].waiting >> warp.warp_in_cta & 1U) == 0;
}

} // namespace coulomb::functional
