// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/toolchain_paths.hpp"

#include "base/text.hpp"
#include "hw/loader/library_search.hpp"

#include <array>

namespace coulomb::toolchain {
namespace {

// CUDA 13, 12 and 11.2 to 11.8 (their soname stayed 11.2), then the unversioned link of a toolkit.
constexpr std::array<const char*, 4> kSonames = {"libnvrtc.so.13", "libnvrtc.so.12",
                                                 "libnvrtc.so.11.2", "libnvrtc.so"};

constexpr std::array<const char*, 1> kFolders = {"lib64"};

std::string default_cache_dir() {
  if (std::string dir = hw::environment_variable("COULOMB_CACHE"); !dir.empty()) {
    return dir;
  }
  if (const std::string dir = hw::environment_variable("XDG_CACHE_HOME"); !dir.empty()) {
    return dir + "/coulomb";
  }
  const std::string home = hw::environment_variable("HOME");
  // Batch jobs may run without HOME; a cache below /tmp still serves all workers of the job.
  return home.empty() ? std::string{"/tmp/coulomb-cache"} : home + "/.cache/coulomb";
}

} // namespace

ToolchainPaths ToolchainPaths::from_environment() {
  ToolchainPaths paths;
  paths.nvrtc = hw::environment_variable("COULOMB_NVRTC");
  paths.cuda_home = hw::environment_variable("CUDA_HOME");
  paths.cache_dir = default_cache_dir();
  paths.stored_dir = home_dir() + "/data/cubins";
  return paths;
}

std::vector<std::string> ToolchainPaths::nvrtc_candidates() const {
  return hw::LibrarySearch{nvrtc, cuda_home, kSonames, kFolders}.candidates();
}

} // namespace coulomb::toolchain
