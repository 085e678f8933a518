// SPDX-License-Identifier: Apache-2.0
#include "sim/functional/cta_runner.hpp"

#include "base/error.hpp"
#include "sim/functional/kernel_impl.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace coulomb::functional {
namespace {
/// Instructions of one warp before the next has its turn: long enough to be fast, short enough for
/// spin loops between warps.
constexpr unsigned kQuantum = 1024;
constexpr int kNotWaiting = -1;
} // namespace

struct CtaRunner::Impl {
  Impl(const ExecutableKernel& k, GlobalMemory& memory, Monitor* m)
      : kernel(k), executor(k, memory), monitor(m) {
    if (monitor != nullptr) {
      watched = monitor->watched(k.image());
    }
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
  /// Lets warp `w` execute up to `instructions`, or until it waits, sleeps or has finished.
  template <bool Watched>
  void turn(std::size_t w, std::uint64_t instructions);
  bool advance(std::uint64_t instructions);
  [[nodiscard]] std::string place() const {
    return fmt::format("kernel {}, CTA ({}, {}, {})", kernel.image().name, cta.id.x, cta.id.y,
                       cta.id.z);
  }
  [[nodiscard]] std::string waiting_warps() const;

  const ExecutableKernel& kernel;
  Executor executor;
  Monitor* monitor;
  std::vector<std::uint8_t> watched; ///< Watch mask of each instruction, if there is a monitor
  std::vector<std::unique_ptr<WarpState>> warps;
  std::vector<WarpState*> pointers;
  std::vector<int> waits_at; ///< CTA barrier of each warp, or kNotWaiting
  CtaState cta;
  MachineState machine;
  StepResult result;
  std::uint64_t executed = 0;
  std::size_t next_warp = 0; ///< whose turn it is
};

template <bool Watched>
void CtaRunner::Impl::turn(std::size_t w, std::uint64_t instructions) {
  WarpState& warp = *warps[w];
  machine.warp_slot = static_cast<std::uint32_t>(w);
  for (std::uint64_t i = 0; i < instructions; ++i) {
    if constexpr (Watched) {
      const std::uint32_t pc = warp.pc;
      const std::uint32_t index = pc / isa::kInstructionBytes;
      const unsigned watch = index < watched.size() ? watched[index] : 0U;
      if ((watch & kWatchBefore) != 0) {
        monitor->before(warp, cta);
      }
      executor.step(warp, cta, machine, result);
      if ((watch & kWatchAfter) != 0) {
        monitor->after(pc, warp, cta, result);
      }
    } else {
      executor.step(warp, cta, machine, result);
    }
    ++executed;
    ++machine.cycle;
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

bool CtaRunner::Impl::advance(std::uint64_t instructions) {
  const std::uint64_t end = instructions > std::numeric_limits<std::uint64_t>::max() - executed
                                ? std::numeric_limits<std::uint64_t>::max()
                                : executed + instructions;
  std::size_t idle = 0; // warps in a row that could not move
  while (cta.live_warps != 0 && executed < end) {
    const std::size_t w = next_warp;
    next_warp = w + 1 == warps.size() ? 0 : w + 1;
    if (!can_run(w)) {
      if (++idle == warps.size()) {
        throw KernelFault(fmt::format("deadlock in {}: {}", place(), waiting_warps()));
      }
      continue;
    }
    idle = 0;
    const std::uint64_t quantum = std::min<std::uint64_t>(kQuantum, end - executed);
    if (monitor != nullptr) {
      turn<true>(w, quantum);
    } else {
      turn<false>(w, quantum);
    }
  }
  return cta.live_warps == 0;
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

CtaRunner::CtaRunner(const ExecutableKernel& kernel, GlobalMemory& memory, Monitor* monitor)
    : impl_(std::make_unique<Impl>(kernel, memory, monitor)) {}
CtaRunner::~CtaRunner() = default;

void CtaRunner::start(std::uint64_t linear_cta) {
  Impl& r = *impl_;
  r.executor.start_cta(r.cta, linear_cta, r.pointers.data());
  r.waits_at.assign(r.warps.size(), kNotWaiting);
  r.executed = 0;
  r.next_warp = 0;
  if (r.monitor != nullptr) {
    r.monitor->cta_started(r.cta);
  }
}

bool CtaRunner::advance(std::uint64_t instructions) {
  return impl_->advance(instructions);
}

std::uint64_t CtaRunner::executed() const {
  return impl_->executed;
}

const CtaState& CtaRunner::cta() const {
  return impl_->cta;
}

std::uint64_t CtaRunner::run(std::uint64_t linear_cta, std::uint64_t instruction_limit) {
  start(linear_cta);
  const std::uint64_t limit =
      instruction_limit == 0 ? std::numeric_limits<std::uint64_t>::max() : instruction_limit;
  if (!advance(limit)) {
    throw KernelFault(fmt::format("instruction limit of {} warp instructions reached in {}",
                                  instruction_limit, impl_->place()));
  }
  return executed();
}

} // namespace coulomb::functional
