// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/cupti/counter_problem.hpp"
#include "hw/cupti/cupti_paths.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::hw {

/// How one pass of a kernel is run. What either throws ends the collection and reaches the caller.
struct KernelReplay {
  /// Gives the kernel's buffers their initial contents; not counted. Called before every pass, so
  /// that a kernel which changes its own input does the same work in each.
  std::function<void()> restore;
  /// Launches the kernel and waits for its end. All that it does on the context is counted.
  std::function<void()> launch;
};

struct CounterReadings {
  std::map<std::string, double> values; ///< metric: value, in CUPTI's unit
  std::size_t passes = 0;               ///< launches that it took
  std::string chip;                     ///< "GA100"
  std::vector<std::string> unknown;     ///< metrics that were asked for and that the chip lacks
};

/// Performance counters of a kernel on a real GPU: CUPTI's range profiler (CUDA 12.6 and newer),
/// one range around the launch, replayed by us once a pass. Not thread safe.
///
/// For a process that has called cuInit and has a current context on the device, such as
/// coulomb-device-worker: CUPTI crashes without a driver, and may hang on a sick one.
class CounterCollector {
public:
  /// `device`: CUDA ordinal; `context`: the CUcontext in which kernels are launched, which must
  /// outlive this. Throws CounterProblem: no library, built without the headers, a chip or a
  /// configuration that cannot be profiled.
  CounterCollector(std::uint32_t device,
                   void* context,
                   const CuptiPaths& paths = CuptiPaths::from_environment());
  CounterCollector(const CounterCollector&) = delete;
  CounterCollector& operator=(const CounterCollector&) = delete;
  ~CounterCollector();

  [[nodiscard]] const std::string& chip() const;
  /// Throws CounterProblem: no privileges, another profiler is active, the chip has none of the
  /// metrics. The plan of the last list of metrics is kept, so one list for many kernels is cheap.
  [[nodiscard]] CounterReadings collect(const std::vector<std::string>& metrics,
                                        const KernelReplay& replay);

private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

} // namespace coulomb::hw
