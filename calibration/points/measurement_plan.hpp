// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/kernel/launch_description.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coulomb::calibration::points {

/// A kernel of kernels/probes and how it is launched. "${NAME}" in the launch texts stands for a
/// value of the measurement.
struct Probe {
  std::string source; ///< .cu file, beside the plan
  /// .sass file, beside the plan: replaces the code of `source`'s kernel (load_program). "${NAME}"
  /// in it stands for a value. Empty: the code is what the compiler makes.
  std::string program;
  std::string grid;
  std::string block;
  std::vector<std::string> arguments;        ///< kernel::parse_argument_text
  std::vector<std::string> defines;          ///< values that are also macros for the compiler
  std::vector<std::string> options;          ///< of the compiler
  std::string shared;                        ///< bytes of dynamic shared memory
  std::map<std::string, std::string> values; ///< defaults
  bool chip = false; ///< every SM is simulated, else one with its share of L2 and DRAM
  std::string cache_state = "warm"; ///< at launch, one of eval::kCacheStates
};

/// A product and changes to it: an entry of configs/gpu with the memory of a sister product, say.
struct GpuChoice {
  std::string gpu;
  std::vector<std::string> overrides;
};

/// How one number comes about. Exactly one of `probe`, `sum`, `ratio` and `config` is set.
struct Measurement {
  std::string probe;
  std::map<std::string, std::string> values;
  /// If named: the probe runs with both values and the metric is the second run's less the first's,
  /// so that what both have in common (launch, cold caches, clock reads) drops out.
  std::string vary;
  std::pair<std::string, std::string> between;
  /// "out[i]" (element of the first argument), "least" and "most" (of its elements), "cycles",
  /// "time_ns", "ctas_per_sm", "launch_overhead_us".
  std::string metric;
  std::optional<double> per;                       ///< result = metric / per
  std::optional<double> work;                      ///< result = work / metric
  std::vector<std::pair<double, std::string>> sum; ///< of factor times other measurement
  std::vector<std::string> ratio;                  ///< first / second
  std::string config; ///< key of the GPU file: the value is read there, nothing is executed
  std::vector<std::string> times; ///< numbers, "sms", "sm_clock_ghz": factors of the result
  double plus = 0.0;              ///< added to the result: where counting starts
  bool echo = false; ///< the number is an entry, or a formula of entries, of the GPU file
};

/// How one published point is measured.
struct PointPlan {
  std::string chip;
  std::string name;
  std::vector<std::string> measures; ///< one for each published value; empty: see `reason`
  std::string reason;                ///< why it cannot be measured: a key of `reasons`
  std::vector<std::string> keys;     ///< parameters of the GPU file that the value is about
  std::string gpu;                   ///< key of `gpus`, if it is not that of the chip
};

/// The tables kernels/probes/plan.json and kernels/probes/points.csv.
struct MeasurementPlan {
  std::string folder;                                    ///< where the probes lie
  std::map<std::string, std::vector<std::string>> chips; ///< name in the table: keys of `gpus`
  std::map<std::string, GpuChoice> gpus;
  std::map<std::string, Probe> probes;
  std::map<std::string, Measurement> measurements;
  std::map<std::string, std::string> reasons;              ///< name: explanation
  std::map<std::string, std::vector<std::string>> sources; ///< key: names in provenance texts
  std::vector<PointPlan> points;

  /// Throws UserError: unreadable, malformed, or a name that is not defined.
  static MeasurementPlan load(const std::string& folder);

  [[nodiscard]] const PointPlan* find(const std::string& chip, const std::string& name) const;
};

/// The values of one run: the measurement's, else the probe's defaults.
[[nodiscard]] std::map<std::string, std::string>
all_values(const Probe& probe, const std::map<std::string, std::string>& values);

/// The launch of one run of a probe. Throws UserError for a "${NAME}" without a value.
[[nodiscard]] kernel::LaunchDescription
make_launch(const Probe& probe,
            const std::map<std::string, std::string>& values,
            const std::string& folder);

} // namespace coulomb::calibration::points
