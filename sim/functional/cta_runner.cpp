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
/// The same while progress is watched: a spin shows itself after a few hundred instructions.
constexpr unsigned kWatchedQuantum = 128;
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
  template <bool Monitored, bool Progress>
  void turn(std::size_t w, std::uint64_t instructions);
  void take_turn(std::size_t w, std::uint64_t instructions);
  bool advance(std::uint64_t instructions);
  [[nodiscard]] std::string place() const {
    return fmt::format("kernel {}, CTA ({}, {}, {})", kernel.image().name, cta.id.x, cta.id.y,
                       cta.id.z);
  }
  [[nodiscard]] std::string at_barrier(std::size_t w) const;
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
  ProgressWatch* progress = nullptr;
  std::size_t first_number = 0; ///< of the CTA's warps, for `progress`
  std::uint64_t executed = 0;
  std::size_t next_warp = 0; ///< whose turn it is
};

template <bool Monitored, bool Progress>
void CtaRunner::Impl::turn(std::size_t w, std::uint64_t instructions) {
  WarpState& warp = *warps[w];
  machine.warp_slot = static_cast<std::uint32_t>(w);
  for (std::uint64_t i = 0; i < instructions; ++i) {
    const std::uint32_t pc = warp.pc;
    if constexpr (Monitored) {
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
    if constexpr (Progress) {
      progress->stepped(first_number + w, pc, warp, cta, result);
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

void CtaRunner::Impl::take_turn(std::size_t w, std::uint64_t instructions) {
  if (progress == nullptr) {
    monitor != nullptr ? turn<true, false>(w, instructions) : turn<false, false>(w, instructions);
  } else {
    monitor != nullptr ? turn<true, true>(w, instructions) : turn<false, true>(w, instructions);
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
    take_turn(w, std::min<std::uint64_t>(progress != nullptr ? kWatchedQuantum : kQuantum,
                                         end - executed));
  }
  return cta.live_warps == 0;
}

std::string CtaRunner::Impl::at_barrier(std::size_t w) const {
  const CtaBarrier& b = cta.barriers[static_cast<std::size_t>(waits_at[w])];
  return fmt::format("at barrier {} ({} of {} warps arrived)", waits_at[w], b.arrived_warps,
                     b.expected_warps);
}

std::string CtaRunner::Impl::waiting_warps() const {
  std::string text;
  for (std::size_t w = 0; w < warps.size(); ++w) {
    if (!warps[w]->finished()) {
      text += fmt::format("{}warp {} {}", text.empty() ? "" : ", ", w, at_barrier(w));
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
  r.progress = nullptr;
  if (r.monitor != nullptr) {
    r.monitor->cta_started(r.cta);
  }
}

bool CtaRunner::advance(std::uint64_t instructions) {
  return impl_->advance(instructions);
}

void CtaRunner::watch(ProgressWatch* progress, std::size_t first_number) {
  impl_->progress = progress;
  impl_->first_number = first_number;
}

std::uint64_t CtaRunner::watched_turn() const {
  return std::uint64_t{2} * kWatchedQuantum * impl_->warps.size();
}

std::size_t CtaRunner::runnable_warps() {
  std::size_t count = 0;
  for (std::size_t w = 0; w < impl_->warps.size(); ++w) {
    count += impl_->can_run(w) ? 1 : 0;
  }
  return count;
}

void CtaRunner::describe_stuck(std::vector<std::string>& lines) const {
  const Impl& r = *impl_;
  for (std::size_t w = 0; w < r.warps.size(); ++w) {
    if (!r.warps[w]->finished()) {
      lines.push_back(
          fmt::format("CTA ({}, {}, {}) warp {}: {}", r.cta.id.x, r.cta.id.y, r.cta.id.z, w,
                      r.waits_at[w] != kNotWaiting
                          ? r.at_barrier(w)
                          : r.progress->describe(r.first_number + w, *r.warps[w], r.cta)));
    }
  }
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
