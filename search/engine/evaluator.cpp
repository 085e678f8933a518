// SPDX-License-Identifier: Apache-2.0
#include "search/engine/evaluator.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"
#include "search/engine/prediction_store.hpp"
#include "search/engine/stages.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <tuple>
#include <utility>

namespace coulomb::search {
namespace {

namespace flow = oneapi::tbb::flow;

using WorkPtr = std::shared_ptr<Work>;
using Stage = flow::multifunction_node<WorkPtr, std::tuple<WorkPtr, WorkPtr>>;
using Wait = flow::async_node<WorkPtr, WorkPtr>;
/// Output ports of a stage.
constexpr std::size_t kGoOn = 0;
constexpr std::size_t kDone = 1;

std::string worker(const EvaluatorOptions& options, const std::string& kind) {
  const std::string dir = options.worker_dir.empty() ? executable_dir() : options.worker_dir;
  return dir + "/coulomb-" + kind + "-worker";
}

std::unique_ptr<PredictionStore> open_predictions(const EvaluatorOptions& options) {
  return options.predictions.empty()
             ? nullptr
             : std::make_unique<PredictionStore>(options.predictions, worker(options, "sim"));
}

} // namespace

std::unique_ptr<WorkerPool> make_worker_pool(const EvaluatorOptions& options) {
  WorkerPoolOptions pool;
  pool.executables = {worker(options, "sim"), worker(options, "compile")};
  pool.jobs = options.jobs;
  return std::make_unique<WorkerPool>(std::move(pool));
}

/// prepare -> (compile) -> compiled -> (simulate) -> simulated -> commit, where (...)
/// waits for the worker pool without holding a TBB thread. The graph lives as long as the evaluator
/// and is empty between calls.
class Evaluator::Pipeline {
public:
  Pipeline(kernel::TunableSpec spec, const config::GpuConfig& gpu, const EvaluatorOptions& options)
      : stages_(std::move(spec), gpu, options),
        prepare_(graph_, flow::unlimited, [this](const WorkPtr& w, auto& out) { prepare(w, out); }),
        compile_(graph_,
                 flow::unlimited,
                 [this](const WorkPtr& w, auto& gateway) { compile(w, gateway); }),
        compiled_(
            graph_, flow::unlimited, [this](const WorkPtr& w, auto& out) { compiled(w, out); }),
        simulate_(graph_,
                  flow::unlimited,
                  [this](const WorkPtr& w, auto& gateway) { simulate(w, gateway); }),
        simulated_(graph_,
                   flow::unlimited,
                   [this](const WorkPtr& w) {
                     stages_.after_sim(*w);
                     return w;
                   }),
        commit_(graph_,
                flow::serial,
                [this](const WorkPtr& w) {
                  commit(*w);
                  return flow::continue_msg{};
                }),
        own_pool_(options.pool == nullptr ? make_worker_pool(options) : nullptr),
        pool_(options.pool == nullptr ? own_pool_.get() : options.pool),
        predictions_(open_predictions(options)) {
    flow::make_edge(flow::output_port<kGoOn>(prepare_), compile_);
    flow::make_edge(flow::output_port<kDone>(prepare_), commit_);
    flow::make_edge(compile_, compiled_);
    flow::make_edge(flow::output_port<kGoOn>(compiled_), simulate_);
    flow::make_edge(flow::output_port<kDone>(compiled_), commit_);
    flow::make_edge(simulate_, simulated_);
    flow::make_edge(simulated_, commit_);
  }

