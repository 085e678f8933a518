// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/driver/interrupt.hpp"
#include "search/engine/evaluator.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace coulomb::search {

/// What a command returns that was stopped by a signal before its end, whichever signal: what was
/// finished is saved, and the same command can go on (or start again) from there.
inline constexpr int kInterruptedExit = 130;

/// Lets a command with evaluators end cleanly at a signal (see InterruptWatch). Once the time to
/// finish is over, which is at once after Ctrl-C, every evaluator that is registered is cancelled,
/// and those registered later too; their workers are killed. Make it before the evaluators and
/// their threads.
class Interruption {
public:
  /// `notice`: what a person is told at the first signal, "stopping; ...". `grace`: what runs may
  /// take so long to finish after SIGTERM and SIGUSR1.
  explicit Interruption(std::string notice,
                        std::chrono::milliseconds grace = std::chrono::milliseconds(0));
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// True from the first signal on.
  [[nodiscard]] const std::atomic<bool>& stop() const { return watch_.stop(); }

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
  void tell(int signal) const;
  void cancel_all();

  std::string notice_;
  std::chrono::milliseconds grace_;
  bool cancelled_ = false; ///< the time to finish is over
  std::mutex mutex_;
  std::vector<Evaluator*> evaluators_;
  InterruptWatch watch_; ///< last: its thread uses the rest
};

} // namespace coulomb::search
