// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/config/gpu_config.hpp"
#include "base/config/provenance.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coulomb::config {

/// A configuration ready for the model, and where each of its numbers comes from.
struct ResolvedGpu {
  GpuConfig config;
  std::string path;    ///< file it was read from
  std::string extends; ///< id of the preset that the file extends, or empty
  ProvenanceMap provenance;
  std::vector<std::string> changed; ///< keys to which an override gave another value
};

/// configs/gpu of this installation.
[[nodiscard]] std::string default_gpu_dir();

/// Ids of the GPUs in `dir`, sorted: the names of its .toml files.
/// Throws EnvironmentError when the folder cannot be read.
[[nodiscard]] std::vector<std::string> list_gpus(const std::string& dir = default_gpu_dir());

/// Reads the GPU named `id_or_path` (an id of `dir`, or the path of a .toml file), then applies
/// `overrides`
/// ("sm.l1.size=256 KiB"). A file may extend one preset of `dir`; order: preset < file < overrides.
/// Throws UserError naming every mistake of the file, or of the overrides, at once.
[[nodiscard]] ResolvedGpu load_gpu(const std::string& id_or_path,
                                   const std::vector<std::string>& overrides = {},
                                   const std::string& dir = default_gpu_dir());

/// Applies "key=value" overrides in order and returns the keys whose value is now another, sorted.
/// Throws UserError naming every mistake at once; `config` is then unchanged.
std::vector<std::string> apply_overrides(GpuConfig& config,
                                         const std::vector<std::string>& overrides);

/// Number of parameters per provenance kind, in the order of kProvenanceKinds, without zeros.
[[nodiscard]] std::vector<std::pair<std::string, std::size_t>>
provenance_counts(const ResolvedGpu& gpu);

/// One parameter in which two configurations differ, values with units.
struct Difference {
  std::string key;
  std::string old_value;
  std::string new_value;
  bool operator==(const Difference&) const = default;
};

/// The parameters in which `after` differs from `before`, `id` excepted, in the order of fields().
[[nodiscard]] std::vector<Difference> diff(const GpuConfig& before, const GpuConfig& after);

} // namespace coulomb::config
