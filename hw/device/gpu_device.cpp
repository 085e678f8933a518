// SPDX-License-Identifier: Apache-2.0
#include "hw/device/gpu_device.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "hw/device/worker_reply.hpp"
#include "hw/toolchain/machine_code.hpp"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::hw {
namespace {

constexpr double kCompileDeadline = 180.0;
/// To load the driver and make a context; on large machines without persistence mode some seconds.
constexpr double kStartDeadline = 60.0;
/// For buffers, warm-up and the oracle, which takes seconds for large problems.
constexpr double kCheckDeadline = 120.0;
/// For each metric: at most about one replay, with its buffers restored.
constexpr double kSecondsPerMetric = 2.0;
constexpr const char* kEmptySource = "kernels/probes/empty.cu";

eval::MeasureOutcome failed(eval::EvalStatus status, const std::string& message) {
  eval::MeasureOutcome outcome;
  outcome.status = status;
  outcome.message = message;
  return outcome;
}

/// The simulator runs machine code of these architectures only.
bool simulated(const DeviceInfo& info) {
  return info.major == 8 && (info.minor == 0 || info.minor == 6);
}

/// The kernel of a cubin that a user's name means; empty: its only one. Throws UserError.
std::string symbol_of(const std::string& cubin_path, const std::string& name) {
  const auto symbols = toolchain::kernel_symbols(read_file(cubin_path));
  const std::string found =
      name.empty() && symbols.size() == 1 ? symbols.front() : toolchain::find_symbol(symbols, name);
  if (found.empty()) {
    throw UserError(name.empty() ? fmt::format("{} has {} kernels", cubin_path, symbols.size())
                                 : fmt::format("{} has no kernel {}{}", cubin_path, name,
                                               did_you_mean(name, symbols)),
                    fmt::format("name one of: {}", fmt::join(symbols, ", ")));
  }
  return found;
}

} // namespace

GpuDevice::GpuDevice(std::uint32_t ordinal,
                     MeasureOptions options,
                     const std::string& worker_dir,
                     const std::atomic<bool>* stop)
    : ordinal_(ordinal), options_(std::move(options)),
      compiler_(worker_dir + "/coulomb-compile-worker", stop),
      worker_(worker_dir + "/coulomb-device-worker", stop) {
  const auto reply = read_reply(worker_.ask(query("info"), kStartDeadline), "the device worker");
  const eval::JsonFields fields(reply, "device");
  device_count_ = fields.u32("devices");
  info_ = device_info_from_json(fields.object("device"));
}

std::string GpuDevice::address() const {
  return fmt::format("device:{}", ordinal_);
}

std::string GpuDevice::query(const std::string& what) const {
  return eval::dump_line({{"query", what}, {"device", ordinal_}});
}

std::vector<DoctorCheck> GpuDevice::examine() {
  const auto reply = read_reply(worker_.ask(query("doctor"), kStartDeadline), "the device worker");
  std::vector<DoctorCheck> checks;
  for (const auto& check : eval::JsonFields(reply, "device").array("checks")) {
    checks.push_back(doctor_check_from_json(eval::JsonFields(check, "check")));
  }
  checks.push_back(check_counters());
  return checks;
}

double GpuDevice::deadline_s() const {
  if (options_.deadline_s > 0.0) {
    return options_.deadline_s;
  }
  return kStartDeadline + kCheckDeadline + 2.0 * options_.sampling.time_limit_s +
         2.0 * options_.power_s + kSecondsPerMetric * static_cast<double>(options_.metrics.size());
}

eval::CompileOutcome GpuDevice::compile(const eval::CompileRequest& request) {
  const auto answer = compiler_.ask(eval::to_json_text(request), kCompileDeadline);
  eval::CompileOutcome outcome;
  switch (answer.end) {
  case WorkerClient::End::answered:
    outcome = eval::compile_outcome_from_json(answer.text);
    eval::throw_if_error(outcome);
    return outcome;
  case WorkerClient::End::timed_out:
    outcome.status = eval::EvalStatus::compile_timeout;
    outcome.message = fmt::format("the compiler took longer than {:.0f} s", kCompileDeadline);
    return outcome;
  case WorkerClient::End::died:
    outcome.status = eval::EvalStatus::crashed;
    outcome.message = "compile worker " + answer.detail;
    return outcome;
  case WorkerClient::End::stopped:
    break;
  }
  throw EnvironmentError("stopped");
}

/// Compiled once; where that fails, launches of nothing are not timed.
std::string GpuDevice::empty_kernel() {
  if (!empty_compiled_) {
    empty_compiled_ = true;
    eval::CompileRequest request;
    request.source_path = home_dir() + "/" + kEmptySource;
    request.kernel_name = eval::kEmptyKernel;
    request.architecture = info_.architecture();
    const auto outcome = compile(request);
    empty_cubin_ = outcome.status == eval::EvalStatus::ok ? outcome.cubin_path : "";
  }
  return empty_cubin_;
}

