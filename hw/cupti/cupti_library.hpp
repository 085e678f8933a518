// SPDX-License-Identifier: Apache-2.0
#pragma once

// Compiled only where CUPTI's headers are; included by the sources of hw/cupti and nobody else.

#include "hw/cupti/counter_problem.hpp"
#include "hw/cupti/cupti_paths.hpp"
#include "hw/loader/shared_library.hpp"

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>
#include <cupti_version.h>
#include <string>

namespace coulomb::hw {

// What Coulomb calls of CUPTI. All of it is in CUDA 12.6. Without a driver cuptiDeviceGetChipName
// and cuptiRangeProfilerEnable do not return an error, they crash: only CounterCollector calls
// them.
#define COULOMB_CUPTI_FUNCTIONS(X)                                                                 \
  X(cuptiGetVersion)                                                                               \
  X(cuptiGetResultString)                                                                          \
  X(cuptiProfilerHostInitialize)                                                                   \
  X(cuptiProfilerHostDeinitialize)                                                                 \
  X(cuptiProfilerHostGetSupportedChips)                                                            \
  X(cuptiProfilerHostGetBaseMetrics)                                                               \
  X(cuptiProfilerHostGetSubMetrics)                                                                \
  X(cuptiProfilerHostGetMetricProperties)                                                          \
  X(cuptiProfilerHostConfigAddMetrics)                                                             \
  X(cuptiProfilerHostGetConfigImageSize)                                                           \
  X(cuptiProfilerHostGetConfigImage)                                                               \
  X(cuptiProfilerHostGetNumOfPasses)                                                               \
  X(cuptiProfilerHostEvaluateToGpuValues)                                                          \
  X(cuptiProfilerInitialize)                                                                       \
  X(cuptiProfilerDeInitialize)                                                                     \
  X(cuptiProfilerDeviceSupported)                                                                  \
  X(cuptiProfilerGetCounterAvailability)                                                           \
  X(cuptiDeviceGetChipName)                                                                        \
  X(cuptiRangeProfilerEnable)                                                                      \
  X(cuptiRangeProfilerDisable)                                                                     \
  X(cuptiRangeProfilerGetCounterDataSize)                                                          \
  X(cuptiRangeProfilerCounterDataImageInitialize)                                                  \
  X(cuptiRangeProfilerSetConfig)                                                                   \
  X(cuptiRangeProfilerStart)                                                                       \
  X(cuptiRangeProfilerStop)                                                                        \
  X(cuptiRangeProfilerPushRange)                                                                   \
  X(cuptiRangeProfilerPopRange)                                                                    \
  X(cuptiRangeProfilerDecodeData)                                                                  \
  X(cuptiRangeProfilerGetCounterDataInfo)

// A parameter struct as CUPTI wants it: zeroed, with the size that this build knows.
#define COULOMB_CUPTI_PARAMS(type, name)                                                           \
  type name{};                                                                                     \
  name.structSize = type##_STRUCT_SIZE

/// libcupti, loaded with dlopen; it stays loaded until the process ends.
class CuptiLibrary {
public:
  /// Throws CounterProblem (no_library) that lists where CUPTI was looked for and how to get it.
  explicit CuptiLibrary(const CuptiPaths& paths);

  /// Throws the CounterProblem that `result` means, unless it is success.
  void check(CUptiResult result, const char* call) const;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& version() const { return version_; }

#define COULOMB_CUPTI_MEMBER(function) decltype(&::function) function = nullptr;
  COULOMB_CUPTI_FUNCTIONS(COULOMB_CUPTI_MEMBER)
#undef COULOMB_CUPTI_MEMBER

private:
  SharedLibrary library_;
  std::string path_;
  std::string version_; ///< of the API: "130001"
};

} // namespace coulomb::hw
