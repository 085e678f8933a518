// SPDX-License-Identifier: Apache-2.0
#ifdef COULOMB_HAS_RANGE_PROFILER

#include "hw/cupti/counter_collector.hpp"

#include "hw/cupti/host_profiler.hpp"
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

/// How a list of metrics is collected on one chip.
struct Plan {
  std::vector<std::string> asked;
  std::vector<std::string> known;
  std::vector<std::string> unknown;
  std::unique_ptr<HostProfiler> host; ///< holds `known`
  std::vector<std::uint8_t> config;
  std::size_t passes = 0;
};

} // namespace

struct CounterCollector::Parts {
  Parts(std::uint32_t device, void* in_context, const CuptiPaths& paths)
      : library(std::make_shared<const CuptiLibrary>(paths)), scope(library), context(in_context) {
    require_support(*library, device);
    chip = chip_of(*library, device);
    availability = availability_of(*library, context);
  }

  [[nodiscard]] std::unique_ptr<HostProfiler> host() const {
    return std::make_unique<HostProfiler>(library, chip, availability);
  }

  const Plan& plan_for(const std::vector<std::string>& metrics);

  std::shared_ptr<const CuptiLibrary> library;
  ProfilerScope scope;
  void* context;
  std::string chip;
  std::vector<std::uint8_t> availability;
  std::optional<Plan> plan;
};

const Plan& CounterCollector::Parts::plan_for(const std::vector<std::string>& metrics) {
  if (plan && plan->asked == metrics) {
    return *plan;
  }
  plan.reset();
  Plan fresh;
  fresh.asked = metrics;
  fresh.host = host();
  if (!metrics.empty() && fresh.host->add(metrics)) {
    fresh.known = metrics;
  } else {
    for (const std::string& name : metrics) {
      (host()->add({name}) ? fresh.known : fresh.unknown).push_back(name);
    }
    fresh.host = host();
    if (fresh.known.empty() || !fresh.host->add(fresh.known)) {
      throw CounterProblem(
          CounterObstacle::unknown_metrics,
          fmt::format("{} has none of the metrics asked for: {}", chip, fmt::join(metrics, ", ")),
          "coulomb hw metrics NAME... --chip " + chip + " tells what was probably meant");
    }
  }
  fresh.config = fresh.host->config_image();
  fresh.passes = fresh.host->passes(fresh.config);
  return plan.emplace(std::move(fresh));
}

CounterCollector::CounterCollector(std::uint32_t device, void* context, const CuptiPaths& paths)
    : parts_(std::make_unique<Parts>(device, context, paths)) {}
CounterCollector::~CounterCollector() = default;

const std::string& CounterCollector::chip() const {
  return parts_->chip;
}

CounterReadings CounterCollector::collect(const std::vector<std::string>& metrics,
                                          const KernelReplay& replay) {
  const Plan& plan = parts_->plan_for(metrics);
  RangeSession session(parts_->library, parts_->context);
  session.configure(plan.config, plan.known);
  CounterReadings readings;
  readings.chip = parts_->chip;
  readings.unknown = plan.unknown;
  bool complete = false;
  while (!complete) {
    // CUPTI says when it has enough. A bound all the same: a kernel is not replayed for ever.
    if (readings.passes > plan.passes + 1) {
      throw CounterProblem(
          CounterObstacle::failed,
          fmt::format("CUPTI asked for more than the {} passes that it planned", plan.passes),
          "ask for fewer metrics at a time");
    }
    replay.restore();
    complete = session.pass(replay.launch);
    ++readings.passes;
  }
  session.decode();
  const std::vector<double> values = plan.host->evaluate(session.counter_data(), 0, plan.known);
  for (std::size_t i = 0; i < plan.known.size(); ++i) {
    readings.values[plan.known[i]] = values[i];
  }
  return readings;
}

} // namespace coulomb::hw

#endif
