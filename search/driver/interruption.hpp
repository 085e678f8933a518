// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/driver/interrupt.hpp"
#include "search/engine/evaluator.hpp"

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace coulomb::search {

/// Lets a command with evaluators end cleanly at Ctrl-C: the first signal (see InterruptWatch)
/// cancels every evaluator that is registered, and those registered later at once; their workers
/// are killed. Make it before the evaluators and their threads.
class Interruption {
public:
  /// `notice`: what a person is told at the first signal, "stopping; ...".
  explicit Interruption(std::string notice);
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// True from the first signal on.
  [[nodiscard]] const std::atomic<bool>& stop() const { return watch_.stop(); }
  /// What a command returns that was interrupted: 128 + the number of the first signal.
  [[nodiscard]] int exit_code() const;

  /// Registers an evaluator while it lives.
  class Guard {
  public:
    Guard(Interruption& interruption, Evaluator& evaluator);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

  private:
    Interruption& interruption_;
    Evaluator* evaluator_;
  };

private:
  void cancel_all();

  std::string notice_;
  std::mutex mutex_;
  std::vector<Evaluator*> evaluators_;
  InterruptWatch watch_; ///< last: its thread uses the rest
};

} // namespace coulomb::search
