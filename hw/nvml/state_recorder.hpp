// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/measurement.hpp"
#include "hw/nvml/nvml.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace coulomb::hw {

/// Reads the board every 10 ms on a thread of its own, from construction to finish(). Clocks may
/// change at any launch, and one reading takes longer than many kernels: it must not stand between
/// launches.
class StateRecorder {
public:
  /// `nvml` null: nothing is recorded. It must outlive this.
  explicit StateRecorder(const Nvml* nvml);
  ~StateRecorder() { finish(); }
  StateRecorder(const StateRecorder&) = delete;
  StateRecorder& operator=(const StateRecorder&) = delete;

  /// Ends the recording; takes a last reading.
  void finish();

  /// Of all readings; after finish().
  [[nodiscard]] eval::DeviceState state() const;
  /// Mean of the power readings taken at least `settle_ms` after the beginning, and their number;
  /// after finish(). The sensor averages over a window, so what it says before is of the time
  /// before.
  [[nodiscard]] eval::MeasuredPower power(double settle_ms) const;

private:
  struct Sample {
    double after_ms = 0.0; ///< since construction
    BoardReading reading;
  };
  void record();

  const Nvml* nvml_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::vector<Sample> samples_;
  std::mutex mutex_; ///< of stop_
  std::condition_variable wake_;
  bool stop_ = false;
  std::thread thread_;
};

} // namespace coulomb::hw
