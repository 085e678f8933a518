// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/config/provenance.hpp"
#include "base/config/toml_file.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace coulomb::config {

/// One GPU file laid over a configuration. Collects every mistake instead of stopping at the first.
class GpuFile {
public:
  /// Throws UserError when the file cannot be read or is not TOML.
  explicit GpuFile(const std::string& path);

  /// Id that the file extends; empty when it stands alone.
  [[nodiscard]] const std::string& extends() const { return extends_; }
  /// Records a mistake in the line `extends = ...`. Keys and relations that the preset would give
  /// are then not asked for.
  void reject_extends(const std::string& why);
  /// Sets the file's values and their provenance. Values without a `[[provenance]]` get kind
  /// "user".
  void apply_to(GpuConfig& config, ProvenanceMap& provenance);
  /// Records as mistakes the keys that neither this file nor its preset gives.
  void require_all_keys(const ProvenanceMap& provenance);
  /// Records the relations between parameters that do not hold, each at a line that takes part in
  /// it. Relations with a parameter that itself is wrong or missing are left out.
  void check_relations(const GpuConfig& config);
  /// Throws UserError with all recorded mistakes, if any.
  void throw_if_wrong() const;

private:
  void apply_setting(const TomlSetting& setting, GpuConfig& config, ProvenanceMap& provenance);
  /// Records that the value of `key` cannot be used.
  void reject(const std::string& key, std::string why, const SourcePlace& place);
  void apply_provenance(const TomlFile::Group& group, ProvenanceMap& provenance);

  TomlFile file_;
  std::string extends_;
  bool preset_known_ = true; ///< false: `extends` names nothing that could be read
  std::vector<TomlProblem> problems_;
  std::set<std::string, std::less<>> wrong_; ///< keys without a value that can be used
};

} // namespace coulomb::config
