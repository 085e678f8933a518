// SPDX-License-Identifier: Apache-2.0
#include "hw/device/measurer.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "hw/device/device_problem.hpp"
#include "hw/device/output_sample.hpp"
#include "hw/nvml/state_recorder.hpp"

#include <algorithm>
#include <chrono>

namespace coulomb::hw {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Overwriting twice its size leaves nothing else in L2, whatever its replacement.
constexpr std::uint64_t kFlushFactor = 2;
/// Launches in a row between two looks at the clock while power is measured.
constexpr std::uint32_t kPowerBatch = 16;
constexpr std::uint32_t kEmptyLaunches = 51;
constexpr std::uint64_t kHealthBytes = 1U << 20;

/// Launches one kernel and times it, from the cache state that is asked for.
class TimedLaunch {
public:
  TimedLaunch(const Driver& driver, const DeviceProblem& problem, std::uint64_t flush_bytes)
      : driver_(driver), problem_(problem), stopwatch_(driver), flush_(driver, flush_bytes) {}

  double operator()() const {
    if (flush_.bytes() > 0) {
      driver_.check(driver_.api().fill(flush_.address(), 0, flush_.bytes()), "cuMemsetD8");
    }
    stopwatch_.start();
    problem_.launch();
    return stopwatch_.stop();
  }

private:
  const Driver& driver_;
  const DeviceProblem& problem_;
  Stopwatch stopwatch_;
  DeviceBuffer flush_;
};

void take_samples(const eval::SamplingRule& rule,
                  const TimedLaunch& launch,
                  eval::MeasureOutcome& outcome) {
  const auto begin = Clock::now();
  for (std::uint32_t i = 0; i < rule.warm_up && seconds_since(begin) < rule.time_limit_s; ++i) {
    static_cast<void>(launch());
  }
  auto& samples = outcome.samples_ms;
  while (true) {
    samples.push_back(launch());
    if (samples.size() >= rule.max_samples) {
      outcome.stopped_by = "samples";
      return;
    }
    if (samples.size() >= rule.min_samples &&
        eval::sample_statistics(samples).noise <= rule.noise_target) {
      outcome.stopped_by = "noise";
      return;
    }
    if (seconds_since(begin) >= rule.time_limit_s) {
      outcome.stopped_by = "time";
      return;
    }
  }
}

/// Back-to-back launches for power_s seconds and at least three windows of the sensor.
void measure_power(const eval::MeasureRequest& request,
                   const DeviceProblem& problem,
                   const Context& context,
                   const Nvml* nvml,
                   eval::MeasureOutcome& outcome) {
  const double length = std::max(request.power_s, 3e-3 * request.power_window_ms);
  StateRecorder recorder(nvml);
  const auto begin = Clock::now();
  std::uint64_t launches = 0;
  while (seconds_since(begin) < length) {
    for (std::uint32_t i = 0; i < kPowerBatch; ++i) {
      problem.launch();
    }
    launches += kPowerBatch;
    context.synchronize();
  }
  const double seconds = seconds_since(begin);
  recorder.finish();
  outcome.power = recorder.power(request.power_window_ms);
  outcome.power.window_ms = request.power_window_ms;
  outcome.power.joules = outcome.power.watts * seconds / static_cast<double>(launches);
  if (outcome.power.readings == 0) {
    outcome.notes.emplace_back("power: the board's sensor cannot be read");
  }
}

int function_attribute(const Driver& driver, abi::Function function, int which) {
  int value = 0;
  driver.check(driver.api().function_attribute(&value, which, function), "cuFuncGetAttribute");
  return value;
}

void describe_kernel(const Driver& driver,
                     const eval::MeasureRequest& request,
                     const DeviceProblem& problem,
                     eval::MeasureOutcome& outcome) {
  const auto attribute = [&](int which) {
    return static_cast<std::uint32_t>(function_attribute(driver, problem.function(), which));
  };
  outcome.registers = attribute(abi::kFunctionRegisters);
  outcome.static_shared_bytes = attribute(abi::kFunctionSharedBytes);
  outcome.spill_bytes = attribute(abi::kFunctionLocalBytes);
  outcome.dynamic_shared_bytes = request.launch.dynamic_shared_bytes;
  int ctas = 0;
  driver.check(driver.api().occupancy(&ctas, problem.function(),
                                      static_cast<int>(request.launch.block.volume()),
                                      request.launch.dynamic_shared_bytes),
               "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  outcome.ctas_per_sm = static_cast<std::uint32_t>(ctas);
}

} // namespace

Measurer::Measurer(std::uint32_t device)
    : info_(driver_.info(device)), context_(driver_, device),
      nvml_(Nvml::open(info_.pci_bus_id, no_nvml_)) {
  if (nvml_) {
    info_.driver_version = nvml_->driver_version();
  }
}

eval::MeasureOutcome Measurer::measure(const eval::MeasureRequest& request) {
  const auto begin = Clock::now();
  eval::MeasureOutcome outcome;
  outcome.id = request.id;
  try {
    measure_into(request, outcome);
  } catch (const CudaFailure& failure) {
    const CudaFate fate = fate_of(failure.code());
    outcome.status = fate.status;
    outcome.message = failure.what();
    outcome.context_lost = fate.sticky;
    outcome.error_hint = fate.hint;
    outcome.error_kind = fate.device ? "environment" : "";
  }
  outcome.wall_s = seconds_since(begin);
  return outcome;
}

void Measurer::measure_into(const eval::MeasureRequest& request, eval::MeasureOutcome& outcome) {
  const DeviceProblem problem(driver_, request, read_file(request.cubin_path));
  describe_kernel(driver_, request, problem, outcome);
  const TimedLaunch launch(driver_, problem,
                           request.cache_state == "cold" ? kFlushFactor * info_.l2_bytes : 0);
  outcome.first_ms = launch();
  context_.synchronize();
  outcome.output_check = check_outputs(request, problem);
  if (outcome.output_check.checked && !outcome.output_check.passed) {
    outcome.status = eval::EvalStatus::wrong_result;
    outcome.message = outcome.output_check.first_difference;
    return;
  }
  StateRecorder recorder(nvml());
  if (nvml() == nullptr) {
    outcome.notes.push_back("clocks, temperature and power are not known: " + no_nvml_);
  }
  take_samples(request.sampling, launch, outcome);
  recorder.finish();
  outcome.state = recorder.state();
  if (nvml() != nullptr && outcome.state.sm_clock_mhz == 0.0) {
    outcome.notes.emplace_back("the SM clock is not known: NVML did not answer");
  }
  if (!outcome.state.throttle_reasons.empty()) {
    outcome.notes.push_back(fmt::format("the board throttled while it was measured: {}",
                                        fmt::join(outcome.state.throttle_reasons, ", ")));
  }
  time_empty_launch(request, outcome);
  if (request.power_s > 0.0) {
    measure_power(request, problem, context_, nvml(), outcome);
  }
  counters_.collect(request, problem, outcome);
  outcome.status = eval::EvalStatus::ok;
}

void Measurer::time_empty_launch(const eval::MeasureRequest& request,
                                 eval::MeasureOutcome& outcome) {
  if (request.empty_cubin_path.empty()) {
    return;
  }
  eval::MeasureRequest empty;
  empty.kernel_name = eval::kEmptyKernel;
  const DeviceProblem problem(driver_, empty, read_file(request.empty_cubin_path));
  const TimedLaunch launch(driver_, problem, 0);
  std::vector<double> samples;
  for (std::uint32_t i = 0; i < kEmptyLaunches; ++i) {
    samples.push_back(launch());
  }
  outcome.empty_launch_ms = eval::sample_statistics(std::move(samples)).median;
}

std::string Measurer::health_problem() {
  try {
    constexpr std::uint8_t kPattern = 0xA5;
    const DeviceBuffer buffer(driver_, kHealthBytes);
    driver_.check(driver_.api().fill(buffer.address(), kPattern, kHealthBytes), "cuMemsetD8");
    std::vector<std::uint8_t> bytes(kHealthBytes);
    driver_.check(driver_.api().to_host(bytes.data(), buffer.address(), kHealthBytes),
                  "cuMemcpyDtoH");
    context_.synchronize();
    const bool right =
        std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == kPattern; });
    return right ? "" : "device memory does not hold what was written";
  } catch (const CudaFailure& failure) {
    return failure.what();
  }
}

} // namespace coulomb::hw
