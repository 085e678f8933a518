// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/gpu_file_text.hpp"

#include "base/config/field.hpp"
#include "base/config/quantity.hpp"

#include <charconv>
#include <filesystem>
#include <fmt/ranges.h>
#include <optional>
#include <sstream>
#include <vector>

namespace coulomb::calibration {
namespace {

/// As a basic string of TOML.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out += c;
    }
  }
  return out + '"';
}

/// Numbers and truth values bare; what has a unit, and texts, in quotes.
std::string toml_value(const config::Field& field) {
  const std::string text = config::format_value(field);
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool bare = error == std::errc() && end == text.data() + text.size();
  return field.spec.unit == config::Unit::flag || (bare && field.spec.unit != config::Unit::text)
             ? text
             : quoted(text);
}

std::string provenance_text(const config::Provenance& p, const std::vector<std::string>& keys) {
  std::string out =
      fmt::format("\n[[provenance]]\nkind = {}\nsource = {}\n", quoted(p.kind), quoted(p.source));
  for (const auto& [name, value] :
       {std::pair{"date", p.date}, std::pair{"confidence", p.confidence},
        std::pair{"note", p.note}}) {
    if (!value.empty()) {
      out += fmt::format("{} = {}\n", name, quoted(value));
    }
  }
  std::vector<std::string> names;
  for (const std::string& key : keys) {
    names.push_back(quoted(key));
  }
  return out + fmt::format("keys = [{}]\n", fmt::join(names, ", "));
}

/// Keys that share a source, groups in the order of their first key.
using Group = std::pair<config::Provenance, std::vector<std::string>>;

void add_to_groups(std::vector<Group>& groups,
                   const config::Provenance& provenance,
                   const std::string& key) {
  for (Group& group : groups) {
    if (group.first == provenance) {
      group.second.push_back(key);
      return;
    }
  }
  groups.emplace_back(provenance, std::vector<std::string>{key});
}

} // namespace

std::string gpu_file_text(const config::ResolvedGpu& gpu,
                          const std::string& preset,
                          const std::string& heading) {
  std::string out;
  std::istringstream lines(heading);
  for (std::string line; std::getline(lines, line);) {
    out += fmt::format("# {}\n", line);
  }
  std::optional<config::ResolvedGpu> base;
  if (!preset.empty()) {
    base = config::load_gpu(preset);
    out += fmt::format("extends = {}\n", quoted(preset));
  }
  config::GpuConfig config = gpu.config;
  std::vector<Group> groups;
  for (const config::Field& field : config::fields(config)) {
    if (field.key == "id") {
      continue; // the name of the file
    }
    if (!base || config::format_value(field) !=
                     config::format_value(config::field(base->config, field.key))) {
      out += fmt::format("{} = {}\n", field.key, toml_value(field));
    }
    const auto source = gpu.provenance.find(field.key);
    if (source != gpu.provenance.end() &&
        !(base && base->provenance.at(field.key) == source->second)) {
      add_to_groups(groups, source->second, field.key);
    }
  }
  for (const auto& [provenance, keys] : groups) {
    out += provenance_text(provenance, keys);
  }
  return out;
}

std::string preset_for(const config::ResolvedGpu& gpu, const std::string& dir) {
  if (!gpu.extends.empty()) {
    return gpu.extends;
  }
  std::error_code error;
  const auto own = std::filesystem::path(dir) / (gpu.config.id + ".toml");
  return std::filesystem::equivalent(gpu.path, own, error) ? gpu.config.id : std::string();
}

} // namespace coulomb::calibration
