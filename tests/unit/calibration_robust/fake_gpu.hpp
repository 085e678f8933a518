// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calibration/robust/robust_evaluations.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace coulomb::calibration {

/// Evaluations without workers: as thread-safe as a search::Evaluator, and in a chosen order.
class FakeGpu {
public:
  using Answer = std::function<search::Evaluation(const search::Candidate&)>;

  /// Nothing is answered before `held_until` candidates came; then the last of those that wait goes
  /// first if `last_first`.
  explicit FakeGpu(Answer answer, std::size_t held_until = 0, bool last_first = false)
      : answer_(std::move(answer)), held_until_(held_until), last_first_(last_first) {}

  [[nodiscard]] GpuEvaluations evaluations() {
    return {.evaluations = {.submit = [this](const auto& candidate) { submit(candidate); },
                            .next = [this] { return next(); }},
            .cancel = [this] { cancel(); }};
  }

  void cancel() {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] bool cancelled() {
    const std::lock_guard lock(mutex_);
    return cancelled_;
  }
  [[nodiscard]] std::vector<std::uint64_t> seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

private:
  void submit(const search::Candidate& candidate) {
    const std::lock_guard lock(mutex_);
    seen_.push_back(candidate.id);
    waiting_.push_back(candidate);
    changed_.notify_all();
  }

  std::optional<search::Evaluation> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock,
                  [&] { return cancelled_ || waiting_.empty() || seen_.size() >= held_until_; });
    if (cancelled_ || waiting_.empty()) {
      waiting_.clear();
      return std::nullopt;
    }
    const auto at = last_first_ ? waiting_.end() - 1 : waiting_.begin();
    const search::Candidate candidate = *at;
    waiting_.erase(at);
    return answer_(candidate);
  }

  Answer answer_;
  std::size_t held_until_;
  bool last_first_;
  std::mutex mutex_; ///< of all that follows
  std::condition_variable changed_;
  std::vector<search::Candidate> waiting_;
  std::vector<std::uint64_t> seen_;
  bool cancelled_ = false;
};

[[nodiscard]] inline search::Candidate candidate(std::uint64_t id) {
  return {id, kernel::Configuration({{"block", static_cast<std::int64_t>(id)}})};
}

/// An evaluation of this time, on which a worker spent 0.5 s.
[[nodiscard]] inline search::Evaluation ran(const search::Candidate& c, double time_ms) {
  search::Evaluation e;
  e.id = c.id;
  e.configuration = c.configuration;
  e.status = eval::EvalStatus::ok;
  e.sim.time_ms = time_ms;
  e.sim.counters = {{"dram__bytes.sum", 64.0}};
  e.sim_s = 0.5;
  return e;
}

[[nodiscard]] inline search::Evaluation
failed(const search::Candidate& c, eval::EvalStatus status, const std::string& message) {
  search::Evaluation e;
  e.id = c.id;
  e.configuration = c.configuration;
  e.status = status;
  e.message = message;
  return e;
}

/// Every candidate takes so long: its number plus one, times `factor`.
[[nodiscard]] inline FakeGpu::Answer times_of_id(double factor) {
  return [factor](const search::Candidate& c) {
    return ran(c, static_cast<double>(c.id + 1) * factor);
  };
}

} // namespace coulomb::calibration
