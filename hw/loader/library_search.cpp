// SPDX-License-Identifier: Apache-2.0
#include "hw/loader/library_search.hpp"

#include <cstdlib>
#include <filesystem>

namespace coulomb::hw {

namespace fs = std::filesystem;

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

std::vector<std::string> LibrarySearch::candidates() const {
  std::vector<std::string> found;
  const auto add_directory = [&](const fs::path& directory) {
    for (const char* soname : sonames) {
      found.push_back((directory / soname).string());
    }
  };
  if (!chosen.empty()) {
    std::error_code ec;
    if (fs::is_directory(chosen, ec)) {
      add_directory(chosen);
    } else {
      found.push_back(chosen);
    }
    return found;
  }
  for (const std::string& home : {cuda_home, std::string("/usr/local/cuda")}) {
    for (const char* folder : folders) {
      if (!home.empty()) {
        add_directory(fs::path(home) / folder);
      }
    }
  }
  add_directory("/usr/lib/x86_64-linux-gnu");
  found.insert(found.end(), sonames.begin(), sonames.end());
  return found;
}

} // namespace coulomb::hw
