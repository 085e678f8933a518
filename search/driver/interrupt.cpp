// SPDX-License-Identifier: Apache-2.0
#include "search/driver/interrupt.hpp"

#include "base/error.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace coulomb::search {
namespace {

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  return set;
}

} // namespace

InterruptWatch::InterruptWatch(std::function<void(int signal)> on_first,
                               std::function<void()> on_late,
                               std::chrono::milliseconds grace)
    : on_first_(std::move(on_first)), on_late_(std::move(on_late)), grace_(grace) {
  const sigset_t signals = watched_signals();
  pthread_sigmask(SIG_BLOCK, &signals, &previous_mask_);
  signal_fd_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
  quit_fd_ = ::eventfd(0, EFD_CLOEXEC);
  if (signal_fd_ < 0 || quit_fd_ < 0) {
    throw EnvironmentError(fmt::format("cannot watch for signals: {}", std::strerror(errno)));
  }
  thread_ = std::thread([this] { watch(); });
}

InterruptWatch::~InterruptWatch() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = ::write(quit_fd_, &one, sizeof one);
  thread_.join();
  ::close(signal_fd_);
  ::close(quit_fd_);
  pthread_sigmask(SIG_SETMASK, &previous_mask_, nullptr);
}

void InterruptWatch::take_signal(int signal) {
  if (!stop_) {
    signal_ = signal;
    stop_ = true;
    on_first_(signal);
    deadline_ = std::chrono::steady_clock::now();
    if (signal != SIGINT) {
      *deadline_ += grace_;
    }
  } else if (signal == SIGINT) {
    // Records are written as they come, so nothing is lost; destructors might wait for workers.
    ::_exit(128 + signal);
  }
}

int InterruptWatch::check_deadline() {
  if (!deadline_) {
    return -1;
  }
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - std::chrono::steady_clock::now());
  if (left.count() > 0) {
    return static_cast<int>(left.count());
  }
  deadline_.reset();
  on_late_();
  return -1;
}

void InterruptWatch::watch() {
  std::array<pollfd, 2> fds = {pollfd{signal_fd_, POLLIN, 0}, pollfd{quit_fd_, POLLIN, 0}};
  while (true) {
    if (::poll(fds.data(), fds.size(), check_deadline()) < 0) {
      continue; // EINTR
    }
    if (fds[0].revents != 0) {
      signalfd_siginfo info{};
      if (::read(signal_fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
        take_signal(static_cast<int>(info.ssi_signo));
      }
    }
    if (fds[1].revents != 0) {
      return;
    }
  }
}

} // namespace coulomb::search
