// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <thread>

namespace coulomb::search {

/// While it lives, SIGINT, SIGTERM and SIGUSR1 ask for a clean stop instead of ending the process;
/// SIGINT after that ends it at once, with exit code 130. SIGINT is of a person who waits; the
/// others come from batch systems, which announce what they will end, often twice (to the script,
/// which passes it on, and to all its processes): they leave time to finish what runs, once.
///
/// Make it before any other thread: threads (and worker processes) started later inherit the
/// blocked signals, so a Ctrl-C in the terminal reaches this watch only.
class InterruptWatch {
public:
  /// `on_first` is called once, on the watch's thread, after stop() became true; `on_late` once
  /// when the time to finish is over: at once after SIGINT, else after `grace`.
  explicit InterruptWatch(
      std::function<void(int signal)> on_first,
      std::function<void()> on_late = [] {},
      std::chrono::milliseconds grace = std::chrono::milliseconds(0));
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] const std::atomic<bool>& stop() const { return stop_; }
  /// The first signal; meaningful once stop() is true.
  [[nodiscard]] int signal() const { return signal_; }

private:
  void watch();
  void take_signal(int signal);
  /// Calls `on_late` if its time has come. Returns milliseconds until then, -1: never.
  int check_deadline();

  std::function<void(int)> on_first_;
  std::function<void()> on_late_;
  std::chrono::milliseconds grace_;
  std::optional<std::chrono::steady_clock::time_point> deadline_; ///< of the watch's thread
  std::atomic<int> signal_{0};                                    ///< before stop_
  std::atomic<bool> stop_{false};
  sigset_t previous_mask_{};
  int signal_fd_ = -1;
  int quit_fd_ = -1;
  std::thread thread_;
};

} // namespace coulomb::search
