// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace coulomb::search {

/// Outcomes of simulations on disk, so that another search, seed or validation does not simulate
/// the same again. An outcome belongs to the whole request (machine code, launch, GPU, fidelity)
/// and to the simulator that answered it, which the contents of the worker executable stand for:
/// another build never answers with this one's figures. Any number of processes may read and write
/// at once: a file appears whole, by rename. Thread-safe.
class PredictionStore {
public:
  /// Below `dir`; created when the first outcome is kept. Throws UserError if the worker cannot be
  /// read.
  PredictionStore(const std::string& dir, const std::string& worker_executable);

  /// The answer to the request with this key, if it is there and undamaged.
  [[nodiscard]] std::optional<std::string> find(const std::string& key) const;
  /// Keeps an answer. What cannot be written is only not kept: see problem().
  void keep(const std::string& key, const std::string& answer) noexcept;

  [[nodiscard]] std::uint64_t hits() const { return hits_; }
  /// Why the first answer that was not kept was not; empty: all were.
  [[nodiscard]] std::string problem() const;
  /// Directory of this simulator's outcomes.
  [[nodiscard]] const std::string& dir() const { return dir_; }

private:
  [[nodiscard]] std::string path(const std::string& key) const;

  std::string dir_;
  mutable std::atomic<std::uint64_t> hits_{0};
  mutable std::mutex mutex_; ///< of problem_
  std::string problem_;
};

} // namespace coulomb::search
