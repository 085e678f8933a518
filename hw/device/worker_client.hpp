// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/worker_process.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::hw {

/// One worker process that is asked one thing at a time, with a deadline. It is started when it is
/// first asked, and anew after it died or was killed.
class WorkerClient {
public:
  enum class End : std::uint8_t {
    answered,
    timed_out, ///< the worker was killed
    died,
    stopped, ///< `stop` became true; the worker was killed
  };
  struct Answer {
    End end = End::died;
    std::string text;   ///< the worker's frame, if answered
    std::string detail; ///< how it died
  };

  /// Throws EnvironmentError if the executable is missing. `stop` (may be null) must outlive this.
  explicit WorkerClient(std::string executable,
                        const std::atomic<bool>* stop = nullptr,
                        std::vector<std::string> arguments = {});

  /// Throws EnvironmentError if the worker cannot be started.
  [[nodiscard]] Answer ask(const std::string& request, double deadline_s);
  [[nodiscard]] bool running() const { return worker_ != nullptr; }
  /// Ends the worker; the next question starts another.
  void restart() { worker_.reset(); }

private:
  std::string executable_;
  const std::atomic<bool>* stop_;
  std::vector<std::string> arguments_;
  std::unique_ptr<WorkerProcess> worker_;
};

} // namespace coulomb::hw
