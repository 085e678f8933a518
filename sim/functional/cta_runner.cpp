// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "sim/functional/executor.hpp"
#include "sim/functional/kernel_impl.hpp"

#include <memory>
#include <vector>

namespace coulomb::functional {
namespace {
/// Instructions of one warp before the next has its turn: long enough to be fast, short enough for
/// spin loops between warps.
constexpr unsigned kQuantum = 1024;
constexpr int kNotWaiting = -1;
} // namespace

struct CtaRunner::Impl {
  Impl(const ExecutableKernel& k, GlobalMemory& memory) : kernel(k), executor(k, memory) {
    for (std::uint32_t w = 0; w < k.warps_per_cta(); ++w) {
      warps.push_back(std::make_unique_for_overwrite<WarpState>());
      pointers.push_back(warps.back().get());
    }
    waits_at.resize(warps.size());
  }

  bool can_run(std::size_t w) {
    if (warps[w]->finished()) {
      return false;
    }
    if (waits_at[w] != kNotWaiting) {
      if (!Executor::barrier_released(cta, *warps[w], static_cast<std::uint8_t>(waits_at[w]))) {
        return false;
      }
      waits_at[w] = kNotWaiting;
    }
    return true;
  }
  void turn(std::size_t w, Observer observe, void* context);
  [[nodiscard]] std::string place() const {
    return fmt::format("kernel {}, CTA ({}, {}, {})", kernel.image().name, cta.id.x, cta.id.y,
                       cta.id.z);
  }
  [[nodiscard]] std::string waiting_warps() const;

  const ExecutableKernel& kernel;
  Executor executor;
  std::vector<std::unique_ptr<WarpState>> warps;
  std::vector<WarpState*> pointers;
  std::vector<int> waits_at; ///< CTA barrier of each warp, or kNotWaiting
  CtaState cta;
  MachineState machine;
  StepResult result;
  std::uint64_t executed = 0;
  std::uint64_t limit = 0;
};

void CtaRunner::Impl::turn(std::size_t w, Observer observe, void* context) {
  WarpState& warp = *warps[w];
  machine.warp_slot = static_cast<std::uint32_t>(w);
  for (unsigned i = 0; i < kQuantum; ++i) {
    if (limit != 0 && executed == limit) {
      throw KernelFault(
          fmt::format("instruction limit of {} warp instructions reached in {}", limit, place()));
    }
    const std::uint32_t pc = warp.pc;
    executor.step(warp, cta, machine, result);
    ++executed;
    ++machine.cycle;
    if (observe != nullptr) {
      observe(context, kernel.image().code[pc / isa::kInstructionBytes], warp, result);
    }
    if (result.event == StepEvent::none || result.event == StepEvent::branch) {
      continue;
    }
    if (result.event == StepEvent::barrier) {
      waits_at[w] = result.barrier_id;
      return;
    }
    if (result.event != StepEvent::arrive) {
      return;
    }
  }
}

std::string CtaRunner::Impl::waiting_warps() const {
  std::string text;
  for (std::size_t w = 0; w < warps.size(); ++w) {
    if (!warps[w]->finished()) {
      const CtaBarrier& b = cta.barriers[static_cast<std::size_t>(waits_at[w])];
      text +=
          fmt::format("{}warp {} at barrier {} ({} of {} warps arrived)", text.empty() ? "" : ", ",
                      w, waits_at[w], b.arrived_warps, b.expected_warps);
    }
  }
  return text;
}

CtaRunner::CtaRunner(const ExecutableKernel& kernel, GlobalMemory& memory)
    : impl_(std::make_unique<Impl>(kernel, memory)) {}
CtaRunner::~CtaRunner() = default;

std::uint64_t CtaRunner::run(std::uint64_t linear_cta,
                             std::uint64_t instruction_limit,
                             Observer observe,
                             void* context) {
  Impl& r = *impl_;
  r.executor.start_cta(r.cta, linear_cta, r.pointers.data());
  r.waits_at.assign(r.warps.size(), kNotWaiting);
  r.executed = 0;
  r.limit = instruction_limit;
  while (r.cta.live_warps != 0) {
    bool moved = false;
    for (std::size_t w = 0; w < r.warps.size(); ++w) {
      if (r.can_run(w)) {
        r.turn(w, observe, context);
        moved = true;
      }
    }
    if (!moved) {
      throw KernelFault(fmt::format("deadlock in {}: {}", r.place(), r.waiting_warps()));
    }
  }
  return r.executed;
}

} // namespace coulomb::functional
