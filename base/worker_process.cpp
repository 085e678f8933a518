// SPDX-License-Identifier: Apache-2.0
#include "base/worker_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/socket.h>
#include <sys/wait.h>

namespace coulomb {
namespace {

constexpr std::uint32_t kMaxFrame = 256U << 20; // as base/frame
constexpr std::size_t kHeader = sizeof(std::uint32_t);
/// A worker that closed its socket but lives on is broken; it gets this long to end by itself.
constexpr double kDeathGraceSeconds = 0.5;

} // namespace

void WorkerProcess::send(const std::string& request) {
  const auto size = static_cast<std::uint32_t>(request.size());
  outgoing_.resize(kHeader);
  std::memcpy(outgoing_.data(), &size, kHeader);
  outgoing_ += request;
  sent_ = 0;
  continue_sending();
}

void WorkerProcess::continue_sending() {
  while (sending()) {
    const ssize_t n = ::send(fd(), outgoing_.data() + sent_, outgoing_.size() - sent_,
                             MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return;
    }
    if (n <= 0) {
      break; // a dead worker shows when we read
    }
    sent_ += static_cast<std::size_t>(n);
  }
  outgoing_.clear();
  sent_ = 0;
}

WorkerProcess::Progress WorkerProcess::receive() {
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t n = ::recv(fd(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      return Progress::nothing;
    }
    if (n <= 0) {
      return Progress::ended;
    }
    incoming_.append(buffer.data(), static_cast<std::size_t>(n));
    if (incoming_.size() < kHeader) {
      continue;
    }
    std::uint32_t size = 0;
    std::memcpy(&size, incoming_.data(), kHeader);
    if (size > kMaxFrame || incoming_.size() > kHeader + size) {
      return Progress::ended; // not our protocol: one answer per request
    }
    if (incoming_.size() == kHeader + size) {
      return Progress::answer;
    }
  }
}

std::string WorkerProcess::take_answer() {
  std::string answer = incoming_.substr(kHeader);
  incoming_.clear();
  return answer;
}

std::string WorkerProcess::death_text() {
  const int status = child_.wait(kDeathGraceSeconds);
  std::string text = wait_status_text(status);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
    text += ", as the system does when memory runs out";
  }
  return text;
}

} // namespace coulomb
