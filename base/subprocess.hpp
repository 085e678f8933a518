// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace coulomb {

/// A worker process and our end of the socket that it knows as descriptor 3 (kWorkerFd). Move-only;
/// the destructor closes the socket, kills the process if it still runs, and reaps it.
///
/// The process is started with posix_spawn, never fork: TBB's threads hold locks. It reads nothing
/// from our standard input, its standard output goes to our standard error (ours carries results
/// only), and the signals by which a terminal or a batch system stops us (INT, TERM, HUP, USR1) are
/// blocked in it: it ends when it reads end of file on descriptor 3, which also happens when we
/// die.
class Child {
public:
  /// Throws EnvironmentError naming `executable` when it cannot be started.
  static Child spawn(const std::string& executable, const std::vector<std::string>& arguments = {});

  Child(Child&& other) noexcept;
  Child& operator=(Child&& other) noexcept;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  /// Our end of the socket; blocking, closed on exec. The child keeps no copy of it.
  [[nodiscard]] int fd() const { return fd_; }

  /// Sends a signal; does nothing once the process has been reaped.
  void kill(int signal) noexcept;
  /// Waits at most `seconds` for the process to end, then kills it; returns its wait status, as
  /// waitpid does.
  int wait(double seconds) noexcept;
  /// The wait status if the process has ended.
  [[nodiscard]] std::optional<int> try_wait() noexcept;

private:
  Child(pid_t pid, int fd) : pid_(pid), fd_(fd) {}
  void release() noexcept;

  pid_t pid_ = -1;
  int fd_ = -1;
  std::optional<int> status_;
};

/// "killed by signal 9 (SIGKILL)", "exited with code 3".
[[nodiscard]] std::string wait_status_text(int status);

} // namespace coulomb
