// SPDX-License-Identifier: Apache-2.0
#include "sim/systemc/clock_domain.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace coulomb::systemc {

using timing::Cycle;
using timing::kNever;

ClockDomain::ClockDomain(sc_core::sc_module_name name, std::uint32_t quantum)
    : sc_core::sc_module(name), quantum_(std::max(1U, quantum)) {
  SC_METHOD(activate);
  sensitive << start_;
  dont_initialize();
}

void ClockDomain::end_of_elaboration() {
  // Interface pointers are cached: a call through the port costs more than the tick of an idle
  // component.
  for (int i = 0; i < components.size(); ++i) {
    components_.push_back(components[i]);
  }
  const auto count = static_cast<std::uint32_t>(components_.size());
  for (std::size_t i = 0; i < begins_.size(); ++i) {
    islands_.push_back({begins_[i], i + 1 < begins_.size() ? begins_[i + 1] : count, kNever});
    island_of_.resize(islands_.back().end, static_cast<std::uint32_t>(i));
  }
  COULOMB_CHECK(island_of_.size() == count, "{} of {} components are on an island",
                island_of_.size(), count);
  next_.assign(count, kNever);
}

void ClockDomain::restart(Cycle cycle_limit, Cycle lookahead) {
  now_ = 0;
  latest_ = 0;
  activation_ = 0;
  limit_ = cycle_limit;
  lookahead_ = std::max<Cycle>(1, lookahead);
  hit_limit_ = false;
  scheduled_ = true;
  error_ = nullptr;
  std::fill(next_.begin(), next_.end(), 1);
  for (Island& island : islands_) {
    island.next = 1;
  }
  start_.notify(sc_core::SC_ZERO_TIME);
}

void ClockDomain::wake(std::uint32_t id, Cycle cycle) {
  const std::uint32_t number = island_of_[id];
  COULOMB_CHECK(number == running_ || cycle >= window_end_,
                "a message for component {} at cycle {} falls into the window that ends at {}", id,
                cycle, window_end_);
  const Cycle at = number == running_ ? std::max(cycle, now_ + 1) : cycle;
  next_[id] = std::min(next_[id], at);
  islands_[number].next = std::min(islands_[number].next, at);
}

Cycle ClockDomain::next_scheduled() const {
  Cycle next = kNever;
  for (const Island& island : islands_) {
    next = std::min(next, island.next);
  }
  return next;
}

void ClockDomain::run_island(Island& island, Cycle end) {
  while (island.next < end) {
    now_ = island.next;
    latest_ = std::max(latest_, now_);
    for (std::uint32_t id = island.first; id < island.end; ++id) {
      if (next_[id] <= now_) {
        next_[id] = kNever; // a message may wake it while it runs
        const Cycle next = components_[id]->tick(now_);
        next_[id] = std::min(next_[id], next);
      }
    }
    island.next = *std::min_element(next_.begin() + island.first, next_.begin() + island.end);
  }
}

void ClockDomain::run_window(Cycle end) {
  window_end_ = end;
  for (running_ = 0; running_ < islands_.size(); ++running_) {
    run_island(islands_[running_], end);
  }
}

void ClockDomain::activate() {
  scheduled_ = false;
  // Other SystemC processes (monitors, a second clock domain) must run at their own time.
  const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity();
  const double cycles_to_pending = pending / period_;
  const auto quantum =
      static_cast<Cycle>(std::clamp(cycles_to_pending, 1.0, static_cast<double>(quantum_)));
  // An exception must not pass through the SystemC kernel: it would end every later simulation too.
  try {
    run_window(std::min(activation_ + std::min(lookahead_, quantum), limit_ + 1));
    const Cycle next = next_scheduled();
    if (next == kNever || next > limit_) {
      hit_limit_ = next != kNever;
      return;
    }
    next_trigger(period_ * static_cast<double>(next - activation_));
    activation_ = next;
    scheduled_ = true;
  } catch (...) {
    error_ = std::current_exception();
  }
}

} // namespace coulomb::systemc
