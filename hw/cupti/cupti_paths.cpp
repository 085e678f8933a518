// SPDX-License-Identifier: Apache-2.0
#include "hw/cupti/cupti_paths.hpp"

#include "hw/loader/library_search.hpp"

#include <array>

namespace coulomb::hw {
namespace {

// The range profiler came with 12.6; then the unversioned link of a toolkit.
constexpr std::array<const char*, 3> kSonames = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
// Toolkits from NVIDIA's installers keep CUPTI apart; distributions and wheels put it with the
// rest.
constexpr std::array<const char*, 2> kDirectories = {"lib64", "extras/CUPTI/lib64"};

} // namespace

CuptiPaths CuptiPaths::from_environment() {
  CuptiPaths paths;
  paths.cupti = environment_variable("COULOMB_CUPTI");
  paths.cuda_home = environment_variable("CUDA_HOME");
  return paths;
}

std::vector<std::string> CuptiPaths::candidates() const {
  return LibrarySearch{cupti, cuda_home, kSonames, kDirectories}.candidates();
}

} // namespace coulomb::hw
