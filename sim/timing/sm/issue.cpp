// SPDX-License-Identifier: Apache-2.0
// The issue stage of StreamingMultiprocessor: which warp goes, and what its instruction does to
// time.
#include "base/error.hpp"
#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::timing::sm {

Cycle StreamingMultiprocessor::issue(std::uint32_t sub_core, Cycle now) {
  SubCore& core = sub_cores_[sub_core];
  if (core.held_until > now) {
    return core.held_until;
  }
  if (core.control_until > now) {
    charge_dispatch(sub_core, now);
    return core.control_until;
  }
  if (now < core.full_until && !lsu_.has_room(sub_core)) {
    return std::min(core.full_until, std::max(now + 1, lsu_next_));
  }
  const auto warps_here = static_cast<std::uint32_t>(warps_.size()) / sub_core_count_;
  std::uint32_t ready = 0;
  Cycle next = kNever;
  for (std::uint32_t i = 0; i < warps_here; ++i) {
    const Cycle at = core.ready_at[i];
    ready |= at <= now ? 1U << i : 0U;
    next = at > now && at < next ? at : next;
  }
  const auto age = [&](std::uint32_t i) { return warps_[i * sub_core_count_ + sub_core].age; };
  const bool two_level = core.scheduler.two_level();
  std::uint32_t waiting = ready; // not asked yet
  if (two_level) [[unlikely]] {
    ready = core.scheduler.admit(waiting, age);
  }
  Cycle retry = kNever;
  bool full = false;
  bool later = false;
  while (ready != 0) {
    const std::uint32_t candidate = core.scheduler.pick(ready, core.last, age);
    const std::uint32_t slot = candidate * sub_core_count_ + sub_core;
    const Verdict verdict = can_issue(sub_core, slot, now, retry);
    if (verdict == Verdict::issues) {
      counters_.warp_switches += core.last != candidate ? 1 : 0;
      core.last = candidate;
      core.full_until = 0;
      execute(sub_core, slot, now);
      return now + 1;
    }
    full |= verdict == Verdict::queue_full;
    later |= verdict == Verdict::later;
    if (core.held_until > now) {
      return core.held_until;
    }
    ready &= ~(1U << candidate);
    if (two_level) [[unlikely]] {
      waiting &= ~(1U << candidate);
      if (verdict == Verdict::blocked &&
          warps_[slot].block_reason == StallReason::long_scoreboard) {
        swap_out(slot);
      }
      ready = core.scheduler.admit(waiting, age);
    }
  }
  // can_issue may have blocked warps and lowered others' ready_at.
  core.full_until = full && !later ? next : 0;
  return std::min(next, retry);
}

void StreamingMultiprocessor::swap_out(std::uint32_t slot) {
  WarpScheduler& scheduler = sub_cores_[sub_core_of(slot)].scheduler;
  counters_.warps_swapped_out += scheduler.swap_out(slot / sub_core_count_) ? 1 : 0;
}

void StreamingMultiprocessor::charge_dispatch(std::uint32_t sub_core, Cycle now) {
  const SubCore& core = sub_cores_[sub_core];
  if (core.ready_at[core.last] <= now) {
    warps_[core.last * sub_core_count_ + sub_core].throttle = StallReason::dispatch_stall;
  }
}

// Here, before its caller, to be inlined.
RegisterCompression::Effect StreamingMultiprocessor::move_registers(SubCore& core,
                                                                    std::uint32_t slot,
                                                                    const InstructionTiming& t,
                                                                    Cycle now) {
  std::uint32_t reused = 0;
  RegisterCompression::Effect effect;
  if (t.fixed_latency) {
    core.control_until = compression_.on()
                             ? core.registers.issue(now, slot, t, compression_.parts(slot))
                             : core.registers.issue(now, slot, t);
    reused = core.registers.reused();
  }
  if (compression_.on()) [[unlikely]] {
    effect = compression_.executed(slot, t, *warps_[slot].state, step_.executed == ~0U, now);
    counters_.register_reads_compressed += effect.reads;
    counters_.register_writes_compressed += effect.writes;
    counters_.register_sub_banks_saved += effect.saved;
  }
  counters_.register_reads += t.register_reads - reused;
  counters_.register_reuses += reused;
  counters_.register_writes += step_.executed != 0 ? t.written.count : 0;
  return effect;
}

