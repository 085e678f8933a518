// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <sys/types.h>
#include <thread>
#include <vector>

namespace coulomb::e2e {

/// What a finished command left behind.
struct Result {
  int exit_code = -1; ///< -1 if a signal ended it
  int signal = 0;     ///< that ended it; 0 if it exited
  std::string out;
  std::string err;

  /// Standard output as one JSON value; a failed assertion and null if it is anything else.
  [[nodiscard]] nlohmann::json json() const;
};

/// A directory of its own for one test, removed with everything in it.
class Workplace {
public:
  Workplace();
  ~Workplace();
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return dir_ + "/" + name; }
  [[nodiscard]] const std::string& dir() const { return dir_; }
  void write(const std::string& name, const std::string& text) const;

private:
  std::string dir_;
};

using Environment = std::map<std::string, std::string>;

/// The built `coulomb`, running in a workplace. Its kernel cache is one that all end-to-end tests
/// of this build share, unless `environment` names another.
class Process {
public:
  Process(const Workplace& workplace,
          const std::vector<std::string>& args,
          const Environment& environment = {});
  /// Kills what still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] bool running();
  void kill(int signal) const;
  /// Waits for its end; after 100 s it is killed and the test fails.
  [[nodiscard]] Result wait();

private:
  pid_t pid_ = -1;
  bool reaped_ = false;
  int status_ = 0;
  std::string out_path_;
  std::string err_path_;
};

/// Runs `coulomb ARGS` to its end.
[[nodiscard]] Result run(const Workplace& workplace,
                         const std::vector<std::string>& args,
                         const Environment& environment = {});

/// Living children of `parent` whose executable has this name, e.g. "coulomb-sim-worker".
[[nodiscard]] std::vector<pid_t> children(pid_t parent, const std::string& executable);
/// The process is there and is no zombie.
[[nodiscard]] bool is_alive(pid_t pid);

/// Calls `condition` every millisecond until it holds; false after so many seconds.
template <typename Condition>
[[nodiscard]] bool eventually(Condition condition, double seconds = 30.0) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// Why nothing can be compiled here, or an empty string.
[[nodiscard]] std::string missing_nvrtc(const Workplace& workplace);

} // namespace coulomb::e2e

/// Skips the test where there is no compiler.
#define COULOMB_NEEDS_NVRTC(workplace)                                                             \
  do {                                                                                             \
    if (const std::string reason = ::coulomb::e2e::missing_nvrtc(workplace); !reason.empty()) {    \
      GTEST_SKIP() << reason;                                                                      \
    }                                                                                              \
  } while (false)
