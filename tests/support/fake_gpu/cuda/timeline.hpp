// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace coulomb::fake::cuda {

/// The virtual clock of a device's one stream. Work advances it by a time that depends on nothing
/// but the work, its number and the options (options.hpp, "Clock"); it never looks at a real clock.
class Timeline {
public:
  /// `sms`, `clock_mhz`: of the board, for the default rate.
  Timeline(int sms, unsigned clock_mhz);

  /// A kernel that executed (or would have executed) so many warp instructions.
  void launch(double warp_instructions, bool first_of_function);
  /// Launches so far, their warp instructions, and the time they took.
  struct Totals {
    double launches = 0;
    double warp_instructions = 0;
    double ns = 0;
  };
  [[nodiscard]] const Totals& totals() const { return totals_; }

  /// A copy or fill of so many bytes.
  void transfer(std::uint64_t bytes);

  /// The time now, in nanoseconds, as an event's stamp: in steps of 1.024 us.
  [[nodiscard]] double stamp() const;
  /// Number of the piece of work that was given last.
  [[nodiscard]] std::uint64_t given() const { return given_; }
  /// Work up to here is known to be done.
  [[nodiscard]] std::uint64_t waited_for() const { return waited_for_; }
  void wait_for(std::uint64_t work) { waited_for_ = work > waited_for_ ? work : waited_for_; }
  void wait_for_all() { waited_for_ = given_; }
  /// Lets real time pass for the work since the last call, as far as FAKE_CUDA_REAL_TIME asks.
  void sleep();
  /// A marker in the stream, such as an event: work that takes no time.
  std::uint64_t mark() { return ++given_; }

private:
  double jitter() const;

  double rate_; ///< warp instructions per nanosecond
  double scale_;
  double first_ns_;
  double jitter_scale_;
  std::uint64_t seed_;
  double slow_factor_ = 1.0;
  std::uint64_t slow_from_ = 0; ///< launch number; 0: never
  double real_time_;            ///< real seconds a virtual one
  double now_ns_ = 0.0;
  double slept_until_ns_ = 0.0;
  Totals totals_;
  std::uint64_t given_ = 0;
  std::uint64_t waited_for_ = 0;
};

} // namespace coulomb::fake::cuda
