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

/// One SC_METHOD drives all clocked components of a domain, a window of cycles per activation of
/// the SystemC kernel; idle stretches are skipped.
///
/// Components are bound island by island. Between islands every message takes at least `lookahead`
/// cycles, so within a window of that many cycles no island can notice another, and each runs the
/// whole window by itself: the state of one SM stays in the host's caches for a window instead of a
/// cycle. Within an island components run in order of time. Conservative parallel simulation calls
/// this the lookahead; here it buys locality.
class ClockDomain final : public sc_core::sc_module {
public:
  SC_HAS_PROCESS(ClockDomain);
  /// `quantum`: most cycles per activation, whatever the lookahead.
  ClockDomain(sc_core::sc_module_name name, std::uint32_t quantum);

  sc_core::sc_port<TickInterface, 0, sc_core::SC_ZERO_OR_MORE_BOUND> components{"components"};
  /// What is bound from now on, until the next call, is one island.
  void begin_island() { begins_.push_back(static_cast<std::uint32_t>(components.size())); }

  /// Component `id` (order of binding) runs at `cycle`, or in its island's next cycle if that has
  /// begun. From another island, `cycle` must lie behind the window: InternalError otherwise.
  void wake(std::uint32_t id, timing::Cycle cycle);
  /// Forgets everything scheduled; cycle 0 is the current simulation time. The next sc_start begins
  /// there.
  void restart(timing::Cycle cycle_limit, timing::Cycle lookahead);

  /// Latest cycle that any component has run.
  [[nodiscard]] timing::Cycle now() const { return latest_; }
  /// Whether anything is still scheduled.
  [[nodiscard]] bool running() const { return scheduled_; }
  [[nodiscard]] bool hit_cycle_limit() const { return hit_limit_; }
  [[nodiscard]] std::exception_ptr error() const { return error_; }
  void set_period(double nanoseconds) { period_ = sc_core::sc_time(nanoseconds, sc_core::SC_NS); }

private:
  struct Island {
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    timing::Cycle next = timing::kNever;
  };

  void end_of_elaboration() override;
  void activate();
  void run_window(timing::Cycle end);
  void run_island(Island& island, timing::Cycle end);
  [[nodiscard]] timing::Cycle next_scheduled() const;

  std::uint32_t quantum_;
  timing::Cycle lookahead_ = 1;
  sc_core::sc_time period_{1, sc_core::SC_NS};
  sc_core::sc_event start_;
  std::vector<std::uint32_t> begins_;
  std::vector<Island> islands_;
  std::vector<TickInterface*> components_;
  std::vector<std::uint32_t> island_of_;
  std::vector<timing::Cycle> next_; ///< per component
  timing::Cycle now_ = 0;           ///< of the island that runs
  timing::Cycle latest_ = 0;
  timing::Cycle window_end_ = 0;
  std::uint32_t running_ = 0;    ///< island
  timing::Cycle activation_ = 0; ///< cycle of the current activation
  timing::Cycle limit_ = timing::kNever;
  bool hit_limit_ = false;
  bool scheduled_ = false; ///< the SystemC kernel will activate this again
  std::exception_ptr error_;
};

} // namespace coulomb::systemc
