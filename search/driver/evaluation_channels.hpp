// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/driver/search_driver.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace coulomb::search {

/// One way to evaluate: an Evaluator, or a test. `next` is called by a thread of its own, and only
/// while candidates are out; `submit` by the thread that the candidates come from.
struct EvaluationChannel {
  Evaluations evaluations;
  std::function<void()> cancel; ///< drops what is out; `next` then comes to its end
};

/// Several ways to evaluate at the same time, and one place to wait for whatever ends first: the
/// same candidate on several GPUs, or one GPU with several kernels. Not thread-safe: for one
/// caller.
class EvaluationChannels {
public:
  struct Arrival {
    std::size_t channel = 0;
    Evaluation evaluation;
  };

  /// What the functions refer to must outlive this.
  explicit EvaluationChannels(std::vector<EvaluationChannel> channels);
  /// Cancels what is out and waits until it is dropped.
  ~EvaluationChannels();
  EvaluationChannels(const EvaluationChannels&) = delete;
  EvaluationChannels& operator=(const EvaluationChannels&) = delete;

  [[nodiscard]] std::size_t count() const { return channels_.size(); }
  void send(std::size_t channel, const Candidate& candidate);
  /// Waits for the next outcome. Nothing once there is none to wait for: all were returned, or
  /// dropped because an evaluator was cancelled. Throws what the `next` of a channel throws; all
  /// else is cancelled then.
  [[nodiscard]] std::optional<Arrival> next();

private:
  struct Channel {
    EvaluationChannel end;
    std::uint64_t out = 0; ///< submitted, and neither returned nor dropped
    std::thread thread;
  };

  void pump(std::size_t channel);
  /// Whether this channel's thread has something to wait for; false: it is to end. At the end it
  /// still waits for what is out, so that the evaluator is empty then.
  [[nodiscard]] bool wait_for_work(std::size_t channel);
  void cancel_all();

  std::mutex mutex_; ///< of all that follows
  std::condition_variable work_;
  std::condition_variable arrived_;
  std::deque<Arrival> arrivals_;
  std::exception_ptr error_;
  bool closing_ = false;
  std::deque<Channel> channels_;
};

} // namespace coulomb::search
