// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/robust/robust_times.hpp"
#include "search/driver/search_driver.hpp"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace coulomb::calibration {

/// Evaluations on one GPU: a search::Evaluator, or a test. `next` is called by a thread of its own,
/// and only while candidates are out; `submit` by the thread that the candidates come from.
struct GpuEvaluations {
  search::Evaluations evaluations;
  std::function<void()> cancel; ///< drops what is out; `next` then comes to its end
};

/// Evaluates candidates on the GPU as stated and on perturbed ones, the same for all candidates
/// (common random numbers). A candidate meets the perturbed GPUs only after it ran on the stated
/// one: what fails there costs no more, and its machine code is compiled by then.
///
/// The outcome is the evaluation on the stated GPU with robust_metrics() among the counters; the
/// seconds of all simulations are added up. If a draw fails, the candidate has that draw's status,
/// a message that names it, and no robust metrics. So it depends on the candidate alone, not on
/// which simulation is faster.
///
/// Not thread-safe: for one caller.
class RobustEvaluations {
public:
  /// Takes at least one draw. What the functions refer to must outlive this.
  RobustEvaluations(GpuEvaluations stated, std::vector<GpuEvaluations> draws);
  /// Cancels what is out and waits until it is dropped.
  ~RobustEvaluations();
  RobustEvaluations(const RobustEvaluations&) = delete;
  RobustEvaluations& operator=(const RobustEvaluations&) = delete;

  /// Ids are the caller's, unique among candidates that are out.
  void submit(const search::Candidate& candidate);
  /// Waits for the next outcome, of whichever candidate comes to its end first. Nothing once there
  /// is none to wait for: all were returned, or dropped because an evaluator was cancelled. Throws
  /// what the `next` of a GPU throws; all else is cancelled then.
  [[nodiscard]] std::optional<search::Evaluation> next();

  /// The times of all configurations, in their order, or nothing if evaluators were cancelled
  /// before the last was known. Not while other candidates are out. Throws as next() does.
  [[nodiscard]] std::optional<std::vector<RobustTimes>>
  times(const std::vector<kernel::Configuration>& configurations);

private:
  /// A GPU and the thread that waits for its outcomes.
  struct Channel {
    GpuEvaluations gpu;
    std::uint64_t out = 0; ///< submitted, and neither returned nor dropped
    std::thread thread;
  };
  struct Arrival {
    std::size_t channel = 0;
    search::Evaluation evaluation;
  };
  /// A candidate that ran on the stated GPU.
  struct UnderDraws {
    search::Evaluation stated;
    std::vector<search::Evaluation> draws;
    std::size_t missing = 0;
  };
  struct Outcome {
    search::Evaluation evaluation;
    RobustTimes times;
  };

  void pump(std::size_t channel);
  /// Whether this channel's thread has something to wait for; false: it is to end. At the end it
  /// still waits for what is out, so that the evaluator is empty then.
  [[nodiscard]] bool wait_for_work(std::size_t channel);
  void send(std::size_t channel, const search::Candidate& candidate);
  [[nodiscard]] std::optional<Arrival> wait_for_arrival();
  [[nodiscard]] std::optional<Outcome> next_outcome();
  void cancel_all();

  std::map<std::uint64_t, UnderDraws> under_draws_; ///< by id
  std::mutex mutex_;                                ///< of all that follows
  std::condition_variable work_;
  std::condition_variable arrived_;
  std::deque<Arrival> arrivals_;
  std::exception_ptr error_;
  bool closing_ = false;
  std::deque<Channel> channels_; ///< the stated GPU, then the draws
};

} // namespace coulomb::calibration
