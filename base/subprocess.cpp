// SPDX-License-Identifier: Apache-2.0
#include "base/subprocess.hpp"

#include "base/error.hpp"
#include "base/frame.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace coulomb {
namespace {

/// posix_spawn's two option objects.
class SpawnOptions {
public:
  explicit SpawnOptions(int socket) {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
    // First, as the socket may itself be one of the standard descriptors if those were closed.
    posix_spawn_file_actions_adddup2(&files_, socket, kWorkerFd);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, STDERR_FILENO, STDOUT_FILENO);

    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) {
      sigaddset(&blocked, s);
    }
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigmask(&attributes_, &blocked);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnOptions(const SpawnOptions&) = delete;
  SpawnOptions& operator=(const SpawnOptions&) = delete;
  ~SpawnOptions() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  [[nodiscard]] const posix_spawn_file_actions_t* files() const { return &files_; }
  [[nodiscard]] const posix_spawnattr_t* attributes() const { return &attributes_; }

private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

} // namespace

Child Child::spawn(const std::string& executable, const std::vector<std::string>& arguments) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw EnvironmentError(
        fmt::format("cannot make a socket for {}: {}", executable, std::strerror(errno)),
        "raise the limit of open files (ulimit -n) or lower --jobs");
  }
  std::vector<char*> argv;
  argv.push_back(const_cast<char*>(executable.c_str()));
  for (const auto& a : arguments) {
    argv.push_back(const_cast<char*>(a.c_str()));
  }
  argv.push_back(nullptr);

  const SpawnOptions options(ends[1]);
  pid_t pid = -1;
  const int error = ::posix_spawn(&pid, executable.c_str(), options.files(), options.attributes(),
                                  argv.data(), environ);
  ::close(ends[1]);
  if (error != 0) {
    ::close(ends[0]);
    throw EnvironmentError(fmt::format("cannot start {}: {}", executable, std::strerror(error)),
                           "build all targets; the workers lie beside the coulomb executable");
  }
  return {pid, ends[0]};
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), fd_(std::exchange(other.fd_, -1)),
      status_(other.status_) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    release();
    pid_ = std::exchange(other.pid_, -1);
    fd_ = std::exchange(other.fd_, -1);
    status_ = other.status_;
  }
  return *this;
}

Child::~Child() {
  release();
}

void Child::release() noexcept {
  if (fd_ >= 0) {
    ::close(fd_);
    fd_ = -1;
  }
  if (pid_ > 0) {
    wait(0.0);
    pid_ = -1;
  }
}

void Child::kill(int signal) noexcept {
  if (pid_ > 0 && !status_) {
    ::kill(pid_, signal);
  }
}

std::optional<int> Child::try_wait() noexcept {
  int status = 0;
  if (!status_ && pid_ > 0 && ::waitpid(pid_, &status, WNOHANG) == pid_) {
    status_ = status;
  }
  return status_;
}

int Child::wait(double seconds) noexcept {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!try_wait() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  if (!status_) {
    kill(SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    status_ = status;
  }
  return *status_;
}

std::string wait_status_text(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    const char* name = ::sigabbrev_np(signal);
    return fmt::format("killed by signal {} (SIG{})", signal, name != nullptr ? name : "?");
  }
  return fmt::format("exited with code {}", WEXITSTATUS(status));
}

} // namespace coulomb
