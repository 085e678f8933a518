// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::hw {

/// A library that was loaded at run time; unloaded with the last copy of this.
class SharedLibrary {
public:
  /// Tries `candidates` (absolute paths, or bare names for the loader's own search) in order.
  /// Nothing if none loads; `why` then says what was tried, and why a file that exists did not
  /// load.
  [[nodiscard]] static std::optional<SharedLibrary> open(const std::vector<std::string>& candidates,
                                                         std::string& why);

  /// The function of that name, or null.
  template <class Function>
  [[nodiscard]] Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

  /// File that the loader took for a symbol of this library; the candidate's name if it does not
  /// tell.
  [[nodiscard]] std::string path_of(const char* symbol_name) const;

private:
  SharedLibrary(std::shared_ptr<void> handle, std::string candidate)
      : handle_(std::move(handle)), candidate_(std::move(candidate)) {}
  [[nodiscard]] void* symbol(const char* name) const;

  std::shared_ptr<void> handle_;
  std::string candidate_;
};

} // namespace coulomb::hw
