// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

namespace coulomb::cli {

/// A new, empty directory for files of one command; removed with what it holds.
class ScratchDirectory {
public:
  /// Throws EnvironmentError if none can be made.
  ScratchDirectory() {
    std::error_code error; // of a TMPDIR that is no directory; mkdtemp fails then too
    path_ = (std::filesystem::temp_directory_path(error) / "coulomb-XXXXXX").string();
    if (error || ::mkdtemp(path_.data()) == nullptr) {
      throw EnvironmentError(fmt::format("cannot make a temporary directory {}: {}", path_,
                                         error ? error.message() : std::strerror(errno)),
                             "set TMPDIR to a directory that can be written");
    }
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

private:
  std::string path_;
};

} // namespace coulomb::cli
