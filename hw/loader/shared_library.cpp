// SPDX-License-Identifier: Apache-2.0
#include "hw/loader/shared_library.hpp"

#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>

namespace coulomb::hw {

namespace fs = std::filesystem;

std::optional<SharedLibrary> SharedLibrary::open(const std::vector<std::string>& candidates,
                                                 std::string& why) {
  std::string refused; // a library that exists but does not load explains more than any list
  for (const auto& candidate : candidates) {
    if (void* loaded = ::dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL); loaded != nullptr) {
      return SharedLibrary({loaded, [](void* handle) { ::dlclose(handle); }}, candidate);
    }
    const char* reason = ::dlerror();
    std::error_code ec;
    if (refused.empty() && fs::exists(candidate, ec) && reason != nullptr) {
      refused = fmt::format("; {} does not load: {}", candidate, reason);
    }
  }
  why = fmt::format("looked for {}{}", fmt::join(candidates, ", "), refused);
  return std::nullopt;
}

void* SharedLibrary::symbol(const char* name) const {
  return ::dlsym(handle_.get(), name);
}

std::string SharedLibrary::path_of(const char* symbol_name) const {
  void* const address = symbol(symbol_name);
  Dl_info info{};
  if (address == nullptr || ::dladdr(address, &info) == 0 || info.dli_fname == nullptr) {
    return candidate_;
  }
  std::error_code ec;
  const fs::path real = fs::canonical(info.dli_fname, ec);
  return ec ? std::string{info.dli_fname} : real.string();
}

} // namespace coulomb::hw
