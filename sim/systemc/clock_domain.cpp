// SPDX-License-Identifier: Apache-2.0
#include "sim/systemc/clock_domain.hpp"

#include <algorithm>
#include <bit>

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
  words_ = static_cast<std::uint32_t>(components_.size() + 63) / 64;
  slots_.assign(std::size_t{kSlots} * words_, 0);
  current_.assign(words_, 0);
}

void ClockDomain::restart(Cycle cycle_limit) {
  std::fill(slots_.begin(), slots_.end(), 0);
  std::fill(std::begin(occupied_), std::end(occupied_), 0);
  now_ = 0;
  activation_ = 0;
  limit_ = cycle_limit;
  hit_limit_ = false;
  error_ = nullptr;
  for (std::uint32_t id = 0; id < components_.size(); ++id) {
    wake(id, 1);
  }
  start_.notify(sc_core::SC_ZERO_TIME);
}

void ClockDomain::wake(std::uint32_t id, Cycle cycle) {
  // Too far ahead for the wheel: the component is asked again at the horizon.
  const Cycle at = std::clamp(cycle, now_ + 1, now_ + kSlots - 1);
  const std::uint32_t slot = at % kSlots;
  slots_[std::size_t{slot} * words_ + id / 64] |= std::uint64_t{1} << (id % 64);
  occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
}

Cycle ClockDomain::next_scheduled() const {
  for (Cycle c = now_ + 1; c < now_ + kSlots;) {
    const std::uint32_t slot = c % kSlots;
    const std::uint64_t word = occupied_[slot / 64] >> (slot % 64);
    if (word != 0) {
      return c + static_cast<Cycle>(std::countr_zero(word));
    }
    c += 64 - slot % 64;
  }
  return kNever;
}

void ClockDomain::step(Cycle cycle) {
  now_ = cycle;
  const std::uint32_t slot = cycle % kSlots;
  std::uint64_t* set = &slots_[std::size_t{slot} * words_];
  std::copy_n(set, words_, current_.begin());
  std::fill_n(set, words_, 0);
  occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
  for (std::uint32_t w = 0; w < words_; ++w) {
    for (std::uint64_t bits = current_[w]; bits != 0; bits &= bits - 1) {
      const std::uint32_t id = w * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
      const Cycle next = components_[id]->tick(cycle);
      if (next != kNever) {
        wake(id, next);
      }
    }
  }
}

void ClockDomain::activate() {
  // Other SystemC processes (monitors, a second clock domain) must run at their own time.
  const sc_core::sc_time pending = sc_core::sc_time_to_pending_activity();
  const double cycles_to_pending = pending / period_;
  const auto quantum =
      static_cast<Cycle>(std::clamp(cycles_to_pending, 1.0, static_cast<double>(quantum_)));
  const Cycle last = activation_ + quantum - 1;
  // An exception must not pass through the SystemC kernel: it would end every later simulation too.
  try {
    Cycle next = next_scheduled();
    while (next <= std::max(last, activation_) && next <= limit_) {
      step(next);
      next = next_scheduled();
    }
    if (next == kNever || next > limit_) {
      hit_limit_ = next != kNever;
      return;
    }
    next_trigger(period_ * static_cast<double>(next - activation_));
    activation_ = next;
  } catch (...) {
    error_ = std::current_exception();
  }
}

} // namespace coulomb::systemc
