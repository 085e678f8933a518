// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace coulomb::cli {

/// For calls that wait for worker processes. Not tbb::parallel_for: a TBB thread that waits in an
/// evaluator's flow graph would begin another call inside of the first, and the order would be any.
///
/// Calls `work(i)` for each i below `count` on `threads` threads, the lowest first. If calls throw,
/// what has not begun is left out and the first exception is thrown again.
template <class Work>
void for_each_index(std::size_t count, unsigned threads, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr error;
  std::mutex mutex;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        error = error ? error : std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < std::min<std::size_t>(threads, count); ++t) {
      running.emplace_back(run);
    }
  }
  if (error) {
    std::rethrow_exception(error);
  }
}

} // namespace coulomb::cli
