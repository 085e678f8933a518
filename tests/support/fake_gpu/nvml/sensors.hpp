// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fake_gpu/board.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::fake::nvml {

/// A list of values that answers one a reading, and begins again at its end.
class Cycle {
public:
  Cycle(const char* option, const std::vector<double>& fallback);
  double next();

private:
  std::vector<double> values_;
  std::size_t at_ = 0;
};

struct ClockRange {
  unsigned min_mhz = 0;
  unsigned max_mhz = 0;
};

/// Locked clocks: the state of a board, which outlives the processes that use it. It is kept in the
/// file FAKE_NVML_STATE; without the option, in this process only.
class ClockLock {
public:
  ClockLock();
  [[nodiscard]] std::optional<ClockRange> locked() const;
  void lock(const ClockRange& range);
  void unlock();

private:
  void store(const std::string& text);

  std::string path_;
  std::string here_; ///< where there is no file
};

/// What the board's sensors answer, one reading after another (options.hpp, "NVML").
class Sensors {
public:
  explicit Sensors(const Board& board);

  unsigned sm_clock_mhz();
  unsigned memory_clock_mhz();
  unsigned temperature();
  unsigned power_milliwatts();
  std::uint64_t throttle_reasons();
  unsigned utilization();
  [[nodiscard]] bool persistence() const { return persistence_; }
  [[nodiscard]] ClockLock& clock_lock() { return lock_; }

private:
  struct Throttle {
    std::uint64_t bits = 0;
    std::uint64_t from = 1; ///< number of the first reading that has them
  };

  Cycle clocks_;
  Cycle memory_clocks_;
  Cycle temperatures_;
  Cycle utilization_;
  std::vector<double> power_; ///< at first, in the end (mW), time constant (s)
  std::optional<std::chrono::steady_clock::time_point> power_start_;
  std::vector<Throttle> throttles_;
  std::uint64_t throttle_readings_ = 0;
  bool persistence_ = true;
  ClockLock lock_;
};

} // namespace coulomb::fake::nvml
