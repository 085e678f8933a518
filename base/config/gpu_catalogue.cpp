// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"

#include "base/config/cross_checks.hpp"
#include "base/config/field.hpp"
#include "base/config/gpu_file.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>

namespace coulomb::config {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".toml";

std::string preset_path(const std::string& dir, const std::string& id) {
  return (fs::path(dir) / (id + std::string(kExtension))).string();
}

bool is_path(const std::string& id_or_path) {
  return id_or_path.find('/') != std::string::npos || id_or_path.ends_with(kExtension);
}

std::string find_gpu(const std::string& id_or_path, const std::string& dir) {
  if (is_path(id_or_path)) {
    return id_or_path;
  }
  const std::vector<std::string> known = list_gpus(dir);
  if (std::find(known.begin(), known.end(), id_or_path) == known.end()) {
    throw UserError(fmt::format("unknown GPU \"{}\"{}; known: {}", id_or_path,
                                did_you_mean(id_or_path, known), fmt::join(known, ", ")),
                    "to use a file of your own, give its path ending in .toml");
  }
  return preset_path(dir, id_or_path);
}

/// Why `id` cannot be extended, or nothing. `base` then holds it, applied.
std::string apply_preset(const std::string& id, const std::string& dir, ResolvedGpu& gpu) {
  const std::vector<std::string> known = list_gpus(dir);
  if (std::find(known.begin(), known.end(), id) == known.end()) {
    return fmt::format("one of: {}{}; found \"{}\"", fmt::join(known, ", "),
                       did_you_mean(id, known), id);
  }
  GpuFile preset(preset_path(dir, id));
  if (!preset.extends().empty()) {
    return fmt::format("\"{}\" itself extends \"{}\"; extend that one (one level only)", id,
                       preset.extends());
  }
  preset.apply_to(gpu.config, gpu.provenance);
  preset.require_all_keys(gpu.provenance);
  preset.throw_if_wrong();
  return {};
}

/// Splits "key=value", sets it in `config`; returns what is wrong, or nothing.
std::string apply_override(GpuConfig& config, const std::string& override_text) {
  const std::size_t equals = override_text.find('=');
  if (equals == std::string::npos || equals == 0) {
    return fmt::format("--set {}: expected KEY=VALUE, e.g. sm.l1.size=\"256 KiB\"", override_text);
  }
  const std::string key = override_text.substr(0, equals);
  const std::string value = override_text.substr(equals + 1);
  const std::vector<std::string> known = keys();
  if (key == "id" || std::find(known.begin(), known.end(), key) == known.end()) {
    return fmt::format("--set {}: unknown configuration key \"{}\"{}", override_text, key,
                       key == "id" ? "" : did_you_mean(key, known));
  }
  if (const auto wrong = assign(field(config, key), value)) {
    return fmt::format("--set {}: {}; found \"{}\"", key, *wrong, value);
  }
  return {};
}

} // namespace

std::string default_gpu_dir() {
  return (fs::path(home_dir()) / "configs" / "gpu").string();
}

std::vector<std::string> list_gpus(const std::string& dir) {
  std::error_code error;
  std::vector<std::string> ids;
  for (fs::directory_iterator it(dir, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == kExtension) {
      ids.push_back(it->path().stem().string());
    }
  }
  if (error) {
    throw EnvironmentError(fmt::format("cannot list the GPUs in {}: {}", dir, error.message()),
                           "set COULOMB_HOME to the folder that holds configs/ and kernels/");
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::string> apply_overrides(GpuConfig& config,
                                         const std::vector<std::string>& overrides) {
  GpuConfig changed = config;
  std::vector<std::string> problems;
  for (const std::string& o : overrides) {
    if (std::string problem = apply_override(changed, o); !problem.empty()) {
      problems.push_back(std::move(problem));
    }
  }
  if (problems.empty()) {
    for (const CrossProblem& p : cross_checks(changed)) {
      problems.push_back(
          fmt::format("after --set {}: {}: {}", fmt::join(overrides, " --set "), p.key, p.text));
    }
  }
  if (!problems.empty()) {
    throw UserError(fmt::format("{}", fmt::join(problems, "\nerror: ")),
                    "all keys: coulomb config list; one key: coulomb config explain KEY");
  }
  std::vector<std::string> keys_changed;
  for (const Difference& d : diff(config, changed)) {
    keys_changed.push_back(d.key);
  }
  std::sort(keys_changed.begin(), keys_changed.end());
  config = std::move(changed);
  return keys_changed;
}

ResolvedGpu load_gpu(const std::string& id_or_path,
                     const std::vector<std::string>& overrides,
                     const std::string& dir) {
  ResolvedGpu gpu;
  gpu.path = find_gpu(id_or_path, dir);
  GpuFile file(gpu.path);
  gpu.extends = file.extends();
  if (!gpu.extends.empty()) {
    if (const std::string why = apply_preset(gpu.extends, dir, gpu); !why.empty()) {
      file.reject_extends(why);
    }
  }
  file.apply_to(gpu.config, gpu.provenance);
  file.require_all_keys(gpu.provenance);
  file.check_relations(gpu.config);
  file.throw_if_wrong();
  gpu.config.id = fs::path(gpu.path).stem().string();
  gpu.changed = apply_overrides(gpu.config, overrides);
  for (const std::string& key : gpu.changed) {
    gpu.provenance[key] = {"user", "--set", {}, {}, {}};
  }
  return gpu;
}

std::vector<std::pair<std::string, std::size_t>> provenance_counts(const ResolvedGpu& gpu) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (const std::string_view kind : kProvenanceKinds) {
    const auto n = std::count_if(gpu.provenance.begin(), gpu.provenance.end(),
                                 [&](const auto& entry) { return entry.second.kind == kind; });
    if (n > 0) {
      counts.emplace_back(kind, static_cast<std::size_t>(n));
    }
  }
  return counts;
}

std::vector<Difference> diff(const GpuConfig& before, const GpuConfig& after) {
  GpuConfig a = before;
  GpuConfig b = after;
  const std::vector<Field> old_fields = fields(a);
  const std::vector<Field> new_fields = fields(b);
  std::vector<Difference> differences;
  for (std::size_t i = 0; i < old_fields.size(); ++i) {
    std::string old_value = format_value(old_fields[i]);
    std::string new_value = format_value(new_fields[i]);
    if (old_fields[i].key != "id" && old_value != new_value) {
      differences.push_back({old_fields[i].key, std::move(old_value), std::move(new_value)});
    }
  }
  return differences;
}

} // namespace coulomb::config
