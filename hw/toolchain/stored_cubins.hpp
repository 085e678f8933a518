// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/eval/compilation.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coulomb::toolchain {

/// One cubin that comes with Coulomb.
struct StoredCubin {
  std::string key;  ///< content_key of its request
  std::string file; ///< in the directory of the index
  std::string kernel_name;
  std::string architecture;
  std::vector<std::string> options;
  std::string checksum; ///< hash128 of the file
  std::string cubin_hash;
  std::string entry_name;
  std::string log;
  double compile_s = 0.0; ///< when it was made
};

/// Read-only second level of the kernel cache: a few cubins in data/cubins, so that the examples
/// run where there is no CUDA Toolkit. index.json lists them.
class StoredCubins {
public:
  StoredCubins() = default;
  /// An empty name, or a directory without index.json, means no cubins. Throws UserError for a
  /// malformed index.
  explicit StoredCubins(std::string directory);

  /// The outcome for `key`, if it is stored and its file is whole. `id` is the caller's to set.
  [[nodiscard]] std::optional<eval::CompileOutcome> find(const std::string& key) const;
  /// NVRTC release that made them, "13.0"; empty if there are none.
  [[nodiscard]] const std::string& nvrtc_version() const { return nvrtc_version_; }
  [[nodiscard]] const std::map<std::string, StoredCubin>& entries() const { return entries_; }

  /// Text of index.json.
  [[nodiscard]] static std::string index_text(const std::string& nvrtc_version,
                                              const std::vector<StoredCubin>& cubins);

private:
  std::string directory_;
  std::string nvrtc_version_;
  std::map<std::string, StoredCubin> entries_; ///< by key
};

} // namespace coulomb::toolchain
