// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "search/engine/worker_pool.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace coulomb::search {

/// Sees to it that equal simulations (same machine code, same launch) run once. A simulation
/// depends on nothing else, so it does not matter which of the candidates that wait for it came
/// first. Thread-safe.
class SimulationMemo {
public:
  using Result = std::shared_ptr<const JobResult>;
  using Receiver = std::function<void(Result)>;

  /// `receive` is called once, with the result of `key`: at once if it is known, else inside
  /// complete(). True: nobody runs that simulation yet, so the caller must, and must call
  /// complete().
  [[nodiscard]] bool join(const std::string& key, Receiver receive);
  /// Hands the result to all who joined. A cancelled one is not remembered.
  void complete(const std::string& key, JobResult result);

private:
  struct Entry {
    Result result; ///< null while it runs
    std::vector<Receiver> receivers;
  };
  std::mutex mutex_;
  std::unordered_map<std::string, Entry> entries_;
};

} // namespace coulomb::search
