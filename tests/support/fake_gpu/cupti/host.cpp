// SPDX-License-Identifier: Apache-2.0
//
// The part of CUPTI that works without a GPU: metrics of a chip, and what collecting them takes.
#include "tests/support/fake_gpu/cupti/images.hpp"
#include "tests/support/fake_gpu/cupti/library.hpp"
#include "tests/support/fake_gpu/cupti/metrics.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

/// What a handle points at: the interface leaves the type open.
struct CUpti_Profiler_Host_Object {
  std::string chip;
  std::vector<std::string> metrics; ///< added so far
  std::vector<const char*> names;   ///< last list that was given out
};

namespace {

using namespace coulomb::fake::cupti;

std::vector<std::unique_ptr<CUpti_Profiler_Host_Object>>& objects() {
  static std::vector<std::unique_ptr<CUpti_Profiler_Host_Object>> owned;
  return owned;
}

bool is_object(const CUpti_Profiler_Host_Object* object) {
  return std::any_of(objects().begin(), objects().end(),
                     [object](const auto& one) { return one.get() == object; });
}

} // namespace

CUptiResult cuptiProfilerHostGetSupportedChips(CUpti_Profiler_Host_GetSupportedChips_Params* p) {
  return Library::get().call("cuptiProfilerHostGetSupportedChips", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_GetSupportedChips_Params, p)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    p->numChips = chips().size();
    p->ppChipNames = chips().data();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params* p) {
  return Library::get().call("cuptiProfilerHostInitialize", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_Initialize_Params, p) ||
        p->pChipName == nullptr ||
        std::none_of(chips().begin(), chips().end(),
                     [p](const char* chip) { return std::strcmp(chip, p->pChipName) == 0; })) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    objects().push_back(std::make_unique<CUpti_Profiler_Host_Object>());
    objects().back()->chip = p->pChipName;
    p->pHostObject = objects().back().get();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params* p) {
  return Library::get().call("cuptiProfilerHostDeinitialize", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_Deinitialize_Params, p) ||
        !is_object(p->pHostObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    std::erase_if(objects(), [p](const auto& one) { return one.get() == p->pHostObject; });
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerHostGetBaseMetrics(CUpti_Profiler_Host_GetBaseMetrics_Params* p) {
  return Library::get().call("cuptiProfilerHostGetBaseMetrics", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_GetBaseMetrics_Params, p) ||
        !is_object(p->pHostObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    auto& names = p->pHostObject->names;
    names.clear();
    for (const BaseMetric& metric : base_metrics()) {
      if (metric.kind == p->metricType && is_metric(metric.name, false)) {
        names.push_back(metric.name);
      }
    }
    p->ppMetricNames = names.data();
    p->numMetrics = names.size();
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerHostGetSubMetrics(CUpti_Profiler_Host_GetSubMetrics_Params* p) {
  return Library::get().call("cuptiProfilerHostGetSubMetrics", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_GetSubMetrics_Params, p) ||
        !is_object(p->pHostObject) || p->pMetricName == nullptr ||
        base_of(p->pMetricName).kind != p->metricType) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    auto& names = p->pHostObject->names;
    names = rollups(p->metricType);
    p->ppSubMetrics = names.data();
    p->numOfSubmetrics = names.size();
    return CUPTI_SUCCESS;
  });
}

CUptiResult
cuptiProfilerHostGetMetricProperties(CUpti_Profiler_Host_GetMetricProperties_Params* p) {
  return Library::get().call("cuptiProfilerHostGetMetricProperties", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_GetMetricProperties_Params, p) ||
        !is_object(p->pHostObject) || p->pMetricName == nullptr) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    if (!is_metric(p->pMetricName, false)) {
      return CUPTI_ERROR_INVALID_METRIC_NAME;
    }
    const BaseMetric& metric = base_of(p->pMetricName);
    p->pDescription = metric.description;
    p->pHwUnit = metric.hardware;
    p->pDimUnit = metric.unit;
    p->metricType = static_cast<CUpti_MetricType>(metric.kind);
    return CUPTI_SUCCESS;
  });
}

/// An unknown name is answered with INVALID_PARAMETER, as CUDA 13.0 does against its header.
CUptiResult cuptiProfilerHostConfigAddMetrics(CUpti_Profiler_Host_ConfigAddMetrics_Params* p) {
  return Library::get().call("cuptiProfilerHostConfigAddMetrics", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_ConfigAddMetrics_Params, p) ||
        !is_object(p->pHostObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    for (std::size_t i = 0; i < p->numMetrics; ++i) {
      if (!is_metric(p->ppMetricNames[i], true)) {
        return CUPTI_ERROR_INVALID_PARAMETER;
      }
      p->pHostObject->metrics.emplace_back(p->ppMetricNames[i]);
    }
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* p) {
  return Library::get().call("cuptiProfilerHostGetConfigImageSize", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_GetConfigImageSize_Params, p) ||
        !is_object(p->pHostObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    p->configImageSize = sizeof(ConfigImage);
    return CUPTI_SUCCESS;
  });
}

CUptiResult cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params* p) {
  return Library::get().call("cuptiProfilerHostGetConfigImage", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_GetConfigImage_Params, p) ||
        !is_object(p->pHostObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    ConfigImage image;
    image.passes = passes();
    image.metrics = p->pHostObject->metrics.size();
    return write_image(image, p->pConfigImage, p->configImageSize) ? CUPTI_SUCCESS
                                                                   : CUPTI_ERROR_INVALID_PARAMETER;
  });
}

CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* p) {
  return Library::get().call("cuptiProfilerHostGetNumOfPasses", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_GetNumOfPasses_Params, p)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    const auto config = read_image<ConfigImage>(p->pConfigImage, p->configImageSize);
    if (!config) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    p->numOfPasses = config->passes;
    return CUPTI_SUCCESS;
  });
}

CUptiResult
cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* p) {
  return Library::get().call("cuptiProfilerHostEvaluateToGpuValues", [&] {
    if (!FAKE_CUPTI_PARAMS_OK(CUpti_Profiler_Host_EvaluateToGpuValues_Params, p) ||
        !is_object(p->pHostObject)) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    const auto data = read_image<CounterImage>(p->pCounterDataImage, p->counterDataImageSize);
    if (!data || p->rangeIndex >= data->ranges) {
      return CUPTI_ERROR_INVALID_PARAMETER;
    }
    const auto& planned = p->pHostObject->metrics;
    for (std::size_t i = 0; i < p->numMetrics; ++i) {
      const std::string name = p->ppMetricNames[i];
      if (std::find(planned.begin(), planned.end(), name) == planned.end()) {
        return CUPTI_ERROR_INVALID_METRIC_NAME;
      }
      p->pMetricValues[i] = value_of(name, data->work);
    }
    return CUPTI_SUCCESS;
  });
}
