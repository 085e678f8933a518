// SPDX-License-Identifier: Apache-2.0
#include "base/frame.hpp"

#include "base/error.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace coulomb {
namespace {

constexpr std::uint32_t kMaxFrame = 256U << 20;

void write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t n = ::send(fd, data, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      throw EnvironmentError(
          fmt::format("cannot send to the peer process: {}", std::strerror(errno)));
    }
    data += n;
    size -= static_cast<std::size_t>(n);
  }
}

/// Returns false at end of file before the first byte.
bool read_all(int fd, char* data, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t n = ::read(fd, data + done, size - done);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      throw EnvironmentError(
          fmt::format("cannot read from the peer process: {}", std::strerror(errno)));
    }
    if (n == 0) {
      return false;
    }
    done += static_cast<std::size_t>(n);
  }
  return true;
}

} // namespace

void write_frame(int fd, const std::string& payload) {
  if (payload.size() > kMaxFrame) {
    throw EnvironmentError(
        fmt::format("message of {} bytes exceeds the limit of {}", payload.size(), kMaxFrame));
  }
  const auto size = static_cast<std::uint32_t>(payload.size());
  std::string framed(sizeof size + payload.size(), '\0');
  std::memcpy(framed.data(), &size, sizeof size);
  std::memcpy(framed.data() + sizeof size, payload.data(), payload.size());
  write_all(fd, framed.data(), framed.size());
}

std::optional<std::string> read_frame(int fd) {
  std::uint32_t size = 0;
  std::array<char, sizeof size> header{};
  if (!read_all(fd, header.data(), header.size())) {
    return std::nullopt;
  }
  std::memcpy(&size, header.data(), sizeof size);
  if (size > kMaxFrame) {
    throw EnvironmentError(
        fmt::format("message of {} bytes exceeds the limit of {}", size, kMaxFrame));
  }
  std::string payload(size, '\0');
  if (!read_all(fd, payload.data(), size)) {
    return std::nullopt;
  }
  return payload;
}

void end_with_parent() {
  std::thread([] {
    pollfd watched{kWorkerFd, POLLRDHUP, 0};
    constexpr short kGone = POLLRDHUP | POLLHUP | POLLERR | POLLNVAL;
    while (::poll(&watched, 1, -1) < 0 || (watched.revents & kGone) == 0) {
    }
    ::_exit(0);
  }).detach();
}

} // namespace coulomb