eval::MeasureOutcome GpuDevice::measure(const kernel::TunableSpec& spec,
                                        const kernel::Configuration& configuration) {
  if (const auto violated = spec.violated_restriction(configuration)) {
    return failed(eval::EvalStatus::restricted, "violates: " + *violated);
  }
  eval::MeasureRequest request;
  request.id = next_id_++;
  request.device = ordinal_;
  request.launch = spec.launch(configuration);
  if (spec.cubin_path.empty()) {
    const auto compiled = compile(eval::compile_request(spec, configuration, info_.architecture()));
    if (compiled.status != eval::EvalStatus::ok) {
      return failed(compiled.status, compiled.message);
    }
    request.cubin_path = compiled.cubin_path;
    request.kernel_name = compiled.entry_name;
  } else {
    request.cubin_path = spec.cubin_path;
    request.kernel_name = symbol_of(spec.cubin_path, spec.kernel_name);
  }
  if (options_.check_output) {
    request.oracle = spec.oracle;
    request.oracle_parameters = eval::oracle_parameters(spec, configuration);
    request.expected = options_.expected;
  }
  request.sampling = options_.sampling;
  request.cache_state = options_.cache_state;
  request.metrics = options_.metrics;
  request.power_s = options_.power_s;
  request.power_window_ms = options_.power_window_ms;
  request.empty_cubin_path = empty_kernel();
  auto outcome = ask(request);
  if (spec.cubin_path.empty() && !simulated(info_)) {
    outcome.notes.push_back(
        fmt::format("compiled for {}: not the machine code that is simulated (sm_80, sm_86)",
                    info_.architecture()));
  }
  return outcome;
}

eval::MeasureOutcome GpuDevice::ask(const eval::MeasureRequest& request) {
  const std::string frame = eval::dump_line(
      {{"query", "measure"}, {"device", ordinal_}, {"request", eval::to_json_text(request)}});
  const auto answer = worker_.ask(frame, deadline_s());
  switch (answer.end) {
  case WorkerClient::End::answered: {
    const auto reply = read_reply(answer, "the device worker"); // throws what the worker threw
    auto outcome = eval::measure_outcome_from_json(eval::JsonFields(reply, "measurement"));
    if (outcome.context_lost) {
      worker_.restart();
      probe_health(outcome.message);
    }
    if (!outcome.error_kind.empty()) {
      throw EnvironmentError(outcome.message, outcome.error_hint);
    }
    return outcome;
  }
  case WorkerClient::End::timed_out: {
    const std::string late = fmt::format("not finished after {:.0f} s", deadline_s());
    if (!request.metrics.empty()) {
      return ask_without_counters(request, late);
    }
    const auto outcome = failed(eval::EvalStatus::timeout, late + ": the kernel hangs");
    probe_health(outcome.message);
    return outcome;
  }
  case WorkerClient::End::died: {
    if (!request.metrics.empty()) {
      return ask_without_counters(request, answer.detail);
    }
    const auto outcome = failed(eval::EvalStatus::crashed, "device worker " + answer.detail);
    probe_health(outcome.message);
    return outcome;
  }
  case WorkerClient::End::stopped:
    break;
  }
  throw EnvironmentError("stopped");
}

eval::MeasureOutcome GpuDevice::ask_without_counters(eval::MeasureRequest request,
                                                     const std::string& death) {
  request.metrics.clear();
  auto outcome = ask(request);
  if (outcome.status == eval::EvalStatus::ok) {
    outcome.notes.push_back(fmt::format(
        "no counters: with CUPTI the worker did not come to an end ({}); times are of a "
        "second try",
        death));
  }
  return outcome;
}

DoctorCheck GpuDevice::check_counters() {
  DoctorCheck check{DoctorCheck::State::warn, "performance counters", "", ""};
  eval::MeasureRequest request;
  request.device = ordinal_;
  request.cubin_path = empty_kernel();
  if (request.cubin_path.empty()) {
    check.finding = "not tried: there is no compiler for a kernel to try them with";
    return check;
  }
  request.kernel_name = eval::kEmptyKernel;
  request.metrics = {"sm__cycles_elapsed.max"};
  const auto outcome = ask(request);
  if (!outcome.counters.empty()) {
    return {DoctorCheck::State::ok, check.subject, "CUPTI reads them", ""};
  }
  check.finding = outcome.notes.empty() ? outcome.message : outcome.notes.back();
  check.fix = "without them times are measured all the same";
  return check;
}

void GpuDevice::probe_health(const std::string& after) {
  const std::string lost =
      fmt::format("device {} ({}) is not usable after: {}", ordinal_, info_.name, after);
  std::string problem;
  try {
    const auto reply =
        read_reply(worker_.ask(query("health"), kStartDeadline), "the device worker");
    problem = eval::JsonFields(reply, "health").text("problem");
  } catch (const EnvironmentError& e) {
    throw EnvironmentError(fmt::format("{}; {}", lost, e.what()), e.hint());
  }
  if (!problem.empty()) {
    throw EnvironmentError(fmt::format("{}; {}", lost, problem),
                           "see \"nvidia-smi\"; the GPU may need a reset");
  }
}

} // namespace coulomb::hw
