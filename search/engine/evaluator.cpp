// SPDX-License-Identifier: Apache-2.0
#include "search/engine/evaluator.hpp"

#include "base/text.hpp"
#include "search/engine/stages.hpp"

#include <algorithm>
#include <atomic>
#include <oneapi/tbb/flow_graph.h>
#include <tuple>
#include <unordered_map>
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

} // namespace

std::unique_ptr<WorkerPool> make_worker_pool(const EvaluatorOptions& options) {
  const std::string dir = options.worker_dir.empty() ? executable_dir() : options.worker_dir;
  WorkerPoolOptions pool;
  pool.executables = {dir + "/coulomb-sim-worker", dir + "/coulomb-compile-worker"};
  pool.jobs = options.jobs;
  return std::make_unique<WorkerPool>(std::move(pool));
}

/// prepare -> (compile) -> compiled -> (simulate) -> simulated -> in order -> commit, where (...)
/// waits for the worker pool without holding a TBB thread. The graph lives as long as the evaluator
/// and is empty between calls.
class Evaluator::Pipeline {
public:
  Pipeline(kernel::TunableSpec spec, const config::GpuConfig& gpu, const EvaluatorOptions& options)
      : stages_(std::move(spec), gpu, options), keep_finished_(options.keep_finished),
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
        in_order_(graph_, [](const WorkPtr& w) { return static_cast<std::size_t>(w->position); }),
        commit_(graph_,
                flow::serial,
                [this](const WorkPtr& w) {
                  commit(*w);
                  return flow::continue_msg{};
                }),
        own_pool_(options.pool == nullptr ? make_worker_pool(options) : nullptr),
        pool_(options.pool == nullptr ? own_pool_.get() : options.pool) {
    flow::make_edge(flow::output_port<kGoOn>(prepare_), compile_);
    flow::make_edge(flow::output_port<kDone>(prepare_), in_order_);
    flow::make_edge(compile_, compiled_);
    flow::make_edge(flow::output_port<kGoOn>(compiled_), simulate_);
    flow::make_edge(flow::output_port<kDone>(compiled_), in_order_);
    flow::make_edge(simulate_, simulated_);
    flow::make_edge(simulated_, in_order_);
    flow::make_edge(in_order_, commit_);
  }

  /// make_edge() leaves a task with in_order_. If nothing is evaluated it may still be there, and
  /// the graph, which is destroyed after its nodes, would run it then.
  ~Pipeline() { graph_.wait_for_all(); }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  std::size_t evaluate(const std::vector<Candidate>& candidates, const Deliver& deliver) {
    deliver_ = &deliver;
    delivered_ = 0;
    stopped_ = false;
    error_ = nullptr;
    for (const auto& candidate : candidates) {
      auto work = std::make_shared<Work>();
      work->position = next_position_++;
      work->evaluation.id = candidate.id;
      work->evaluation.configuration = candidate.configuration;
      prepare_.try_put(work);
    }
    graph_.wait_for_all();
    deliver_ = nullptr;
    if (error_) {
      std::rethrow_exception(error_);
    }
    return delivered_;
  }

  void cancel() noexcept {
    cancelled_ = true;
    pool_->cancel_all();
  }
  [[nodiscard]] bool cancelled() const noexcept { return cancelled_; }
  [[nodiscard]] const Stages& stages() const { return stages_; }
  [[nodiscard]] const WorkerPool& pool() const { return *pool_; }

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
    const bool ours = memo_.join(work->sim_key, [work, &gateway](SimulationMemo::Result result) {
      work->sim_result = std::move(result);
      gateway.try_put(work);
      gateway.release_wait();
    });
    if (ours) {
      submit(stages_.sim_job(*work), [this, key = work->sim_key](JobResult result) {
        memo_.complete(key, std::move(result));
      });
    }
  }

  void submit(Job job, WorkerPool::Callback callback) {
    pool_->submit(std::move(job), std::move(callback));
    if (cancelled()) {
      pool_->cancel_all(); // cancel() came between the check at the last stage and the submission
    }
  }

  /// Serial and in order: what it decides is independent of which worker was faster.
  void commit(Work& work) {
    if (stopped_ || (work.cancelled && keep_finished_)) {
      return;
    }
    if (work.cancelled || work.error) {
      stop(work.error);
      return;
    }
    if (!work.sim_key.empty()) {
      const auto [first, inserted] = first_with_.try_emplace(work.sim_key, work.evaluation.id);
      if (!inserted) {
        work.evaluation.same_as = first->second;
        work.evaluation.sim_s = 0.0;
      }
    }
    try {
      (*deliver_)(work.evaluation);
      ++delivered_;
    } catch (...) { // rethrown by evaluate(), on the caller's thread
      stop(std::current_exception());
    }
  }

  void stop(std::exception_ptr error) {
    stopped_ = true;
    error_ = std::move(error);
    cancel();
  }

  Stages stages_;
  bool keep_finished_;
  SimulationMemo memo_;
  std::atomic<bool> cancelled_{false};

  flow::graph graph_;
  Stage prepare_;
  Wait compile_;
  Stage compiled_;
  Wait simulate_;
  flow::function_node<WorkPtr, WorkPtr> simulated_;
  flow::sequencer_node<WorkPtr> in_order_;
  flow::function_node<WorkPtr> commit_;

  // Used by evaluate() and, while it waits, by commit().
  std::uint64_t next_position_ = 0;
  const Deliver* deliver_ = nullptr;
  std::size_t delivered_ = 0;
  bool stopped_ = false;
  std::exception_ptr error_;
  /// Simulation key: the first candidate delivered that has it.
  std::unordered_map<std::string, std::uint64_t> first_with_;

  std::unique_ptr<WorkerPool> own_pool_; ///< after the rest: its thread calls into it
  WorkerPool* pool_;                     ///< its own or a shared one
};

Evaluator::Evaluator(kernel::TunableSpec spec,
                     const config::GpuConfig& gpu,
                     EvaluatorOptions options)
    : pipeline_(std::make_unique<Pipeline>(std::move(spec), gpu, options)) {}

Evaluator::~Evaluator() = default;

std::size_t Evaluator::evaluate(const std::vector<Candidate>& candidates, const Deliver& deliver) {
  return pipeline_->evaluate(candidates, deliver);
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

} // namespace coulomb::search
