// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fake_gpu/cupti/library.hpp"

#include <exception>
#include <fmt/format.h>

namespace coulomb::fake::cupti {
namespace {

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names{
      "cuptiGetVersion",
      "cuptiProfilerHostInitialize",
      "cuptiProfilerHostDeinitialize",
      "cuptiProfilerHostGetSupportedChips",
      "cuptiProfilerHostGetBaseMetrics",
      "cuptiProfilerHostGetSubMetrics",
      "cuptiProfilerHostGetMetricProperties",
      "cuptiProfilerHostConfigAddMetrics",
      "cuptiProfilerHostGetConfigImageSize",
      "cuptiProfilerHostGetConfigImage",
      "cuptiProfilerHostGetNumOfPasses",
      "cuptiProfilerHostEvaluateToGpuValues",
      "cuptiProfilerInitialize",
      "cuptiProfilerDeInitialize",
      "cuptiProfilerDeviceSupported",
      "cuptiProfilerGetCounterAvailability",
      "cuptiDeviceGetChipName",
      "cuptiRangeProfilerEnable",
      "cuptiRangeProfilerDisable",
      "cuptiRangeProfilerGetCounterDataSize",
      "cuptiRangeProfilerCounterDataImageInitialize",
      "cuptiRangeProfilerSetConfig",
      "cuptiRangeProfilerStart",
      "cuptiRangeProfilerStop",
      "cuptiRangeProfilerPushRange",
      "cuptiRangeProfilerPopRange",
      "cuptiRangeProfilerDecodeData",
      "cuptiRangeProfilerGetCounterDataInfo",
  };
  return names;
}

constexpr int kBusy = 26; // CUPTI_ERROR_HARDWARE_BUSY

} // namespace

Library& Library::get() {
  static Library library;
  return library;
}

Library::Library()
    : faults_("FAKE_CUPTI_FAIL",
              function_names(),
              {{"privileges", CUPTI_ERROR_INSUFFICIENT_PRIVILEGES},
               {"unsupported", CUPTI_ERROR_NOT_SUPPORTED},
               {"virtual", CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED},
               {"busy", kBusy}}),
      log_("FAKE_CUPTI_LOG") {}

CUptiResult Library::call(const char* name, const std::function<CUptiResult()>& body) {
  std::unique_lock lock(mutex_);
  log_.line(name);
  try {
    if (const auto planned = faults_.next(name)) {
      lock.unlock(); // only this thread hangs
      return static_cast<CUptiResult>(planned->carry_out());
    }
    return body();
  } catch (const std::exception& error) {
    fmt::print(stderr, "fake libcupti: {}: {}\n", name, error.what());
    return CUPTI_ERROR_UNKNOWN;
  }
}

} // namespace coulomb::fake::cupti

using coulomb::fake::cupti::Library;

CUptiResult cuptiGetVersion(uint32_t* version) {
  return Library::get().call("cuptiGetVersion", [&] {
    *version = CUPTI_API_VERSION;
    return CUPTI_SUCCESS;
  });
}

/// Not counted as a call: it asks for a text.
CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  static const struct {
    int result;
    const char* text;
  } kTexts[] = {
      {CUPTI_SUCCESS, "CUPTI_SUCCESS"},
      {CUPTI_ERROR_INVALID_PARAMETER, "CUPTI_ERROR_INVALID_PARAMETER"},
      {CUPTI_ERROR_INVALID_OPERATION, "CUPTI_ERROR_INVALID_OPERATION"},
      {CUPTI_ERROR_INVALID_METRIC_NAME, "CUPTI_ERROR_INVALID_METRIC_NAME"},
      {coulomb::fake::cupti::kBusy, "CUPTI_ERROR_HARDWARE_BUSY"},
      {CUPTI_ERROR_NOT_SUPPORTED, "CUPTI_ERROR_NOT_SUPPORTED"},
      {CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED,
       "CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED"},
      {CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"},
      {CUPTI_ERROR_UNKNOWN, "CUPTI_ERROR_UNKNOWN"},
  };
  for (const auto& known : kTexts) {
    if (known.result == result) {
      *text = known.text;
      return CUPTI_SUCCESS;
    }
  }
  return CUPTI_ERROR_INVALID_PARAMETER;
}