StreamingMultiprocessor::Verdict StreamingMultiprocessor::can_issue(std::uint32_t sub_core,
                                                                    std::uint32_t slot,
                                                                    Cycle now,
                                                                    Cycle& retry) {
  WarpSlot& warp = warps_[slot];
  SubCore& core = sub_cores_[sub_core];
  const InstructionTiming& t = timing_[warp.state->pc / isa::kInstructionBytes];
  if ((t.wait_mask & warp.busy & ~unseen(warp, now)) != 0) {
    warp.waiting_for = t.wait_mask;
    warp.block_reason = (t.wait_mask & warp.long_counters) != 0 ? StallReason::long_scoreboard
                                                                : StallReason::short_scoreboard;
    ready_at(slot) = kNever;
    return Verdict::blocked;
  }
  if (t.depbar && warp.counter[t.depbar_counter] > t.depbar_count) {
    warp.waits_depbar = true;
    warp.depbar_counter = t.depbar_counter;
    warp.depbar_count = t.depbar_count;
    warp.block_reason = StallReason::long_scoreboard;
    ready_at(slot) = kNever;
    return Verdict::blocked;
  }
  Cycle* fp64 = config_.sm.pipes.fp64_shared_by_sm ? &shared_fp64_ : nullptr;
  Cycle pipe_free = core.pipes.free_at(t, fp64);
  if (t.tensor && pipe_free <= now) {
    pipe_free = std::max(pipe_free, core.tensor.free_at(slot, t.accumulator));
  }
  if (pipe_free > now) {
    warp.throttle = StallReason::math_pipe_throttle;
    retry = std::min(retry, pipe_free);
    return Verdict::later;
  }
  const bool queued =
      t.path == MemoryPath::l1 || t.path == MemoryPath::shared || t.path == MemoryPath::shuffle;
  if (queued && !lsu_.has_room(sub_core)) {
    warp.throttle = t.pipe == Pipe::lsu ? StallReason::lg_throttle : StallReason::mio_throttle;
    retry = std::min(retry, std::max(now + 1, lsu_next_));
    // A counter that it does not see yet would block it at the next look.
    return unseen(warp, now) == 0 ? Verdict::queue_full : Verdict::later;
  }
  if (const Cycle there = unpacked(slot, t); there > now) [[unlikely]] {
    warp.throttle = StallReason::wait;
    retry = std::min(retry, there);
    return Verdict::later;
  }
  if (t.has_constant) {
    const Cycle there =
        icache_.constant(sub_core, t.constant_bank, t.constant_offset, now, counters_);
    if (there > now) {
      warp.unblocked_at = there;
      warp.block_reason = StallReason::imc_miss;
      ready_at(slot) = there;
      retry = std::min(retry, there);
      // The scheduler waits a little for it before it turns to another warp.
      core.held_until = std::min(there, now + config_.sm.front_end.constant_miss_hold);
      return Verdict::later;
    }
  }
  return Verdict::issues;
}

