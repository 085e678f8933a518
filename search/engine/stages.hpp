// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/engine/evaluator.hpp"
#include "search/engine/simulation_memo.hpp"

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::search {

/// The GPU that a candidate is for, and how workers are told of it.
struct TargetGpu {
  config::GpuConfig config;
  std::string json;
};

/// A candidate on its way through the pipeline.
struct Work {
  Evaluation evaluation;
  JobResult compile_result;
  SimulationMemo::Result sim_result;
  std::shared_ptr<const TargetGpu> gpu; ///< the candidate's
  std::string sim_key;      ///< machine code, launch and GPU; empty if it is not simulated
  std::exception_ptr error; ///< the input or the environment is wrong, not this candidate
  bool taken_over = false;  ///< another candidate's simulation answered
  bool cancelled = false;
};

/// What the pipeline does to a candidate between its waits. Const and stateless: stages of
/// different candidates run at the same time.
class Stages {
public:
  Stages(kernel::TunableSpec spec, const config::GpuConfig& gpu, EvaluatorOptions options);

  /// Restrictions and launch rules. True: it is to be compiled.
  [[nodiscard]] bool prepare(Work& work) const;
  /// The compiler's answer, if the spec comes with its machine code. A file that cannot be read is
  /// an error of the input.
  [[nodiscard]] std::optional<JobResult> compiled_already(const Work& work) const;
  [[nodiscard]] Job compile_job(const Work& work) const;
  /// Reads `compile_result`. True: it is to be simulated, and `sim_key` is set.
  [[nodiscard]] bool after_compile(Work& work) const;
  [[nodiscard]] Job sim_job(const Work& work) const;
  /// Key of the simulation in a PredictionStore; empty if it leaves more than an answer behind.
  [[nodiscard]] std::string prediction_key(const Work& work) const;
  /// The answer depends on the request alone: not on this machine's speed, memory or luck.
  [[nodiscard]] static bool lasting(const std::string& answer);
  /// Reads `sim_result`.
  void after_sim(Work& work) const;

  [[nodiscard]] const kernel::TunableSpec& spec() const { return spec_; }

private:
  /// The GPU of a configuration, which may set keys of the GPU file. Throws UserError if it cannot
  /// be.
  void set_gpu(Work& work) const;
  [[nodiscard]] eval::SimRequest sim_request(const Work& work) const;

  kernel::TunableSpec spec_;
  std::vector<std::string> gpu_keys_; ///< parameters that are keys of the GPU file
  std::shared_ptr<const TargetGpu> gpu_;
  EvaluatorOptions options_;
};

} // namespace coulomb::search
