// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/toolchain_paths.hpp"

#include "base/text.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>

namespace coulomb::toolchain {
namespace {

namespace fs = std::filesystem;

// CUDA 13, 12 and 11.2 to 11.8 (their soname stayed 11.2), then the unversioned link of a toolkit.
constexpr std::array<const char*, 4> kSonames = {"libnvrtc.so.13", "libnvrtc.so.12",
                                                 "libnvrtc.so.11.2", "libnvrtc.so"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string{} : std::string{value};
}

std::string default_cache_dir() {
  if (std::string dir = variable("COULOMB_CACHE"); !dir.empty()) {
    return dir;
  }
  if (const std::string dir = variable("XDG_CACHE_HOME"); !dir.empty()) {
    return dir + "/coulomb";
  }
  const std::string home = variable("HOME");
  // Batch jobs may run without HOME; a cache below /tmp still serves all workers of the job.
  return home.empty() ? std::string{"/tmp/coulomb-cache"} : home + "/.cache/coulomb";
}

} // namespace

ToolchainPaths ToolchainPaths::from_environment() {
  ToolchainPaths paths;
  paths.nvrtc = variable("COULOMB_NVRTC");
  paths.cuda_home = variable("CUDA_HOME");
  paths.cache_dir = default_cache_dir();
  paths.stored_dir = home_dir() + "/data/cubins";
  return paths;
}

std::vector<std::string> ToolchainPaths::nvrtc_candidates() const {
  std::vector<std::string> candidates;
  const auto add_directory = [&](const fs::path& dir) {
    for (const char* soname : kSonames) {
      candidates.push_back((dir / soname).string());
    }
  };
  if (!nvrtc.empty()) {
    std::error_code ec;
    if (fs::is_directory(nvrtc, ec)) {
      add_directory(nvrtc);
    } else {
      candidates.push_back(nvrtc);
    }
    return candidates;
  }
  if (!cuda_home.empty()) {
    add_directory(fs::path(cuda_home) / "lib64");
  }
  add_directory("/usr/local/cuda/lib64");
  add_directory("/usr/lib/x86_64-linux-gnu");
  candidates.insert(candidates.end(), kSonames.begin(), kSonames.end());
  return candidates;
}

} // namespace coulomb::toolchain
