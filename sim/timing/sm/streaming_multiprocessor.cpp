// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/streaming_multiprocessor.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <bit>

namespace coulomb::timing::sm {

StreamingMultiprocessor::StreamingMultiprocessor(const config::GpuConfig& config,
                                                 std::uint32_t id,
                                                 const SmProgram& program,
                                                 CtaSource& source,
                                                 MessageSink& to_crossbar)
    : config_(config), id_(id), sub_core_count_(config.sm.warp_schedulers), program_(program),
      timing_(program.timing->data()), source_(source), port_(config.sm.l1),
      lsu_(config, id, program.warm_translations, to_crossbar, releases_, counters_),
      icache_(config.sm.front_end,
              config.sm.warp_schedulers,
              config.sm.max_warps / config.sm.warp_schedulers,
              config.l2.hit_latency,
              std::max(1U, config.sm.front_end.icache_line / config.sm.l1.fill_bytes_per_cycle)),
      compression_(config.sm.register_file, config.sm.max_warps),
      executor_(*program.kernel, *program.memory) {
  COULOMB_CHECK(config.sm.max_warps <= kMaxWarpsPerSubCore * sub_core_count_,
                "{} warps exceed {} per sub-core", config.sm.max_warps, kMaxWarpsPerSubCore);
  lsu_.reset(program.l1_bytes);
  for (std::uint32_t s = 0; s < sub_core_count_; ++s) {
    sub_cores_.emplace_back(config);
    sub_cores_.back().ready_at.fill(kNever);
  }
  warps_.resize(config.sm.max_warps);
  for (auto& w : warps_) {
    w.async_groups.reserve(16);
  }
  const std::uint32_t used = program.ctas_per_sm * program.kernel->warps_per_cta();
  states_.resize(config.sm.max_warps);
  for (std::uint32_t i = 0;
       i < std::min<std::uint32_t>(config.sm.max_warps, used + 4 * sub_core_count_); ++i) {
    states_[i] = std::make_unique<functional::WarpState>();
  }
  ctas_.resize(program.ctas_per_sm);
  state_list_.reserve(config.sm.max_warps);
  next_sample_ = program.timeline != nullptr ? 0 : kNever;
  next_watch_ = program.watchdog != nullptr ? Watchdog::kPatience : kNever;
  next_look_ = std::min(next_sample_, next_watch_);
  observed_ = program.profile != nullptr || program.timeline != nullptr || program.viewed;
  issues_.resize(program.viewed ? sub_core_count_ : 0);
}

StreamingMultiprocessor::~StreamingMultiprocessor() = default;

Cycle StreamingMultiprocessor::tick(Cycle now) {
  const Cycle elapsed = now - last_tick_;
  counters_.warp_cycles += elapsed * resident_warps_;
  counters_.active_cycles += resident_warps_ > 0 ? elapsed : 0;
  last_tick_ = now;
  if (next_look_ <= now) [[unlikely]] {
    look(now);
  }

  if (port_.next() <= now) {
    port_.run(now, [&](const MemoryMessage& m) { lsu_.response(m, now); });
    lsu_next_ = std::min(lsu_next_, now);
  }
  releases_.run(now, [&](const Release& r) { on_release(r, now); });
  if (launch_wanted_) {
    launch_ctas(now);
  }
  if (lsu_next_ <= now) {
    lsu_next_ = lsu_.tick(now);
  }
  Cycle next = kNever;
  for (std::uint32_t s = 0; s < sub_core_count_; ++s) {
    SubCore& core = sub_cores_[s];
    if (core.next <= now) {
      core.next = issue(s, now);
    }
    next = std::min(next, core.next);
  }
  if (launch_wanted_) { // a CTA finished in this cycle
    next = now + 1;
  }
  return std::min({next, releases_.next(), port_.next(), lsu_next_});
}

void StreamingMultiprocessor::launch_ctas(Cycle now) {
  launch_wanted_ = false;
  for (std::uint32_t c = 0; c < ctas_.size() && !grid_exhausted_; ++c) {
    if (ctas_[c].resident) {
      continue;
    }
    const CtaSource::Launch launch = source_.next(id_, now);
    if (!launch.available) {
      grid_exhausted_ = true;
      return;
    }
    place_cta(c, launch, now);
  }
}

bool StreamingMultiprocessor::place_cta(std::uint32_t cta_slot,
                                        const CtaSource::Launch& launch,
                                        Cycle now) {
  Cta& cta = ctas_[cta_slot];
  const std::uint32_t needed = program_.kernel->warps_per_cta();
  cta.warps.clear();
  state_list_.clear();
  // Warp i goes to the sub-core with the fewest warps, in turn: warp id modulo 4 on an empty SM.
  std::array<std::uint32_t, kMaxWarpsPerSubCore> load{};
  for (std::uint32_t slot = 0; slot < warps_.size(); ++slot) {
    load[sub_core_of(slot)] += warps_[slot].resident ? 1 : 0;
  }
  for (std::uint32_t i = 0; i < needed; ++i) {
    std::uint32_t core = 0;
    for (std::uint32_t s = 1; s < sub_core_count_; ++s) {
      core = load[s] < load[core] ? s : core;
    }
    ++load[core];
    std::uint32_t slot = core;
    while (slot < warps_.size() && warps_[slot].resident) {
      slot += sub_core_count_;
    }
    COULOMB_CHECK(slot < warps_.size(), "no free warp slot on sub-core {} of SM {}", core, id_);
    if (!states_[slot]) {
      states_[slot] = std::make_unique<functional::WarpState>();
    }
    warps_[slot].resident = true;
    cta.warps.push_back(slot);
    state_list_.push_back(states_[slot].get());
  }
  executor_.start_cta(cta.state, launch.linear_id, state_list_.data());
  cta.resident = true;
  ++counters_.ctas;
  if (program_.watchdog != nullptr) {
    program_.watchdog->cta_event(now);
  }
  resident_warps_ += needed;
  for (const std::uint32_t slot : cta.warps) {
    WarpSlot fresh;
    fresh.resident = true;
    fresh.cta_slot = cta_slot;
    fresh.generation = warps_[slot].generation + 1;
    fresh.age = next_age_++;
    fresh.state = states_[slot].get();
    fresh.async_groups = std::move(warps_[slot].async_groups);
    fresh.async_groups.clear();
    const Cycle start = std::max(launch.start, now + 1);
    fresh.fetched_line = fresh.state->pc / config_.sm.front_end.icache_line;
    const Cycle fetched =
        icache_.fetch(sub_core_of(slot), slot / sub_core_count_, fresh.state->pc, start, counters_);
    fresh.last_issue = now;
    fresh.stall_until = std::max(start, fetched);
    fresh.stall_reason = StallReason::no_instruction;
    warps_[slot] = std::move(fresh);
    compression_.start(slot);
    wake(slot, warps_[slot].stall_until);
    if (program_.timeline != nullptr) {
      program_.timeline->launched(id_, slot, launch.linear_id, warps_[slot].state->warp_in_cta,
                                  now);
    }
  }
  return true;
}

void StreamingMultiprocessor::wake(std::uint32_t slot, Cycle at) {
  ready_at(slot) = at;
  SubCore& core = sub_cores_[sub_core_of(slot)];
  core.next = std::min(core.next, at);
  core.full_until = std::min(core.full_until, at);
}

void StreamingMultiprocessor::on_release(const Release& release, Cycle now) {
  WarpSlot& warp = warps_[release.warp];
  if (!warp.resident || warp.generation != release.generation) {
    return;
  }
  if (release.kind == Release::Kind::async_copy) {
    on_async_copy(warp, release.warp, now);
  } else {
    decrement(warp, release.warp, release.barrier, now);
  }
}

void StreamingMultiprocessor::decrement(WarpSlot& warp,
                                        std::uint32_t slot,
                                        std::uint8_t counter,
                                        Cycle now) {
  COULOMB_CHECK(warp.counter[counter] > 0, "dependence counter {} of warp slot {} below zero",
                counter, slot);
  if (--warp.counter[counter] == 0) {
    warp.busy = static_cast<std::uint8_t>(warp.busy & ~(1U << counter));
    warp.long_counters = static_cast<std::uint8_t>(warp.long_counters & ~(1U << counter));
  }
  if (warp.waiting_for != 0 && (warp.waiting_for & warp.busy) == 0) {
    warp.waiting_for = 0;
    warp.unblocked_at = now;
    wake(slot, now);
  } else if (warp.waits_depbar && warp.counter[warp.depbar_counter] <= warp.depbar_count) {
    warp.waits_depbar = false;
    warp.unblocked_at = now;
    wake(slot, now);
  }
}

void StreamingMultiprocessor::on_async_copy(WarpSlot& warp, std::uint32_t slot, Cycle now) {
  // Copies complete in order as far as groups are concerned: the oldest group with copies left gets
  // it.
  for (auto& group : warp.async_groups) {
    if (group.remaining > 0) {
      --group.remaining;
      complete_async_groups(warp, slot, now);
      return;
    }
  }
  COULOMB_CHECK(warp.async_open > 0, "asynchronous copy of warp slot {} without a group", slot);
  --warp.async_open;
}

void StreamingMultiprocessor::complete_async_groups(WarpSlot& warp, std::uint32_t slot, Cycle now) {
  while (!warp.async_groups.empty() && warp.async_groups.front().remaining == 0) {
    const std::uint8_t counter = warp.async_groups.front().counter;
    warp.async_groups.erase(warp.async_groups.begin());
    if (counter != isa::kNoBarrier) {
      decrement(warp, slot, counter, now);
    }
  }
}

void StreamingMultiprocessor::account(std::uint32_t slot, Cycle now) {
  const WarpSlot& warp = warps_[slot];
  const auto add = [&](StallReason reason, Cycle from, Cycle to) {
    if (to > from) {
      counters_.stall_cycles[static_cast<std::size_t>(reason)] += to - from;
    }
  };
  const Cycle stalled = std::min(std::max(warp.stall_until, warp.last_issue + 1), now);
  add(warp.stall_reason, warp.last_issue + 1, stalled);
  const Cycle blocked = std::min(std::max(warp.unblocked_at, stalled), now);
  add(warp.block_reason, stalled, blocked);
  add(warp.throttle, blocked, now);
  add(StallReason::selected, now, now + 1);
  if (observed_) [[unlikely]] {
    observe_issue(warp, slot, stalled, blocked, now);
  }
}

} // namespace coulomb::timing::sm
