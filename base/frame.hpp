// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace coulomb {

/// Length-framed messages over a stream socket: a 32-bit little-endian length, then that many
/// bytes. Blocking; EINTR is retried. `read_frame` returns nothing at end of file. Throws
/// EnvironmentError on an I/O error or a frame above 256 MiB.
void write_frame(int fd, const std::string& payload);
[[nodiscard]] std::optional<std::string> read_frame(int fd);

/// Workers read requests from this descriptor and answer on it (the parent's end of a socketpair).
inline constexpr int kWorkerFd = 3;

/// Ends this worker process, from a thread of its own, once the parent's end of kWorkerFd is
/// closed, whatever the worker is doing: nobody would read its answer.
void end_with_parent();

} // namespace coulomb
