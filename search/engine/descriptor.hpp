// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace coulomb::search {

/// Owns a file descriptor; closes it.
class Descriptor {
public:
  /// Throws EnvironmentError naming `what` if `fd` is -1, with errno's text.
  Descriptor(int fd, const char* what) : fd_(fd) {
    if (fd < 0) {
      throw EnvironmentError(fmt::format("cannot make {}: {}", what, std::strerror(errno)),
                             "raise the limit of open files (ulimit -n)");
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(fd_); }
  [[nodiscard]] int get() const { return fd_; }

private:
  int fd_;
};

} // namespace coulomb::search
