// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/toml_file.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace coulomb::config {

/// All that is wrong with a file, so that one reading tells it all.
class FileProblems {
public:
  /// What `action` throws is a problem of this key at this place.
  template <class Action>
  void guard(const std::string& key, const SourcePlace& place, const Action& action) {
    try {
      action();
    } catch (const UserError& e) {
      add(key, e.what(), place);
    }
  }
  void add(const std::string& key, const std::string& text, const SourcePlace& place = {}) {
    all_.push_back({key, text, place});
  }
  /// The key is not there, unless what is wrong with it was said already.
  void require(bool present, const char* key, const char* text) {
    const bool said =
        std::any_of(all_.begin(), all_.end(), [&](const auto& p) { return p.key == key; });
    if (!present && !said) {
      add(key, text);
    }
  }
  [[nodiscard]] bool none() const { return all_.empty(); }
  /// For readers that add to it.
  [[nodiscard]] std::vector<TomlProblem>& list() { return all_; }
  /// Throws UserError with every problem, if there is one.
  void throw_if_any(const std::string& path, const std::string& hint) const {
    if (!none()) {
      throw UserError(format_problems(path, all_), hint);
    }
  }

private:
  std::vector<TomlProblem> all_;
};

} // namespace coulomb::config