  /// The graph is destroyed after its nodes: what it still has to run must run before them.
  ~Pipeline() {
    if (unfinished()) { // else the workers of a shared pool go on for the others
      cancel();
    }
    graph_.wait_for_all();
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  void submit(const Candidate& candidate) {
    auto work = std::make_shared<Work>();
    work->evaluation.id = candidate.id;
    work->evaluation.configuration = candidate.configuration;
    {
      const std::lock_guard lock(mutex_);
      ++outstanding_;
    }
    prepare_.try_put(work);
  }

  std::optional<Evaluation> next() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !finished_.empty() || outstanding_ == 0; });
    if (!finished_.empty()) {
      Evaluation evaluation = std::move(finished_.front());
      finished_.pop_front();
      return evaluation;
    }
    if (error_) {
      std::rethrow_exception(std::exchange(error_, nullptr));
    }
    return std::nullopt;
  }

  void cancel() noexcept {
    cancelled_ = true;
    pool_->cancel_all();
  }
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  [[nodiscard]] const Stages& stages() const { return stages_; }
  [[nodiscard]] const WorkerPool& pool() const { return *pool_; }
  [[nodiscard]] const PredictionStore* predictions() const { return predictions_.get(); }

private:
  using Ports = Stage::output_ports_type;
  using Gateway = Wait::gateway_type;

  static void pass(const WorkPtr& work, Ports& out, bool go_on) {
    if (go_on) {
      std::get<kGoOn>(out).try_put(work);
    } else {
      std::get<kDone>(out).try_put(work);
    }
  }

  void prepare(const WorkPtr& work, Ports& out) {
    work->cancelled = cancelled();
    pass(work, out, !work->cancelled && stages_.prepare(*work));
  }

  void compiled(const WorkPtr& work, Ports& out) {
    const bool go_on = stages_.after_compile(*work);
    if (go_on && cancelled()) {
      work->cancelled = true;
    }
    pass(work, out, go_on && !work->cancelled);
  }

  void compile(const WorkPtr& work, Gateway& gateway) {
    gateway.reserve_wait();
    if (auto answer = stages_.compiled_already(*work)) {
      work->compile_result = *std::move(answer);
      gateway.try_put(work);
      gateway.release_wait();
      return;
    }
    submit(stages_.compile_job(*work), [work, &gateway](JobResult result) {
      work->compile_result = std::move(result);
      gateway.try_put(work);
      gateway.release_wait();
    });
  }

  void simulate(const WorkPtr& work, Gateway& gateway) {
    gateway.reserve_wait();
    work->taken_over = true;
    const bool ours = memo_.join(work->sim_key, [work, &gateway](SimulationMemo::Result result) {
      work->sim_result = std::move(result);
      gateway.try_put(work);
      gateway.release_wait();
    });
    if (ours && !answer_from_predictions(*work)) {
      work->taken_over = false;
      submit(stages_.sim_job(*work), [this, work](JobResult result) {
        if (predictions_ && result.end == JobEnd::answered && Stages::lasting(result.answer)) {
          if (const std::string key = stages_.prediction_key(*work); !key.empty()) {
            predictions_->keep(key, result.answer);
          }
        }
        memo_.complete(work->sim_key, std::move(result));
      });
    }
  }

  bool answer_from_predictions(const Work& work) {
    const std::string key = predictions_ ? stages_.prediction_key(work) : std::string();
    auto answer = key.empty() ? std::nullopt : predictions_->find(key);
    if (answer) {
      memo_.complete(work.sim_key, {JobEnd::answered, *std::move(answer), {}, 0.0});
    }
    return answer.has_value();
  }

  [[nodiscard]] bool unfinished() {
    const std::lock_guard lock(mutex_);
    return outstanding_ > 0;
  }

  void submit(Job job, WorkerPool::Callback callback) {
    pool_->submit(std::move(job), std::move(callback));
    if (cancelled()) {
      pool_->cancel_all(); // cancel() came between the check at the last stage and the submission
    }
  }

  /// Serial, as candidates come to their end.
  void commit(Work& work) {
    const std::lock_guard lock(mutex_);
    --outstanding_;
    arrived_.notify_all();
    if (work.cancelled) {
      return;
    }
    if (work.error) {
      error_ = error_ ? error_ : work.error;
      cancel();
      return;
    }
    if (!work.sim_key.empty()) {
      work.evaluation.code = hash128_hex(work.sim_key);
      work.evaluation.sim_s = work.taken_over ? 0.0 : work.evaluation.sim_s;
    }
    finished_.push_back(std::move(work.evaluation));
  }

  Stages stages_;
  SimulationMemo memo_;
  std::atomic<bool> cancelled_{false};

  /// Nobody runs the graph but TBB's own threads: there must be one, even on a single core.
  oneapi::tbb::global_control threads_{
      oneapi::tbb::global_control::max_allowed_parallelism,
      std::max<std::size_t>(2,
                            oneapi::tbb::global_control::active_value(
                                oneapi::tbb::global_control::max_allowed_parallelism))};
  flow::graph graph_;
  Stage prepare_;
  Wait compile_;
  Stage compiled_;
  Wait simulate_;
  flow::function_node<WorkPtr, WorkPtr> simulated_;
  flow::function_node<WorkPtr> commit_;

  std::mutex mutex_; ///< of all that follows
  std::condition_variable arrived_;
  std::uint64_t outstanding_ = 0; ///< submitted, and not through the pipeline
  std::deque<Evaluation> finished_;
  std::exception_ptr error_;
  std::unique_ptr<WorkerPool> own_pool_;         ///< after the rest: its thread calls into it
  WorkerPool* pool_;                             ///< its own or a shared one
  std::unique_ptr<PredictionStore> predictions_; ///< null: none
};