void StreamingMultiprocessor::execute(std::uint32_t sub_core, std::uint32_t slot, Cycle now) {
  WarpSlot& warp = warps_[slot];
  SubCore& core = sub_cores_[sub_core];
  const InstructionTiming& t = timing_[warp.state->pc / isa::kInstructionBytes];
  account(slot, now);
  warp.last_issue = now;
  warp.throttle = StallReason::not_selected;
  last_issue_ = now;

  executor_.step(*warp.state, ctas_[warp.cta_slot].state, {now, id_, slot}, step_);
  if (watched_) [[unlikely]] {
    report_step(slot, static_cast<std::uint32_t>(&t - timing_) * isa::kInstructionBytes);
  }
  ++counters_.warp_instructions;
  counters_.thread_instructions += static_cast<std::uint64_t>(std::popcount(step_.executed));
  ++counters_.pipe_instructions[static_cast<std::size_t>(t.pipe)];

  core.pipes.occupy(now, t, config_.sm.pipes.fp64_shared_by_sm ? &shared_fp64_ : nullptr);
  const RegisterCompression::Effect effect = move_registers(core, slot, t, now);
  const Cycle latency = t.latency + effect.source_delay + effect.result_delay;
  if (t.tensor) {
    core.tensor.start(slot, t.destination, now + latency);
  }
  warp.taken = 0;
  const auto take = [&](std::uint8_t counter) {
    if (counter != isa::kNoBarrier) {
      warp.taken =
          static_cast<std::uint8_t>(warp.taken | (warp.counter[counter] == 0 ? 1U << counter : 0U));
      ++warp.counter[counter];
      warp.busy = static_cast<std::uint8_t>(warp.busy | 1U << counter);
    }
  };
  take(t.write_barrier);
  take(t.read_barrier);
  if (t.write_barrier != isa::kNoBarrier && t.long_latency) {
    warp.long_counters = static_cast<std::uint8_t>(warp.long_counters | 1U << t.write_barrier);
  }
  if (t.closes_async_group) {
    warp.async_groups.push_back({warp.async_open, t.write_barrier});
    warp.async_open = 0;
    complete_async_groups(warp, slot, now);
  } else if (t.path == MemoryPath::l1 || t.path == MemoryPath::shared ||
             t.path == MemoryPath::shuffle) {
    enqueue_memory(sub_core, slot, t, effect, now);
  } else {
    if (t.write_barrier != isa::kNoBarrier) {
      releases_.schedule(now, now + latency,
                         {static_cast<std::uint16_t>(slot), t.write_barrier, Release::Kind::counter,
                          warp.generation});
    }
    if (t.read_barrier != isa::kNoBarrier) {
      releases_.schedule(now, now + t.read_release + effect.source_delay,
                         {static_cast<std::uint16_t>(slot), t.read_barrier, Release::Kind::counter,
                          warp.generation});
    }
  }
  after_step(sub_core, slot, t, now);
}

void StreamingMultiprocessor::enqueue_memory(std::uint32_t sub_core,
                                             std::uint32_t slot,
                                             const InstructionTiming& t,
                                             const RegisterCompression::Effect& effect,
                                             Cycle now) {
  const WarpSlot& warp = warps_[slot];
  const functional::MemoryAccess& a = step_.access;
  MemoryInstruction& m = lsu_.slot(sub_core);
  m.generation = warp.generation;
  m.warp = static_cast<std::uint16_t>(slot);
  m.write_barrier = t.write_barrier;
  m.read_barrier = t.read_barrier;
  m.path = t.path;
  m.passes = 1;
  m.extra_passes = 0;
  m.overhead = 0;
  m.bytes = 4;
  m.load = m.store = m.atomic = m.local = m.bypass_l1 = m.async_copy = false;
  m.uniform_address = t.uniform_address;
  m.source_delay = effect.source_delay;
  m.result_delay = effect.result_delay;
  m.access.line_count = 0;
  m.access.sector_count = 0;
  m.pc = static_cast<std::uint32_t>(&t - timing_) * isa::kInstructionBytes;
  if (a.space != functional::MemorySpace::none) {
    m.bytes = a.bytes;
    m.load = a.load;
    m.store = a.store;
    m.atomic = a.atomic;
    m.bypass_l1 = a.bypass_l1;
    m.async_copy = a.async_copy;
    m.local = a.space == functional::MemorySpace::local;
    if (a.space == functional::MemorySpace::shared) {
      m.path = MemoryPath::shared; // generic accesses find out only now
      m.passes = a.atomic ? shared_atomic_passes(a, t.merges_lanes, config_.sm.lsu)
                          : shared_passes(a, config_.sm.lsu);
      m.overhead = a.atomic ? config_.sm.lsu.shared_atomic_overhead : 0;
    } else if (a.mask != 0) {
      m.address = a.address[static_cast<std::size_t>(std::countr_zero(a.mask))];
      if (m.local) {
        const std::uint64_t window =
            (std::uint64_t{1} << 50) + (std::uint64_t{id_} << 40) + (std::uint64_t{slot} << 24);
        coalesce_local(a, window, config_.sm.lsu, m.access);
      } else {
        coalesce_global(a, config_.sm.lsu, m.access);
        if (a.atomic) {
          count_same_address(a, m.access);
        }
      }
      m.passes = std::max(m.access.data_passes, m.access.tag_passes);
    }
    const std::uint32_t ideal = conflict_free_passes(a, config_.sm.lsu);
    m.extra_passes = m.passes > ideal ? m.passes - ideal : 0;
  }
  if (m.async_copy) {
    ++warps_[slot].async_open;
  }
  lsu_next_ = std::min(lsu_next_, lsu_.enqueue(sub_core, now));
}

