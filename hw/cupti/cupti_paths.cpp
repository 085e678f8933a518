// SPDX-License-Identifier: Apache-2.0
#include "hw/cupti/cupti_paths.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>

namespace coulomb::hw {
namespace {

namespace fs = std::filesystem;

// The range profiler came with 12.6; then the unversioned link of a toolkit.
constexpr std::array<const char*, 3> kSonames = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
// Toolkits from NVIDIA's installers keep CUPTI apart; distributions and wheels put it with the
// rest.
constexpr std::array<const char*, 2> kDirectories = {"lib64", "extras/CUPTI/lib64"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

} // namespace

CuptiPaths CuptiPaths::from_environment() {
  CuptiPaths paths;
  paths.cupti = variable("COULOMB_CUPTI");
  paths.cuda_home = variable("CUDA_HOME");
  return paths;
}

std::vector<std::string> CuptiPaths::candidates() const {
  std::vector<std::string> found;
  const auto add_directory = [&](const fs::path& dir) {
    for (const char* soname : kSonames) {
      found.push_back((dir / soname).string());
    }
  };
  if (!cupti.empty()) {
    std::error_code ec;
    if (fs::is_directory(cupti, ec)) {
      add_directory(cupti);
    } else {
      found.push_back(cupti);
    }
    return found;
  }
  for (const fs::path& home : {fs::path(cuda_home), fs::path("/usr/local/cuda")}) {
    for (const char* directory : kDirectories) {
      if (!home.empty()) {
        add_directory(home / directory);
      }
    }
  }
  add_directory("/usr/lib/x86_64-linux-gnu");
  found.insert(found.end(), kSonames.begin(), kSonames.end());
  return found;
}

} // namespace coulomb::hw
