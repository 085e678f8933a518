// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/eval/compilation.hpp"
#include "base/eval/simulation.hpp"
#include "base/kernel/tunable_spec.hpp"
#include "search/engine/worker_pool.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace coulomb::search {

/// A configuration to evaluate. Ids are the caller's: unique and ascending over the life of an
/// evaluator.
struct Candidate {
  std::uint64_t id = 0;
  kernel::Configuration configuration;
};

/// What became of one candidate.
struct Evaluation {
  std::uint64_t id = 0;
  kernel::Configuration configuration;
  eval::EvalStatus status = eval::EvalStatus::crashed;
  std::string message;          ///< why it is not ok; empty if it is
  kernel::Launch launch;        ///< default-constructed if restricted
  eval::CompileOutcome compile; ///< meaningful if it was compiled
  eval::SimOutcome sim;         ///< meaningful if it was simulated
  /// Stands for machine code and launch: equal ones are simulated once. Empty if not simulated.
  std::string code;
  /// Earlier candidate with the same machine code and launch, whose simulation was taken over.
  std::optional<std::uint64_t> same_as;
  /// Seconds that a compile worker and a simulation worker were busy with it in this process; 0 if
  /// none was.
  double compile_s = 0.0;
  double sim_s = 0.0;
};

struct EvaluatorOptions {
  std::uint32_t jobs = 1; ///< busy worker processes, compilers included
  eval::Fidelity fidelity;
  eval::ProfileRequest profile; ///< what each timed simulation records
  std::uint64_t cycle_limit = 2'000'000'000;
  double compile_deadline_s = 120.0;
  double sim_deadline_s = 600.0;
  std::string cache_dir; ///< kernel cache; empty: the compile worker's default
  /// Directory of a PredictionStore, which answers instead of a worker; empty: none.
  std::string predictions;
  /// Of the simulations' random streams: the same for all searches, so that what one simulated
  /// answers another, whatever that one's seed.
  std::uint64_t seed = 1;
  bool check_output = true;
  std::vector<kernel::ExpectedOutput> expected; ///< instead of the spec's oracle, if not empty
  std::vector<kernel::OutputFile> outputs;      ///< written after each simulation
  std::vector<std::string> checks;              ///< of eval::kCheckNames; rung "functional" only
  std::string
      worker_dir; ///< where the worker executables lie; empty: beside the running executable
  /// If not null: workers shared with other evaluators, which may run at the same time, instead of
  /// `jobs` of its own. Its thread calls into them, so end it before any of them. An evaluator that
  /// stops early cancels the jobs of all.
  WorkerPool* pool = nullptr;
  /// After cancel(), deliver all that had finished and not only the first ones without a gap.
  bool keep_finished = false;
};

/// The workers of an evaluator with these options. Throws EnvironmentError if a worker executable
/// is missing.
[[nodiscard]] std::unique_ptr<WorkerPool> make_worker_pool(const EvaluatorOptions& options);

/// The pipeline that `run`, `search` and `validate` share: restrictions, launch rules, compile,
/// simulate. A candidate that fails has a status, never an exception. What is delivered depends on
/// the candidates alone, not on `jobs` nor on which worker is faster (host seconds excepted).
class Evaluator {
public:
  /// One evaluation at a time, in the order of the candidates, on the caller's thread; if it
  /// throws, the evaluator is cancelled and evaluate() throws the same.
  using Deliver = std::function<void(const Evaluation&)>;

  /// Throws EnvironmentError if a worker executable is missing.
  Evaluator(kernel::TunableSpec spec, const config::GpuConfig& gpu, EvaluatorOptions options);
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// Puts a candidate into the pipeline and returns at once.
  void submit(const Candidate& candidate);
  /// Waits for the next outcome, of whichever candidate comes to its end first; its `same_as` is
  /// not set, its `code` is. Nothing once there is none to wait for: all were returned, or dropped
  /// after cancel(). Throws UserError if a restriction cannot be evaluated, and EnvironmentError if
  /// there is no compiler; what is unfinished then is dropped.
  [[nodiscard]] std::optional<Evaluation> next();

  /// Submits all and delivers all. Returns the number delivered: after cancel() a prefix of
  /// `candidates` (unless keep_finished). Not while other candidates are in the pipeline. Throws as
  /// next() does.
  std::size_t evaluate(const std::vector<Candidate>& candidates, const Deliver& deliver);

  /// Drops what is not finished, now and in later calls. Callable from any thread and from a signal
  /// handler.
  void cancel() noexcept;
  [[nodiscard]] bool cancelled() const noexcept;

  [[nodiscard]] const kernel::TunableSpec& spec() const;
  [[nodiscard]] WorkerPool::Statistics pool_statistics() const;
  /// Simulations that were answered from the directory of predictions.
  [[nodiscard]] std::uint64_t predicted() const;
  /// Why a prediction could not be kept; empty: all were.
  [[nodiscard]] std::string prediction_problem() const;

private:
  class Pipeline;

  bool keep_finished_;
  /// Code: the first candidate that evaluate() delivered with it.
  std::unordered_map<std::string, std::uint64_t> first_with_;
  std::unique_ptr<Pipeline> pipeline_;
};

} // namespace coulomb::search
