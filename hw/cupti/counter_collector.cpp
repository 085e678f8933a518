// SPDX-License-Identifier: Apache-2.0
#ifdef COULOMB_HAS_RANGE_PROFILER

#include "hw/cupti/counter_collector.hpp"

#include "hw/cupti/metric_plan.hpp"
#include "hw/cupti/range_session.hpp"

#include <fmt/ranges.h>
#include <optional>

namespace coulomb::hw {
namespace {

/// cuptiProfilerInitialize and its end.
class ProfilerScope {
public:
  explicit ProfilerScope(std::shared_ptr<const CuptiLibrary> library)
      : library_(std::move(library)) {
    COULOMB_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, p);
    library_->check(library_->cuptiProfilerInitialize(&p), "cuptiProfilerInitialize");
  }
  ProfilerScope(const ProfilerScope&) = delete;
  ProfilerScope& operator=(const ProfilerScope&) = delete;
  ~ProfilerScope() {
    COULOMB_CUPTI_PARAMS(CUpti_Profiler_DeInitialize_Params, p);
    library_->cuptiProfilerDeInitialize(&p);
  }

private:
  std::shared_ptr<const CuptiLibrary> library_;
};

struct SupportFlag {
  CUpti_Profiler_Support_Level CUpti_Profiler_DeviceSupported_Params::*level;
  CounterObstacle obstacle;
  const char* reason;
};

constexpr SupportFlag kSupportFlags[] = {
    {&CUpti_Profiler_DeviceSupported_Params::architecture, CounterObstacle::unsupported_chip,
     "its architecture is too old for the range profiler"},
    {&CUpti_Profiler_DeviceSupported_Params::sli, CounterObstacle::unsupported_chip,
     "it is part of an SLI group"},
    {&CUpti_Profiler_DeviceSupported_Params::vGpu, CounterObstacle::virtualised,
     "it is a virtual GPU for which the host has not enabled profiling"},
    {&CUpti_Profiler_DeviceSupported_Params::confidentialCompute, CounterObstacle::virtualised,
     "confidential computing is on"},
    {&CUpti_Profiler_DeviceSupported_Params::cmp, CounterObstacle::unsupported_chip,
     "it is a mining processor (CMP)"},
    {&CUpti_Profiler_DeviceSupported_Params::wsl, CounterObstacle::virtualised,
     "this driver does not profile under WSL"},
};

void require_support(const CuptiLibrary& library, std::uint32_t device) {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_DeviceSupported_Params, p);
  p.cuDevice = static_cast<CUdevice>(device); // the driver's handle of a device is its ordinal
  p.api = CUPTI_PROFILER_RANGE_PROFILING;
  library.check(library.cuptiProfilerDeviceSupported(&p), "cuptiProfilerDeviceSupported");
  if (p.isSupported == CUPTI_PROFILER_CONFIGURATION_SUPPORTED) {
    return;
  }
  for (const SupportFlag& flag : kSupportFlags) {
    const CUpti_Profiler_Support_Level level = p.*flag.level;
    if (level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
        level == CUPTI_PROFILER_CONFIGURATION_DISABLED) {
      throw CounterProblem(
          flag.obstacle, fmt::format("device {} cannot be profiled: {}", device, flag.reason),
          "times are measured without counters; for counters use a GPU of compute capability 7.5 "
          "or newer that is passed through whole");
    }
  }
  // UNKNOWN: CUPTI could not tell; enabling it will.
}

std::string chip_of(const CuptiLibrary& library, std::uint32_t device) {
  COULOMB_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, p);
  p.deviceIndex = device;
  library.check(library.cuptiDeviceGetChipName(&p), "cuptiDeviceGetChipName");
  return p.pChipName == nullptr ? std::string{} : std::string{p.pChipName};
}

std::vector<std::uint8_t> availability_of(const CuptiLibrary& library, void* context) {
  COULOMB_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params, p);
  p.ctx = static_cast<CUcontext>(context);
  library.check(library.cuptiProfilerGetCounterAvailability(&p),
                "cuptiProfilerGetCounterAvailability");
  std::vector<std::uint8_t> image(p.counterAvailabilityImageSize);
  p.pCounterAvailabilityImage = image.data();
  library.check(library.cuptiProfilerGetCounterAvailability(&p),
                "cuptiProfilerGetCounterAvailability");
  image.resize(p.counterAvailabilityImageSize);
  return image;
}

} // namespace

struct CounterCollector::Parts {
  Parts(std::uint32_t device, void* in_context, const CuptiPaths& paths)
      : library(std::make_shared<const CuptiLibrary>(paths)), scope(library), context(in_context) {
    require_support(*library, device);
    chip = chip_of(*library, device);
    availability = availability_of(*library, context);
  }

  const MetricPlan& plan_for(const std::vector<std::string>& metrics);
  void collect(const MetricGroup& group, const KernelReplay& replay, CounterReadings& readings);

  std::shared_ptr<const CuptiLibrary> library;
  ProfilerScope scope;
  void* context;
  std::string chip;
  std::vector<std::uint8_t> availability;
  std::vector<std::string> asked; ///< what `plan` is for
  std::optional<MetricPlan> plan;
};

const MetricPlan& CounterCollector::Parts::plan_for(const std::vector<std::string>& metrics) {
  if (!plan || asked != metrics) {
    plan.reset();
    plan = plan_metrics(library, chip, availability, metrics);
    asked = metrics;
  }
  if (plan->groups.empty()) {
    throw CounterProblem(
        CounterObstacle::unknown_metrics,
        fmt::format("{} has none of the metrics asked for: {}", chip, fmt::join(metrics, ", ")),
        "coulomb hw metrics NAME... --chip " + chip + " tells what was probably meant");
  }
  return *plan;
}

void CounterCollector::Parts::collect(const MetricGroup& group,
                                      const KernelReplay& replay,
                                      CounterReadings& readings) {
  RangeSession session(library, context);
  session.configure(group.config, group.names);
  bool complete = false;
  for (std::size_t pass = 0; !complete; ++pass) {
    // CUPTI says when it has enough. A bound all the same: a kernel is not replayed for ever.
    if (pass > group.passes) {
      throw CounterProblem(
          CounterObstacle::failed,
          fmt::format("CUPTI asked for more than the {} passes that it planned", group.passes),
          "ask for fewer metrics at a time");
    }
    replay.restore();
    complete = session.pass(replay.launch);
    ++readings.passes;
  }
  session.decode();
  const std::vector<double> values = group.host->evaluate(session.counter_data(), 0, group.names);
  for (std::size_t i = 0; i < group.names.size(); ++i) {
    readings.values[group.names[i]] = values[i];
  }
}

CounterCollector::CounterCollector(std::uint32_t device, void* context, const CuptiPaths& paths)
    : parts_(std::make_unique<Parts>(device, context, paths)) {}
CounterCollector::~CounterCollector() = default;

const std::string& CounterCollector::chip() const {
  return parts_->chip;
}

CounterReadings CounterCollector::collect(const std::vector<std::string>& metrics,
                                          const KernelReplay& replay) {
  const MetricPlan& plan = parts_->plan_for(metrics);
  CounterReadings readings;
  readings.chip = parts_->chip;
  readings.unknown = plan.unknown;
  for (const MetricGroup& group : plan.groups) {
    parts_->collect(group, replay, readings);
  }
  return readings;
}

} // namespace coulomb::hw

#endif
