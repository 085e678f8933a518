// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace coulomb::search {

/// While it lives, SIGINT, SIGTERM and SIGUSR1 ask for a clean stop instead of ending the process;
/// a second SIGINT or SIGTERM ends it at once, with exit code 128 + the signal's number.
///
/// Make it before any other thread: threads (and worker processes) started later inherit the
/// blocked signals, so a Ctrl-C in the terminal reaches this watch only.
class InterruptWatch {
public:
  /// `on_first` is called once, on the watch's thread, after stop() became true.
  explicit InterruptWatch(std::function<void(int signal)> on_first);
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] const std::atomic<bool>& stop() const { return stop_; }
  /// The first signal; meaningful once stop() is true.
  [[nodiscard]] int signal() const { return signal_; }

private:
  void watch();

  std::function<void(int)> on_first_;
  std::atomic<int> signal_{0}; ///< before stop_
  std::atomic<bool> stop_{false};
  sigset_t previous_mask_{};
  int signal_fd_ = -1;
  int quit_fd_ = -1;
  std::thread thread_;
};

} // namespace coulomb::search
