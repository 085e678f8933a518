// SPDX-License-Identifier: Apache-2.0
#include "hw/nvml/state_recorder.hpp"

#include <algorithm>

namespace coulomb::hw {
namespace {

constexpr std::chrono::milliseconds kInterval{10};

double median(std::vector<double> values) {
  return eval::sample_statistics(std::move(values)).median;
}

} // namespace

StateRecorder::StateRecorder(const Nvml* nvml) : nvml_(nvml) {
  if (nvml_ != nullptr) {
    thread_ = std::thread([this] {
      std::unique_lock lock(mutex_);
      do {
        record();
      } while (!wake_.wait_for(lock, kInterval, [this] { return stop_; }));
    });
  }
}

void StateRecorder::record() {
  const double after =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin_).count();
  samples_.push_back({after, nvml_->read()});
}

void StateRecorder::finish() {
  if (!thread_.joinable()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
  record();
}

eval::DeviceState StateRecorder::state() const {
  eval::DeviceState state;
  std::vector<double> sm;
  std::vector<double> memory;
  std::uint64_t throttle = 0;
  for (const Sample& s : samples_) {
    if (s.reading.sm_clock_mhz) {
      sm.push_back(*s.reading.sm_clock_mhz);
    }
    if (s.reading.memory_clock_mhz) {
      memory.push_back(*s.reading.memory_clock_mhz);
    }
    state.temperature_c = s.reading.temperature_c.value_or(state.temperature_c);
    throttle |= s.reading.throttle_bits;
  }
  if (!sm.empty()) {
    const auto [low, high] = std::minmax_element(sm.begin(), sm.end());
    state.sm_clock_min_mhz = *low;
    state.sm_clock_max_mhz = *high;
    state.sm_clock_mhz = median(sm);
  }
  state.memory_clock_mhz = median(memory);
  state.throttle_reasons = throttle_words(throttle);
  state.readings = static_cast<std::uint32_t>(samples_.size());
  return state;
}

eval::MeasuredPower StateRecorder::power(double settle_ms) const {
  eval::MeasuredPower power;
  double sum = 0.0;
  for (const Sample& s : samples_) {
    if (s.after_ms >= settle_ms && s.reading.watts) {
      sum += *s.reading.watts;
      ++power.readings;
    }
  }
  power.watts = power.readings > 0 ? sum / power.readings : 0.0;
  return power;
}

} // namespace coulomb::hw
