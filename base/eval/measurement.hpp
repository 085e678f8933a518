// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/json_fields.hpp"
#include "base/eval/simulation.hpp"
#include "base/eval/status.hpp"
#include "base/kernel/tunable_spec.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace coulomb::eval {

/// How often a kernel is launched, and when that is enough.
struct SamplingRule {
  std::uint32_t warm_up = 2;      ///< launches after the first one that are not counted
  std::uint32_t min_samples = 10; ///< at least 3, unless time runs out
  std::uint32_t max_samples = 100;
  /// Sampling ends once the 95 % confidence interval of the median is no wider than this on either
  /// side, relative to the median.
  double noise_target = 0.005;
  double time_limit_s = 20.0; ///< wall seconds of warm-up and samples of one configuration
  bool operator==(const SamplingRule&) const = default;
};

/// Name of the kernel that does nothing (kernels/probes/empty.cu).
inline constexpr const char* kEmptyKernel = "empty";

/// One kernel to measure on a real GPU. Sent to coulomb-device-worker as one JSON frame.
struct MeasureRequest {
  std::uint64_t id = 0;
  std::uint32_t device = 0; ///< CUDA ordinal
  std::string cubin_path;   ///< for the device's own architecture
  std::string kernel_name;  ///< symbol in the cubin
  kernel::Launch launch;
  std::string oracle;            ///< empty: outputs are not checked
  std::string oracle_parameters; ///< as in SimRequest
  /// If not empty: outputs are compared with these files, and `oracle` is not used.
  std::vector<kernel::ExpectedOutput> expected;
  SamplingRule sampling;
  std::string cache_state = "warm"; ///< "warm", or "cold": L2 is overwritten before each launch
  std::vector<std::string>
      metrics; ///< CUPTI names, collected by replaying the kernel; may be empty
  /// Seconds of launches back to back during which power is measured; 0: it is not.
  double power_s = 0.0;
  /// Over which the board's power sensor averages; power readings count only after it.
  double power_window_ms = 0.0;
  /// Machine code with a kernel `empty` that does nothing, to time a launch by itself;
  /// empty: that is not timed.
  std::string empty_cubin_path;
};

/// State of the board while a kernel was measured, from NVML.
struct DeviceState {
  double sm_clock_mhz = 0.0;     ///< median of the readings; 0: not readable
  double sm_clock_min_mhz = 0.0; ///< lowest and highest reading
  double sm_clock_max_mhz = 0.0;
  double memory_clock_mhz = 0.0;
  double temperature_c = 0.0;                ///< last reading
  std::vector<std::string> throttle_reasons; ///< NVML's words for those seen, idleness excepted
  std::uint32_t readings = 0;
  bool operator==(const DeviceState&) const = default;
};

struct MeasuredPower {
  double watts = 0.0;     ///< mean of the readings after the sensor had settled; 0: not measured
  double joules = 0.0;    ///< of one launch
  double window_ms = 0.0; ///< over which the sensor averages
  std::uint32_t readings = 0; ///< that count
  bool operator==(const MeasuredPower&) const = default;
};

/// What a measurement found. `status` says whether the numbers mean anything.
struct MeasureOutcome {
  std::uint64_t id = 0;
  EvalStatus status = EvalStatus::crashed;
  std::string message;
  double first_ms = 0.0;          ///< the first launch, with what only happens once
  std::vector<double> samples_ms; ///< in the order of the launches
  std::string stopped_by;         ///< "noise", "samples", "time"
  double empty_launch_ms = 0.0;   ///< the same between two events with a kernel that does nothing
  std::uint32_t registers = 0;    ///< as the driver tells
  std::uint32_t static_shared_bytes = 0;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t spill_bytes = 0; ///< local memory per thread
  std::uint32_t ctas_per_sm = 0; ///< the driver's occupancy
  DeviceState state;
  MeasuredPower power;
  std::map<std::string, double> counters; ///< CUPTI metric: value
  std::uint32_t passes = 0;               ///< replays that the metrics took
  OutputCheck output_check;
  std::vector<std::string> notes; ///< what the reader must know: no counters and why, throttling
  /// The device cannot be used any more in this process (a sticky error): start another worker.
  bool context_lost = false;
  /// Not empty if nothing can be measured at all, whatever the kernel: the kind of base/error.hpp.
  std::string error_kind;
  std::string error_hint;
  double wall_s = 0.0;
};

/// Order statistics of times. All 0 if there are none.
struct SampleStatistics {
  double median = 0.0;
  double q1 = 0.0; ///< lower quartile
  double q3 = 0.0;
  double minimum = 0.0;
  double noise = 0.0; ///< half the 95 % confidence interval of the median, relative to it
};

/// The interval is of order statistics (binomial, distribution-free; normal approximation of
/// ranks): ranks n/2 -+ 1.96 sqrt(n)/2. With fewer than 6 samples it is the whole range.
[[nodiscard]] SampleStatistics sample_statistics(std::vector<double> samples);

[[nodiscard]] nlohmann::json sampling_json(const SamplingRule& rule);
[[nodiscard]] SamplingRule sampling_from_json(const JsonFields& fields);

[[nodiscard]] std::string to_json_text(const MeasureRequest& request);
[[nodiscard]] MeasureRequest measure_request_from_json(const std::string& text);
[[nodiscard]] std::string to_json_text(const MeasureOutcome& outcome);
[[nodiscard]] MeasureOutcome measure_outcome_from_json(const std::string& text);
/// The same as an object of a larger document.
[[nodiscard]] nlohmann::json measure_outcome_json(const MeasureOutcome& outcome);
[[nodiscard]] MeasureOutcome measure_outcome_from_json(const JsonFields& fields);

} // namespace coulomb::eval
