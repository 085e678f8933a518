// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/timing/types.hpp"

#include <cstdint>
#include <exception>
#include <systemc>
#include <vector>

namespace coulomb::systemc {

/// What a clocked component offers to its clock domain.
class TickInterface : public virtual sc_core::sc_interface {
public:
  /// Runs cycle `now`; returns the next cycle it wants to run, kNever if only a message can wake
  /// it.
  virtual timing::Cycle tick(timing::Cycle now) = 0;
};

/// One SC_METHOD drives all clocked components of a domain: a timing wheel of component sets gives,
/// for each cycle, those that have work, in ascending order of their number. Up to `quantum` cycles
/// run per activation of the SystemC kernel, fewer if another process is due earlier, and idle
/// stretches are skipped. Quantum 1 gives the same results; a test checks it.
class ClockDomain final : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(ClockDomain);
  ClockDomain(sc_core::sc_module_name name, std::uint32_t quantum);

  sc_core::sc_port<TickInterface, 0, sc_core::SC_ZERO_OR_MORE_BOUND> components{"components"};

  /// Component `id` (order of binding) runs at `cycle` or, if that has begun, in the next one.
  void wake(std::uint32_t id, timing::Cycle cycle);
  /// Forgets everything scheduled; cycle 0 is the current simulation time. The next sc_start begins
  /// there.
  void restart(timing::Cycle cycle_limit);

  [[nodiscard]] timing::Cycle now() const { return now_; }
  [[nodiscard]] bool hit_cycle_limit() const { return hit_limit_; }
  [[nodiscard]] std::exception_ptr error() const { return error_; }
  void set_period(double nanoseconds) { period_ = sc_core::sc_time(nanoseconds, sc_core::SC_NS); }

private:
  static constexpr std::uint32_t kSlots = 1024;

  void end_of_elaboration() override;
  void activate();
  void step(timing::Cycle cycle);
  [[nodiscard]] timing::Cycle next_scheduled() const;

  std::uint32_t quantum_;
  sc_core::sc_time period_{1, sc_core::SC_NS};
  sc_core::sc_event start_;
  std::vector<TickInterface*> components_;
  std::uint32_t words_ = 1;
  std::vector<std::uint64_t> slots_;   ///< [kSlots][words_]
  std::vector<std::uint64_t> current_; ///< the set being run
  std::uint64_t occupied_[kSlots / 64] = {};
  timing::Cycle now_ = 0;
  timing::Cycle activation_ = 0; ///< cycle of the current activation
  timing::Cycle limit_ = timing::kNever;
  bool hit_limit_ = false;
  std::exception_ptr error_;
};

} // namespace coulomb::systemc
