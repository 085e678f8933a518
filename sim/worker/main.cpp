// SPDX-License-Identifier: Apache-2.0
// coulomb-sim-worker: owns the SystemC model. Reads SimRequest frames on descriptor 3, answers
// SimOutcome frames.
#include "base/error.hpp"
#include "base/frame.hpp"
#include "sim/worker/simulator.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int sc_main(int, char**);
extern "C" int sc_main(int, char**) {
  return 0;
} // libsystemc refers to it

namespace {

using coulomb::kWorkerFd;

/// SystemC elaborates once per process, so a request with another module structure goes on in a
/// fresh image of this program; the request travels in a memory file.
[[noreturn]] void restart_with(const std::string& frame, char* program) {
  const int fd = ::memfd_create("coulomb-request", 0);
  if (fd >= 0 && ::write(fd, frame.data(), frame.size()) == static_cast<ssize_t>(frame.size())) {
    const std::string number = std::to_string(fd);
    ::execl("/proc/self/exe", program, "--pending", number.c_str(), nullptr);
  }
  std::fprintf(stderr, "coulomb-sim-worker: cannot restart: %s\n", std::strerror(errno));
  std::_Exit(coulomb::InternalError("").exit_code());
}

std::string pending_request(int argc, char** argv) {
  if (argc < 3 || std::strcmp(argv[1], "--pending") != 0) {
    return {};
  }
  const int fd = std::atoi(argv[2]);
  std::string frame(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)), '\0');
  ::lseek(fd, 0, SEEK_SET);
  const ssize_t n = ::read(fd, frame.data(), frame.size());
  ::close(fd);
  return n == static_cast<ssize_t>(frame.size()) ? frame : std::string{};
}

} // namespace

int main(int argc, char** argv) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  if (::fcntl(kWorkerFd, F_GETFD) < 0) {
    std::fprintf(stderr,
                 "coulomb-sim-worker is started by coulomb; it reads requests on descriptor 3\n");
    return 2;
  }
  coulomb::end_with_parent();
  coulomb::worker::Simulator simulator;
  std::string pending = pending_request(argc, argv);
  try {
    while (true) {
      std::optional<std::string> frame =
          pending.empty() ? coulomb::read_frame(kWorkerFd) : std::move(pending);
      pending.clear();
      if (!frame) {
        return 0;
      }
      const coulomb::eval::SimRequest request = coulomb::eval::sim_request_from_json(*frame);
      if (simulator.needs_new_process(request)) {
        restart_with(*frame, argv[0]);
      }
      coulomb::write_frame(kWorkerFd, coulomb::eval::to_json_text(simulator.simulate(request)));
    }
  } catch (const coulomb::Error& error) {
    std::fprintf(stderr, "coulomb-sim-worker: %s\n", error.what());
    return error.exit_code();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "coulomb-sim-worker: %s\n", error.what());
    return 70;
  }
}
