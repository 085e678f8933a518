// SPDX-License-Identifier: Apache-2.0
#include "sim/sanitizer/sanitizer.hpp"

#include "sim/functional/kernel_impl.hpp"
#include "sim/sanitizer/local_shadow.hpp"
#include "sim/sanitizer/nan_tracker.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <string_view>

namespace coulomb::sanitizer {
namespace {
using functional::CtaState;
using functional::MemorySpace;
using functional::StepEvent;
using functional::StepResult;
using functional::WarpState;

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const char* hazard_text(SharedHazard::Kind kind) {
  switch (kind) {
  case SharedHazard::Kind::uninitialised:
    return "reads shared memory that nothing has stored";
  case SharedHazard::Kind::read_after_write:
    return "reads what another warp stored with no barrier between";
  case SharedHazard::Kind::write_after_read:
    return "stores where another warp read with no barrier between";
  case SharedHazard::Kind::write_after_write:
    return "stores where another warp stored another value with no barrier between";
  case SharedHazard::Kind::unfinished_copy:
    return "reads shared memory before the asynchronous copy to it was waited for";
  }
  return "";
}
} // namespace

struct Sanitizer::CtaShadow {
  CtaShadow(const functional::ExecutableKernel& kernel,
            std::uint32_t element_bytes,
            const std::vector<FloatOp>& float_ops)
      : shared(kernel.shared_bytes(), element_bytes, kernel.warps_per_cta()),
        local(kernel.warps_per_cta(), LocalShadow(kernel.impl().local_bytes)),
        nan(kernel.impl(), float_ops) {}
  std::uint64_t id = 0;
  SharedShadow shared;
  std::vector<LocalShadow> local;
  NanTracker nan;
  std::uint32_t exited = 0; ///< warps
};

Sanitizer::Sanitizer(const functional::ExecutableKernel& kernel,
                     const functional::GlobalMemory& memory,
                     const std::vector<std::string>& checks)
    : kernel_(kernel), memory_(memory), checks_{contains(checks, "memory"),
                                                contains(checks, "race"), contains(checks, "sync"),
                                                contains(checks, "init"), contains(checks, "nan")},
      log_(kernel), roles_(roles_of(kernel.image().code, checks_)) {
  for (const isa::Instruction& in : kernel.image().code) {
    float_ops_.push_back(checks_.nan ? float_op(in) : FloatOp{});
    if (accesses_parts_of_words(in)) {
      element_bytes_ = 1;
    }
  }
}

Sanitizer::~Sanitizer() = default;

std::vector<std::uint8_t> Sanitizer::watched(const isa::KernelImage& kernel) {
  std::vector<std::uint8_t> watch(kernel.code.size(), functional::kWatchNothing);
  const NanTracker nan(kernel_.impl(), float_ops_);
  for (std::size_t i = 0; i < watch.size(); ++i) {
    if (roles_[i] != Role::none) {
      watch[i] |= functional::kWatchAfter;
    }
    if (checks_.nan) {
      watch[i] |= nan.watch(i);
    }
  }
  return watch;
}

void Sanitizer::cta_started(const CtaState& cta) {
  auto& slot = ctas_[cta.linear_id];
  slot = std::make_unique<CtaShadow>(kernel_, element_bytes_, float_ops_);
  slot->id = cta.linear_id;
  current_ = slot.get();
}

Sanitizer::CtaShadow& Sanitizer::shadow(const CtaState& cta) {
  if (current_ == nullptr || current_->id != cta.linear_id) {
    current_ = ctas_.at(cta.linear_id).get();
  }
  return *current_;
}

void Sanitizer::before(const WarpState& warp, const CtaState& cta) {
  shadow(cta).nan.before(warp);
}

void Sanitizer::after(std::uint32_t pc,
                      const WarpState& warp,
                      const CtaState& cta,
                      const StepResult& result) {
  const std::uint32_t index = pc / isa::kInstructionBytes;
  if (checks_.nan) {
    const NanTracker& nan = shadow(cta).nan;
    const bool computes = float_ops_[index].result != FloatFormat::none;
    if (computes ? !nan.is_harmless(index, warp) : nan.has_tags()) {
      follow_nans(pc, warp, cta, result);
    }
  }
  if (roles_[index] != Role::none) {
    check(roles_[index], pc, warp, cta, result);
  }
}

void Sanitizer::follow_nans(std::uint32_t pc,
                            const WarpState& warp,
                            const CtaState& cta,
                            const StepResult& result) {
  NanTracker& nan = shadow(cta).nan;
  nan.after(pc, warp, result);
  for (const NanTracker::Arrival& arrival : nan.arrivals()) {
    const FindingLog::Event event{"nan",  arrival.nan ? 1U : 0U, arrival.pc,  0,
                                  cta.id, warp.warp_in_cta,      arrival.lane};
    if (log_.count(event)) {
      const isa::Instruction& maker = kernel_.image().code[arrival.pc / isa::kInstructionBytes];
      log_.describe(
          event, fmt::format("{} makes {} of finite operands; it reaches global memory at {}",
                             isa::opcode_name(maker.opcode), arrival.nan ? "a NaN" : "an infinity",
                             log_.place(arrival.store_pc)));
    }
  }
}

void Sanitizer::check(Role role,
                      std::uint32_t pc,
                      const WarpState& warp,
                      const CtaState& cta,
                      const StepResult& result) {
  CtaShadow& state = shadow(cta);
  const std::uint32_t w = warp.warp_in_cta;
  switch (role) {
  case Role::none:
    return;
  case Role::memory:
  case Role::swap_read:
  case Role::atomic:
  case Role::arrive:
  case Role::copy:
    if (result.executed != 0) {
      check_shared(role, pc, warp, cta, result);
      check_local(pc, warp, cta, result);
    }
    return;
  case Role::commit_copies:
    state.shared.commit_copies(w);
    return;
  case Role::finish_copies:
    state.shared.commit_copies(w);
    state.shared.wait_copies(w, 0);
    if (result.executed != 0) { // it also arrives at the mbarrier
      check_shared(Role::arrive, pc, warp, cta, result);
    }
    return;
  case Role::wait_copies:
    state.shared.wait_copies(
        w, static_cast<std::uint32_t>(
               kernel_.image().code[pc / isa::kInstructionBytes].operands[1].value));
    return;
  case Role::barrier:
    check_barrier(pc, warp, cta, result);
    [[fallthrough]];
  case Role::control:
    synchronise(warp, cta, result);
    return;
  }
}

void Sanitizer::check_shared(Role role,
                             std::uint32_t pc,
                             const WarpState& warp,
                             const CtaState& cta,
                             const StepResult& result) {
  const functional::MemoryAccess& access = result.access;
  if (role != Role::copy && access.space != MemorySpace::shared) {
    return;
  }
  std::array<std::uint32_t, functional::kLanes> offset;
  for (std::size_t l = 0; l < offset.size(); ++l) {
    offset[l] = role == Role::copy ? access.shared_address[l]
                                   : static_cast<std::uint32_t>(access.address[l]);
  }
  SharedShadow& shared = shadow(cta).shared;
  const std::uint32_t mask = role == Role::copy ? result.executed : access.mask;
  const SharedShadow::Access what{warp.warp_in_cta, pc, mask, access.bytes, offset};
  const SharedHazards hazards = role == Role::copy     ? shared.copy(what)
                                : role == Role::arrive ? shared.arrive(what)
                                : role == Role::atomic ? shared.atomic(what)
                                : access.store && !access.load
                                    ? shared.store(what, cta.shared.data())
                                    : shared.load(what, role == Role::swap_read);
  for (const auto& hazard : {hazards.race, hazards.uninitialised}) {
    if (hazard) {
      report(*hazard, pc, warp.warp_in_cta, cta);
    }
  }
}

void Sanitizer::report(const SharedHazard& hazard,
                       std::uint32_t pc,
                       std::uint32_t warp,
                       const CtaState& cta) {
  const bool uninitialised = hazard.kind == SharedHazard::Kind::uninitialised;
  if (uninitialised ? !checks_.init : !checks_.race) {
    return;
  }
  const FindingLog::Event event{uninitialised ? "init" : "race",
                                static_cast<unsigned>(hazard.kind),
                                pc,
                                uninitialised ? 0 : hazard.other_pc,
                                cta.id,
                                warp,
                                hazard.lane,
                                MemorySpace::shared,
                                hazard.offset};
  if (log_.count(event)) {
    std::string text = fmt::format("warp {} {}", warp, hazard_text(hazard.kind));
    if (!uninitialised) {
      text += fmt::format(": warp {} at {}", hazard.other_warp, log_.place(hazard.other_pc));
    }
    log_.describe(event, text, "shared memory");
  }
}

void Sanitizer::check_local(std::uint32_t pc,
                            const WarpState& warp,
                            const CtaState& cta,
                            const StepResult& result) {
  const functional::MemoryAccess& access = result.access;
  if (!checks_.init || access.space != MemorySpace::local) {
    return;
  }
  LocalShadow& local = shadow(cta).local[warp.warp_in_cta];
  if (access.load) {
    if (const std::uint32_t bad = local.load(access); bad != 0) {
      const int lane = std::countr_zero(bad);
      const FindingLog::Event event{"init",
                                    0,
                                    pc,
                                    0,
                                    cta.id,
                                    warp.warp_in_cta,
                                    lane,
                                    MemorySpace::local,
                                    access.address[static_cast<std::size_t>(lane)]};
      if (log_.count(event)) {
        log_.describe(event, "reads local memory that the thread has not stored", "local memory");
      }
    }
  }
  if (access.store) {
    local.store(access);
  }
}

void Sanitizer::check_barrier(std::uint32_t pc,
                              const WarpState& warp,
                              const CtaState& cta,
                              const StepResult& result) {
  const std::uint32_t missing = ~warp.exited & ~result.executed;
  if (!checks_.sync || result.executed == 0 || missing == 0) {
    return;
  }
  const FindingLog::Event event{
      "sync", 0, pc, 0, cta.id, warp.warp_in_cta, std::countr_zero(result.executed)};
  if (log_.count(event)) {
    log_.describe(event,
                  fmt::format("only {} of the {} running threads of warp {} reach this barrier "
                              "together (lanes {:#010x} are elsewhere)",
                              std::popcount(result.executed), std::popcount(~warp.exited),
                              warp.warp_in_cta, missing));
  }
}

/// Tells the shadow who has arrived where, and which barriers have completed with that.
void Sanitizer::synchronise(const WarpState& warp, const CtaState& cta, const StepResult& result) {
  CtaShadow& state = shadow(cta);
  if (result.event == StepEvent::barrier || result.event == StepEvent::arrive) {
    state.shared.arrive(warp.warp_in_cta, result.barrier_id, result.event == StepEvent::barrier);
  } else if (result.event == StepEvent::exit) {
    state.exited |= 1U << warp.warp_in_cta;
  } else {
    return;
  }
  for (unsigned id = 0; id < cta.barriers.size(); ++id) {
    if (state.shared.has_arrivals(id) && cta.barriers[id].expected_warps == 0) {
      state.shared.complete(id, state.exited);
    }
  }
  if (cta.live_warps == 0) {
    current_ = nullptr;
    ctas_.erase(cta.linear_id);
  }
}

bool Sanitizer::faulted(const functional::KernelFault& fault, const CtaState& cta) {
  const auto& place = fault.place();
  const std::string cause = fault.cause();
  if (checks_.sync && cause.starts_with("deadlock")) {
    const FindingLog::Event event{
        "sync", 1, place ? place->pc : 0, 0, cta.id, place ? place->warp : 0, 0};
    if (log_.count(event)) {
      log_.describe(event, cause);
    }
    return false;
  }
  if (!checks_.memory || !place || place->space == MemorySpace::none) {
    return false;
  }
  const FindingLog::Event event{
      "memory", 0, place->pc, 0, cta.id, place->warp, place->lane, place->space, place->address};
  if (log_.count(event)) {
    const bool global = place->space == MemorySpace::global;
    const functional::Allocation* nearest = global ? memory_.nearest(place->address) : nullptr;
    log_.describe(event, cause,
                  global
                      ? (nearest == nullptr ? "" : nearest->name)
                      : (place->space == MemorySpace::shared ? "shared memory" : "local memory"));
  }
  if (first_fault_.empty()) {
    first_fault_ = fault.what();
  }
  ctas_.erase(cta.linear_id);
  current_ = nullptr;
  return true;
}

} // namespace coulomb::sanitizer