Evaluator::Evaluator(kernel::TunableSpec spec,
                     const config::GpuConfig& gpu,
                     EvaluatorOptions options)
    : keep_finished_(options.keep_finished),
      pipeline_(std::make_unique<Pipeline>(std::move(spec), gpu, options)) {}

Evaluator::~Evaluator() = default;

void Evaluator::submit(const Candidate& candidate) {
  pipeline_->submit(candidate);
}

std::optional<Evaluation> Evaluator::next() {
  return pipeline_->next();
}

std::size_t Evaluator::evaluate(const std::vector<Candidate>& candidates, const Deliver& deliver) {
  std::map<std::uint64_t, Evaluation> waiting; // finished, but one before them is not
  std::size_t delivered = 0;
  const auto deliver_first = [&] {
    Evaluation evaluation = std::move(waiting.extract(waiting.begin()).mapped());
    if (!evaluation.code.empty()) {
      const auto [first, inserted] = first_with_.try_emplace(evaluation.code, evaluation.id);
      if (!inserted) {
        evaluation.same_as = first->second;
        evaluation.sim_s = 0.0;
      }
    }
    deliver(evaluation);
    ++delivered;
  };
  for (const Candidate& candidate : candidates) {
    submit(candidate);
  }
  try {
    while (auto evaluation = next()) {
      const std::uint64_t id = evaluation->id;
      waiting.emplace(id, *std::move(evaluation));
      while (!waiting.empty() && waiting.begin()->first == candidates[delivered].id) {
        deliver_first();
      }
    }
    while (keep_finished_ && !waiting.empty()) {
      deliver_first();
    }
  } catch (...) {
    cancel();
    while (next()) { // the rest is nobody's any more
    }
    throw;
  }
  return delivered;
}

void Evaluator::cancel() noexcept {
  pipeline_->cancel();
}

bool Evaluator::cancelled() const noexcept {
  return pipeline_->cancelled();
}

const kernel::TunableSpec& Evaluator::spec() const {
  return pipeline_->stages().spec();
}

WorkerPool::Statistics Evaluator::pool_statistics() const {
  return pipeline_->pool().statistics();
}

std::uint64_t Evaluator::predicted() const {
  return pipeline_->predictions() == nullptr ? 0 : pipeline_->predictions()->hits();
}

std::string Evaluator::prediction_problem() const {
  return pipeline_->predictions() == nullptr ? "" : pipeline_->predictions()->problem();
}

} // namespace coulomb::search
