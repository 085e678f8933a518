// SPDX-License-Identifier: Apache-2.0
#include "search/driver/evaluation_channels.hpp"

#include <utility>

namespace coulomb::search {

EvaluationChannels::EvaluationChannels(std::vector<EvaluationChannel> channels) {
  for (EvaluationChannel& channel : channels) {
    channels_.push_back({std::move(channel), 0, {}});
  }
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    channels_[c].thread = std::thread([this, c] { pump(c); });
  }
}

EvaluationChannels::~EvaluationChannels() {
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

bool EvaluationChannels::wait_for_work(std::size_t channel) {
  std::unique_lock lock(mutex_);
  work_.wait(lock, [&] { return closing_ || channels_[channel].out > 0; });
  return channels_[channel].out > 0;
}

void EvaluationChannels::pump(std::size_t channel) {
  Channel& own = channels_[channel];
  while (wait_for_work(channel)) {
    std::optional<Evaluation> evaluation;
    std::exception_ptr error;
    try {
      evaluation = own.end.evaluations.next();
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

void EvaluationChannels::send(std::size_t channel, const Candidate& candidate) {
  channels_[channel].end.evaluations.submit(candidate);
  {
    const std::lock_guard lock(mutex_);
    ++channels_[channel].out;
  }
  work_.notify_all();
}

void EvaluationChannels::cancel_all() {
  for (const Channel& channel : channels_) {
    channel.end.cancel();
  }
}

std::optional<EvaluationChannels::Arrival> EvaluationChannels::next() {
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

} // namespace coulomb::search
