// SPDX-License-Identifier: Apache-2.0
#ifdef COULOMB_HAS_RANGE_PROFILER

#include "hw/cupti/cupti_library.hpp"

#include <dlfcn.h>
#include <type_traits>

namespace coulomb::hw {
namespace {

constexpr const char* kFix =
    "install the CUDA Toolkit (12.6 or newer; its package cuda-cupti is enough) and set CUDA_HOME, "
    "or point COULOMB_CUPTI at libcupti.so; without it there are times but no counters";

SharedLibrary open(const CuptiPaths& paths) {
  std::string why;
  if (auto library = SharedLibrary::open(paths.candidates(), why)) {
    return *library;
  }
  throw CounterProblem(CounterObstacle::no_library, "cannot load CUPTI; " + why, kFix);
}

template <class Function>
void resolve(const SharedLibrary& library,
             Function& function,
             const char* name,
             const std::string& path) {
  function = library.function<std::remove_pointer_t<Function>>(name);
  if (function == nullptr) {
    throw CounterProblem(CounterObstacle::no_library,
                         fmt::format("{} has no function {}: not CUPTI 12.6 or newer", path, name),
                         kFix);
  }
}

} // namespace

CuptiLibrary::CuptiLibrary(const CuptiPaths& paths)
    : library_(open(paths)), path_(library_.path_of("cuptiGetVersion")) {
#define COULOMB_CUPTI_RESOLVE(function) resolve(library_, function, #function, path_);
  COULOMB_CUPTI_FUNCTIONS(COULOMB_CUPTI_RESOLVE)
#undef COULOMB_CUPTI_RESOLVE
  // CUPTI leaves threads and callbacks in the driver behind: it must not be unloaded.
  ::dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  std::uint32_t version = 0;
  check(cuptiGetVersion(&version), "cuptiGetVersion");
  version_ = std::to_string(version);
}

void CuptiLibrary::check(CUptiResult result, const char* call) const {
  if (result == CUPTI_SUCCESS) {
    return;
  }
  const char* name = nullptr;
  if (cuptiGetResultString(result, &name) != CUPTI_SUCCESS || name == nullptr) {
    name = "unknown result";
  }
  throw counter_problem_of(result, call, fmt::format("{}, {}", static_cast<int>(result), name));
}

} // namespace coulomb::hw

#endif
