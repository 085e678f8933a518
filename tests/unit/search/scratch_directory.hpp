// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace coulomb::search {

/// A directory that lives as long as the object.
class ScratchDirectory {
public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "coulomb.XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("cannot make " + name);
    }
    root_ = name;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }

private:
  std::filesystem::path root_;
};

} // namespace coulomb::search
