// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/compilation.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace coulomb::toolchain {

/// Compilation outcomes on disk, named by content key: DIR/ab/<key>.cubin and <key>.json, shared by
/// any number of processes. Entries are written whole (temporary file, rename) and checked when
/// read; a damaged one counts as absent. Times out of the key: the same key always means the same
/// code.
class KernelCache {
public:
  /// Creates the directory. Throws EnvironmentError if that is not possible.
  explicit KernelCache(std::string directory);

  /// Held while one process compiles `key`; others wait in the constructor. Released with the
  /// process, too. It only saves work: where a file system has no locks, entries stay whole.
  class Lock {
  public:
    explicit Lock(std::string path);
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    ~Lock();

  private:
    std::string path_;
    int fd_ = -1;
  };

  /// The stored outcome with its cubin_path, or nothing. `id` and `cache_hit` are the caller's to
  /// set.
  [[nodiscard]] std::optional<eval::CompileOutcome> find(const std::string& key);
  /// Stores the cubin (unless it failed to compile), then the outcome; returns the cubin's path.
  std::string
  store(const std::string& key, const eval::CompileOutcome& outcome, const std::string& cubin);
  /// Blocks until no other process holds `key`.
  [[nodiscard]] Lock lock(const std::string& key) const;

  [[nodiscard]] std::string cubin_path(const std::string& key) const;
  [[nodiscard]] std::string outcome_path(const std::string& key) const;
  /// Entries that `find` refused because they were damaged.
  [[nodiscard]] std::uint64_t damaged() const { return damaged_; }

private:
  [[nodiscard]] std::string stem(const std::string& key) const;

  std::string directory_;
  std::uint64_t damaged_ = 0;
};

} // namespace coulomb::toolchain
