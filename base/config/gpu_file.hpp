// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/config/provenance.hpp"
#include "base/config/toml_file.hpp"

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
  /// Records a mistake in the line `extends = ...`.
  void reject_extends(const std::string& why);
  /// Sets the file's values and their provenance. Values without a `[[provenance]]` get kind
  /// "user".
  void apply_to(GpuConfig& config, ProvenanceMap& provenance);
  /// Records as mistakes the keys that neither this file nor its preset gives.
  void require_all_keys(const ProvenanceMap& provenance);
  /// Records the relations between parameters that do not hold.
  void check_relations(const GpuConfig& config);
  /// Throws UserError with all recorded mistakes, if any.
  void throw_if_wrong() const;

private:
  void apply_setting(const TomlSetting& setting, GpuConfig& config, ProvenanceMap& provenance);
  void apply_provenance(const TomlFile::Group& group, ProvenanceMap& provenance);

  TomlFile file_;
  std::string extends_;
  std::vector<TomlProblem> problems_;
};

} // namespace coulomb::config