void StreamingMultiprocessor::after_step(std::uint32_t sub_core,
                                         std::uint32_t slot,
                                         const InstructionTiming& t,
                                         Cycle now) {
  WarpSlot& warp = warps_[slot];
  Cta& cta = ctas_[warp.cta_slot];
  Cycle next = now + std::max<Cycle>(t.stall, t.yield ? 2 : 1);
  warp.stall_reason = StallReason::wait;
  switch (step_.event) {
  case functional::StepEvent::none:
    break;
  case functional::StepEvent::branch:
    if (const Cycle resolved = now + config_.sm.front_end.branch_latency; resolved > next) {
      next = resolved;
      warp.stall_reason = StallReason::branch_resolving;
    }
    break;
  case functional::StepEvent::sleep:
    swap_out(slot);
    next = std::max(next, now + static_cast<Cycle>(step_.sleep_ns * config_.sm_clock_mhz / 1000.0));
    warp.stall_reason = StallReason::sleeping;
    break;
  case functional::StepEvent::barrier:
    swap_out(slot);
    warp.at_barrier = true;
    warp.barrier_id = step_.barrier_id;
    warp.block_reason = StallReason::barrier;
    break;
  case functional::StepEvent::arrive:
    break;
  case functional::StepEvent::exit:
    finish_warp(slot, now);
    return;
  }
  const std::uint32_t line_bytes = config_.sm.front_end.icache_line;
  const std::uint32_t pc = warp.state->pc;
  if (const std::uint64_t line = pc / line_bytes; line != warp.fetched_line) {
    warp.fetched_line = line;
    const Cycle fetched = icache_.fetch(sub_core, slot / sub_core_count_, pc, now, counters_);
    if (fetched > next) {
      next = fetched;
      warp.stall_reason = StallReason::no_instruction;
    }
  } else if (pc % line_bytes == line_bytes - 3 * isa::kInstructionBytes &&
             pc / isa::kInstructionBytes + 3 < program_.kernel->image().code.size()) {
    // The three-entry instruction buffer asks for the next line this far ahead.
    icache_.fetch(sub_core, slot / sub_core_count_, pc + 3 * isa::kInstructionBytes, now,
                  counters_);
  }
  warp.stall_until = next;
  ready_at(slot) = warp.at_barrier ? kNever : next;
  if (step_.event == functional::StepEvent::barrier ||
      step_.event == functional::StepEvent::arrive) {
    release_barrier(cta, now);
  }
}

void StreamingMultiprocessor::release_barrier(Cta& cta, Cycle now) {
  for (const std::uint32_t slot : cta.warps) {
    WarpSlot& warp = warps_[slot];
    // The slot of a finished warp may already hold a warp of another CTA.
    if (warp.resident && warp.at_barrier && &ctas_[warp.cta_slot] == &cta &&
        functional::Executor::barrier_released(cta.state, *warp.state, warp.barrier_id)) {
      warp.at_barrier = false;
      warp.unblocked_at = now + config_.sm.lsu.barrier_latency;
      wake(slot, std::max(warp.unblocked_at, warp.stall_until));
    }
  }
}

void StreamingMultiprocessor::finish_warp(std::uint32_t slot, Cycle now) {
  WarpSlot& warp = warps_[slot];
  Cta& cta = ctas_[warp.cta_slot];
  warp.resident = false;
  ++warp.generation;
  ready_at(slot) = kNever;
  --resident_warps_;
  swap_out(slot);
  if (program_.timeline != nullptr) {
    program_.timeline->finished(id_, slot, now);
  }
  if (cta.state.live_warps > 0) {
    release_barrier(cta, now); // a finished warp counts as arrived
    return;
  }
  cta.resident = false;
  launch_wanted_ = true;
  if (program_.watchdog != nullptr) {
    program_.watchdog->cta_event(now);
  }
  source_.finished(id_, counters_.warp_instructions, now);
}

} // namespace coulomb::timing::sm
