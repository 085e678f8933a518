// SPDX-License-Identifier: Apache-2.0
#include "search/engine/stages.hpp"

#include "base/config/config_json.hpp"
#include "base/config/gpu_catalogue.hpp"
#include "base/error.hpp"
#include "base/eval/launch_json.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "search/engine/launch_rules.hpp"

#include <nlohmann/json.hpp>
#include <utility>

namespace coulomb::search {
namespace {

using eval::EvalStatus;

/// Sets the status of a job that ended without an answer. True: there is an answer to read.
bool has_answer(Work& work, const JobResult& result, EvalStatus on_timeout, double deadline_s) {
  Evaluation& e = work.evaluation;
  const bool compiling = on_timeout == EvalStatus::compile_timeout;
  switch (result.end) {
  case JobEnd::answered:
    return true;
  case JobEnd::timed_out:
    e.status = on_timeout;
    e.message = fmt::format("{} stopped at its deadline of {:g} s",
                            compiling ? "compilation" : "simulation", deadline_s);
    return false;
  case JobEnd::crashed:
    e.status = EvalStatus::crashed;
    e.message = result.detail;
    return false;
  case JobEnd::cancelled:
    work.cancelled = true;
    return false;
  }
  return false;
}

} // namespace

Stages::Stages(kernel::TunableSpec spec, const config::GpuConfig& gpu, EvaluatorOptions options)
    : spec_(std::move(spec)),
      gpu_(std::make_shared<TargetGpu>(TargetGpu{gpu, config::to_json_text(gpu)})),
      options_(std::move(options)) {
  for (const auto& parameter : spec_.parameters) {
    if (parameter.gpu_key) {
      gpu_keys_.push_back(parameter.name);
    }
  }
}

void Stages::set_gpu(Work& work) const {
  work.gpu = gpu_;
  if (gpu_keys_.empty()) {
    return;
  }
  std::vector<std::string> overrides;
  for (const std::string& key : gpu_keys_) {
    overrides.push_back(key + "=" + kernel::to_text(*work.evaluation.configuration.find(key)));
  }
  TargetGpu own{gpu_->config, {}};
  config::apply_overrides(own.config, overrides);
  own.json = config::to_json_text(own.config);
  work.gpu = std::make_shared<TargetGpu>(std::move(own));
}

bool Stages::prepare(Work& work) const {
  Evaluation& e = work.evaluation;
  try {
    if (const auto restriction = spec_.violated_restriction(e.configuration)) {
      e.status = EvalStatus::restricted;
      e.message = fmt::format("violates the restriction {}", *restriction);
      return false;
    }
  } catch (const Error&) {
    work.error = std::current_exception();
    return false;
  }
  try {
    set_gpu(work);
  } catch (const UserError& error) {
    e.status = EvalStatus::restricted;
    e.message = fmt::format("there is no such GPU: {}", error.what());
    return false;
  }
  e.status = EvalStatus::launch_invalid;
  try {
    e.launch = spec_.launch(e.configuration);
  } catch (const UserError& error) {
    e.message = error.what();
    return false;
  }
  if (const auto violation = launch_violation(e.launch, work.gpu->config)) {
    e.message = *violation;
    return false;
  }
  return true;
}

std::optional<JobResult> Stages::compiled_already(const Work& work) const {
  if (spec_.cubin_path.empty()) {
    return std::nullopt;
  }
  eval::CompileOutcome outcome;
  outcome.id = work.evaluation.id;
  outcome.status = EvalStatus::ok;
  outcome.cubin_path = spec_.cubin_path;
  outcome.entry_name = spec_.kernel_name;
  outcome.cache_hit = true;
  try {
    outcome.cubin_hash = hash128_hex(read_file(spec_.cubin_path));
  } catch (const UserError& error) {
    outcome.status = EvalStatus::crashed;
    outcome.error_kind = error.kind();
    outcome.message = error.what();
    outcome.error_hint = error.hint();
  }
  return JobResult{JobEnd::answered, eval::to_json_text(outcome), {}, 0.0};
}

Job Stages::compile_job(const Work& work) const {
  const Evaluation& e = work.evaluation;
  eval::CompileRequest request = eval::compile_request(
      spec_, e.configuration, fmt::format("sm_{}", work.gpu->config.architecture));
  request.id = e.id;
  request.cache_dir = options_.cache_dir;
  return {WorkerKind::compile, e.id, eval::to_json_text(request), options_.compile_deadline_s};
}

bool Stages::after_compile(Work& work) const {
  Evaluation& e = work.evaluation;
  e.compile_s = work.compile_result.seconds;
  if (!has_answer(work, work.compile_result, EvalStatus::compile_timeout,
                  options_.compile_deadline_s)) {
    return false;
  }
  try {
    e.compile = eval::compile_outcome_from_json(work.compile_result.answer);
  } catch (const Error& error) {
    e.status = EvalStatus::crashed;
    e.message = fmt::format("the compile worker's answer cannot be read: {}", error.what());
    return false;
  }
  work.compile_result.answer.clear();
  try {
    eval::throw_if_error(e.compile);
  } catch (const Error&) {
    work.error = std::current_exception();
    return false;
  }
  e.status = e.compile.status;
  e.message = e.compile.message;
  if (e.status != EvalStatus::ok) {
    return false;
  }
  work.sim_key =
      hash128_hex(e.compile.cubin_hash + '\n' + eval::dump_line(eval::launch_json(e.launch)) +
                  (gpu_keys_.empty() ? "" : '\n' + work.gpu->json));
  return true;
}

eval::SimRequest Stages::sim_request(const Work& work) const {
  const Evaluation& e = work.evaluation;
  eval::SimRequest request;
  request.id = e.id;
  request.cubin_path = e.compile.cubin_path;
  request.kernel_name = e.compile.entry_name.empty() ? spec_.kernel_name : e.compile.entry_name;
  request.launch = e.launch;
  request.gpu_json = work.gpu->json;
  if (options_.check_output) {
    request.oracle = spec_.oracle;
    request.oracle_parameters = eval::oracle_parameters(spec_, e.configuration);
    request.expected = options_.expected;
  }
  request.outputs = options_.outputs;
  request.checks = options_.checks;
  request.fidelity = options_.fidelity;
  request.profile = options_.profile;
  request.cycle_limit = options_.cycle_limit;
  request.seed = options_.seed;
  return request;
}

Job Stages::sim_job(const Work& work) const {
  return {WorkerKind::simulate, work.evaluation.id, eval::to_json_text(sim_request(work)),
          options_.sim_deadline_s};
}

std::string Stages::prediction_key(const Work& work) const {
  if (!options_.outputs.empty() || options_.profile != eval::ProfileRequest{}) {
    return {};
  }
  eval::SimRequest request = sim_request(work);
  request.id = 0;
  request.cubin_path = work.evaluation.compile.cubin_hash; // wherever it lies
  return hash128_hex(eval::to_json_text(request));
}

bool Stages::lasting(const std::string& answer) {
  try {
    switch (eval::sim_outcome_from_json(answer).status) {
    case EvalStatus::ok:
    case EvalStatus::wrong_result:
    case EvalStatus::deadlock:
    case EvalStatus::launch_invalid:
    case EvalStatus::unsupported:
      return true;
    default:
      return false;
    }
  } catch (const Error&) {
    return false;
  }
}

void Stages::after_sim(Work& work) const {
  Evaluation& e = work.evaluation;
  e.sim_s = work.sim_result->seconds;
  if (!has_answer(work, *work.sim_result, EvalStatus::timeout, options_.sim_deadline_s)) {
    return;
  }
  try {
    e.sim = eval::sim_outcome_from_json(work.sim_result->answer);
  } catch (const Error& error) {
    e.status = EvalStatus::crashed;
    e.message = fmt::format("the simulation worker's answer cannot be read: {}", error.what());
    return;
  }
  e.sim.id = e.id;
  e.status = e.sim.status;
  e.message = e.sim.message;
}

} // namespace coulomb::search
