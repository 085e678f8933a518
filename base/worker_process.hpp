// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/subprocess.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace coulomb {

/// One worker and the frames under way to and from it. Nothing here blocks: what the socket does
/// not take or give at once is left for the next readiness event.
class WorkerProcess {
public:
  enum class Progress : std::uint8_t {
    nothing, ///< the answer is not complete
    answer,  ///< take_answer() has it
    ended,   ///< the worker closed its end, or sent what is no frame
  };

  /// Throws EnvironmentError.
  explicit WorkerProcess(const std::string& executable,
                         const std::vector<std::string>& arguments = {})
      : child_(Child::spawn(executable, arguments)) {}

  [[nodiscard]] int fd() const { return child_.fd(); }
  /// Queues the frame of `request` and sends what the socket takes.
  void send(const std::string& request);
  /// True while a part of the request waits for the socket.
  [[nodiscard]] bool sending() const { return sent_ < outgoing_.size(); }
  void continue_sending();
  [[nodiscard]] Progress receive();
  [[nodiscard]] std::string take_answer();
  /// How it ended, for a worker whose progress is `ended`; kills one that does not end by itself
  /// soon.
  [[nodiscard]] std::string death_text();

private:
  Child child_;
  std::string outgoing_;
  std::size_t sent_ = 0;
  std::string incoming_;
};

} // namespace coulomb
