// SPDX-License-Identifier: Apache-2.0
#include "calibration/robust/robust_evaluations.hpp"

#include "base/error.hpp"
#include "calibration/robust/robust_metrics.hpp"

#include <cmath>
#include <utility>

namespace coulomb::calibration {
namespace {

using eval::EvalStatus;
using search::Evaluation;

constexpr std::size_t kStated = 0; ///< channel

/// The status, where an ok one without a time is none that a score could use.
EvalStatus fate_of(const Evaluation& e) {
  const bool usable = std::isfinite(e.sim.time_ms) && e.sim.time_ms > 0.0;
  return e.status == EvalStatus::ok && !usable ? EvalStatus::wrong_result : e.status;
}

/// Why there is no time to use.
std::string problem_of(const Evaluation& e) {
  return e.status == EvalStatus::ok
             ? fmt::format("the simulation ended with time_ms = {}", e.sim.time_ms)
             : e.message;
}

RobustTimes times_of(const std::vector<Evaluation>& draws) {
  RobustTimes times{.status = EvalStatus::ok, .message = {}, .times_ms = {}};
  for (std::size_t k = 0; k < draws.size(); ++k) {
    const Evaluation& draw = draws[k];
    if (fate_of(draw) != EvalStatus::ok) {
      return {.status = fate_of(draw),
              .message = fmt::format("under draw {} of {} of the model noise: {}", k + 1,
                                     draws.size(), problem_of(draw)),
              .times_ms = {}};
    }
    times.times_ms.push_back(draw.sim.time_ms);
  }
  return times;
}

/// The evaluation on the stated GPU and what the draws add to it.
Evaluation combined(Evaluation stated, const std::vector<Evaluation>& draws, const RobustTimes& t) {
  for (const Evaluation& draw : draws) {
    stated.compile_s += draw.compile_s;
    stated.sim_s += draw.sim_s;
  }
  stated.status = t.status;
  stated.message = t.message;
  if (t.status == EvalStatus::ok) {
    stated.sim.counters.merge(robust_metrics(t.times_ms));
  }
  return stated;
}

} // namespace

RobustEvaluations::RobustEvaluations(GpuEvaluations stated, std::vector<GpuEvaluations> draws) {
  COULOMB_CHECK(!draws.empty(), "no draws");
  channels_.push_back({std::move(stated), 0, {}});
  for (GpuEvaluations& draw : draws) {
    channels_.push_back({std::move(draw), 0, {}});
  }
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    channels_[c].thread = std::thread([this, c] { pump(c); });
  }
}

RobustEvaluations::~RobustEvaluations() {
  bool out = false;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    for (const Channel& channel : channels_) {
      out = out || channel.out > 0;
    }
  }
  if (out) {
    cancel_all();
  }
  work_.notify_all();
  for (Channel& channel : channels_) {
    channel.thread.join();
  }
}

bool RobustEvaluations::wait_for_work(std::size_t channel) {
  std::unique_lock lock(mutex_);
  work_.wait(lock, [&] { return closing_ || channels_[channel].out > 0; });
  return channels_[channel].out > 0;
}

void RobustEvaluations::pump(std::size_t channel) {
  Channel& own = channels_[channel];
  while (wait_for_work(channel)) {
    std::optional<Evaluation> evaluation;
    std::exception_ptr error;
    try {
      evaluation = own.gpu.evaluations.next();
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (evaluation) {
      --own.out;
      arrivals_.push_back({channel, *std::move(evaluation)});
    } else {
      own.out = 0; // dropped
      if (!error_) {
        error_ = std::move(error);
      }
    }
    arrived_.notify_all();
  }
}

void RobustEvaluations::send(std::size_t channel, const search::Candidate& candidate) {
  channels_[channel].gpu.evaluations.submit(candidate);
  {
    const std::lock_guard lock(mutex_);
    ++channels_[channel].out;
  }
  work_.notify_all();
}

void RobustEvaluations::cancel_all() {
  for (const Channel& channel : channels_) {
    channel.gpu.cancel();
  }
}

void RobustEvaluations::submit(const search::Candidate& candidate) {
  send(kStated, candidate);
}

std::optional<RobustEvaluations::Arrival> RobustEvaluations::wait_for_arrival() {
  std::unique_lock lock(mutex_);
  const auto none_out = [&] {
    std::uint64_t out = 0;
    for (const Channel& channel : channels_) {
      out += channel.out;
    }
    return out == 0;
  };
  arrived_.wait(lock, [&] { return !arrivals_.empty() || error_ || none_out(); });
  if (!arrivals_.empty()) {
    Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    return arrival;
  }
  if (const auto error = std::exchange(error_, nullptr)) {
    lock.unlock();
    cancel_all();
    std::rethrow_exception(error);
  }
  return std::nullopt;
}

std::optional<RobustEvaluations::Outcome> RobustEvaluations::next_outcome() {
  while (auto arrival = wait_for_arrival()) {
    Evaluation& e = arrival->evaluation;
    if (arrival->channel == kStated) {
      if (const EvalStatus fate = fate_of(e); fate != EvalStatus::ok) {
        RobustTimes none{.status = fate, .message = problem_of(e), .times_ms = {}};
        return Outcome{std::move(e), std::move(none)};
      }
      const search::Candidate candidate{e.id, e.configuration};
      const std::size_t draws = channels_.size() - 1;
      under_draws_[e.id] = {std::move(e), std::vector<Evaluation>(draws), draws};
      for (std::size_t c = 1; c < channels_.size(); ++c) {
        send(c, candidate);
      }
      continue;
    }
    const auto at = under_draws_.find(e.id);
    COULOMB_CHECK(at != under_draws_.end(), "candidate {} was not being evaluated", e.id);
    at->second.draws[arrival->channel - 1] = std::move(e);
    if (--at->second.missing > 0) {
      continue;
    }
    const UnderDraws done = std::move(under_draws_.extract(at).mapped());
    RobustTimes times = times_of(done.draws);
    Evaluation evaluation = combined(done.stated, done.draws, times);
    return Outcome{std::move(evaluation), std::move(times)};
  }
  under_draws_.clear(); // the rest was dropped
  return std::nullopt;
}

std::optional<Evaluation> RobustEvaluations::next() {
  auto outcome = next_outcome();
  return outcome ? std::optional(std::move(outcome->evaluation)) : std::nullopt;
}

std::optional<std::vector<RobustTimes>>
RobustEvaluations::times(const std::vector<kernel::Configuration>& configurations) {
  for (std::size_t i = 0; i < configurations.size(); ++i) {
    submit({i, configurations[i]});
  }
  std::vector<RobustTimes> all(configurations.size());
  for (std::size_t known = 0; known < configurations.size(); ++known) {
    auto outcome = next_outcome();
    if (!outcome) {
      return std::nullopt;
    }
    all.at(outcome->evaluation.id) = std::move(outcome->times);
  }
  return all;
}

} // namespace coulomb::calibration
