// SPDX-License-Identifier: Apache-2.0
#ifdef COULOMB_HAS_RANGE_PROFILER

#include "hw/cupti/host_profiler.hpp"

namespace coulomb::hw {
namespace {

CUpti_MetricType type_of(MetricKind kind) {
  switch (kind) {
  case MetricKind::counter:
    return CUPTI_METRIC_TYPE_COUNTER;
  case MetricKind::ratio:
    return CUPTI_METRIC_TYPE_RATIO;
  case MetricKind::throughput:
    break;
  }
  return CUPTI_METRIC_TYPE_THROUGHPUT;
}

MetricKind kind_of(CUpti_MetricType type) {
  return type == CUPTI_METRIC_TYPE_COUNTER ? MetricKind::counter
         : type == CUPTI_METRIC_TYPE_RATIO ? MetricKind::ratio
                                           : MetricKind::throughput;
}

std::string text_of(const char* text) {
  return text == nullptr ? std::string{} : std::string{text};
}

} // namespace

std::vector<const char*> pointers_to(const std::vector<std::string>& names) {
  std::vector<const char*> out;
  for (const std::string& name : names) {
    out.push_back(name.c_str());
  }
  return out;
}

HostProfiler::HostProfiler(std::shared_ptr<const CuptiLibrary> library,
                           const std::string& chip,
                           const std::vector<std::uint8_t>& availability)
    : library_(std::move(library)), chip_(chip), availability_(availability) {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, p);
  p.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  p.pChipName = chip_.c_str();
  p.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
  library_->check(library_->cuptiProfilerHostInitialize(&p), "cuptiProfilerHostInitialize");
  object_ = p.pHostObject;
}

HostProfiler::~HostProfiler() {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, p);
  p.pHostObject = object_;
  library_->cuptiProfilerHostDeinitialize(&p);
}

std::vector<std::string> HostProfiler::base_metrics(MetricKind kind) const {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params, p);
  p.pHostObject = object_;
  p.metricType = type_of(kind);
  library_->check(library_->cuptiProfilerHostGetBaseMetrics(&p), "cuptiProfilerHostGetBaseMetrics");
  return {p.ppMetricNames, p.ppMetricNames + p.numMetrics};
}

std::vector<std::string> HostProfiler::rollups(const std::string& base, MetricKind kind) const {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_GetSubMetrics_Params, p);
  p.pHostObject = object_;
  p.metricType = type_of(kind);
  p.pMetricName = base.c_str();
  library_->check(library_->cuptiProfilerHostGetSubMetrics(&p), "cuptiProfilerHostGetSubMetrics");
  return {p.ppSubMetrics, p.ppSubMetrics + p.numOfSubmetrics};
}

bool HostProfiler::describe(const std::string& name, MetricCheck& out) const {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params, p);
  p.pHostObject = object_;
  p.pMetricName = name.c_str();
  const CUptiResult result = library_->cuptiProfilerHostGetMetricProperties(&p);
  if (result == CUPTI_ERROR_INVALID_METRIC_NAME || result == CUPTI_ERROR_INVALID_PARAMETER) {
    return false;
  }
  library_->check(result, "cuptiProfilerHostGetMetricProperties");
  out.description = text_of(p.pDescription);
  out.hw_unit = text_of(p.pHwUnit);
  out.unit = text_of(p.pDimUnit);
  out.kind = kind_of(p.metricType);
  return true;
}

bool HostProfiler::add(const std::vector<std::string>& names) {
  std::vector<const char*> pointers = pointers_to(names);
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, p);
  p.pHostObject = object_;
  p.ppMetricNames = pointers.data();
  p.numMetrics = pointers.size();
  const CUptiResult result = library_->cuptiProfilerHostConfigAddMetrics(&p);
  // An unknown name is INVALID_METRIC_NAME by the header and INVALID_PARAMETER in CUDA 13.0;
  // metrics that do not go together are NOT_SUPPORTED.
  if (result == CUPTI_ERROR_INVALID_METRIC_NAME || result == CUPTI_ERROR_INVALID_PARAMETER ||
      result == CUPTI_ERROR_NOT_SUPPORTED) {
    return false;
  }
  library_->check(result, "cuptiProfilerHostConfigAddMetrics");
  return true;
}

std::vector<std::uint8_t> HostProfiler::config_image() const {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, s);
  s.pHostObject = object_;
  library_->check(library_->cuptiProfilerHostGetConfigImageSize(&s),
                  "cuptiProfilerHostGetConfigImageSize");
  std::vector<std::uint8_t> image(s.configImageSize);
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, p);
  p.pHostObject = object_;
  p.configImageSize = image.size();
  p.pConfigImage = image.data();
  library_->check(library_->cuptiProfilerHostGetConfigImage(&p), "cuptiProfilerHostGetConfigImage");
  return image;
}

std::size_t HostProfiler::passes(std::vector<std::uint8_t>& config_image) const {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, p);
  p.configImageSize = config_image.size();
  p.pConfigImage = config_image.data();
  library_->check(library_->cuptiProfilerHostGetNumOfPasses(&p), "cuptiProfilerHostGetNumOfPasses");
  return p.numOfPasses;
}

std::vector<double> HostProfiler::evaluate(const std::vector<std::uint8_t>& counter_data,
                                           std::size_t range,
                                           const std::vector<std::string>& names) const {
  std::vector<const char*> pointers = pointers_to(names);
  std::vector<double> values(names.size());
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, p);
  p.pHostObject = object_;
  p.pCounterDataImage = counter_data.data();
  p.counterDataImageSize = counter_data.size();
  p.rangeIndex = range;
  p.ppMetricNames = pointers.data();
  p.numMetrics = pointers.size();
  p.pMetricValues = values.data();
  library_->check(library_->cuptiProfilerHostEvaluateToGpuValues(&p),
                  "cuptiProfilerHostEvaluateToGpuValues");
  return values;
}

} // namespace coulomb::hw

#endif
