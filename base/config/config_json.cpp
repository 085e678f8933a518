// SPDX-License-Identifier: Apache-2.0
#include "base/config/config_json.hpp"

#include "base/config/field.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace coulomb::config {
namespace {

using Json = nlohmann::ordered_json;

Json::json_pointer pointer(std::string key) {
  std::replace(key.begin(), key.end(), '.', '/');
  return Json::json_pointer("/" + key);
}

/// Sets a member from JSON; returns what is wrong with it, or nothing.
std::string read_member(const Field& f, const Json& value) {
  if (auto* const* text = std::get_if<std::string*>(&f.member)) {
    if (!value.is_string()) {
      return "expected a text";
    }
    // An empty text is what a config that no file has filled in holds.
    const auto content = value.get<std::string>();
    if (content.empty()) {
      (*text)->clear();
      return {};
    }
    return assign(f, content).value_or("");
  }
  // Strings ("256 KiB") are for people; between machines a number is a number.
  if (value.is_string() || value.is_object()) {
    return fmt::format("expected {}", f.spec.unit == Unit::flag ? "true or false" : "a number");
  }
  return assign(f, value.dump()).value_or("");
}

void collect_unknown(const Json& object,
                     const std::string& prefix,
                     const std::vector<std::string>& known,
                     std::vector<std::string>& problems) {
  for (const auto& [name, value] : object.items()) {
    const std::string key = prefix + name;
    if (std::find(known.begin(), known.end(), key) != known.end()) {
      continue;
    }
    if (value.is_object() && !value.empty()) {
      collect_unknown(value, key + ".", known, problems);
    } else {
      problems.push_back(fmt::format("{}: unknown key{}", key, did_you_mean(key, known)));
    }
  }
}

} // namespace

std::string to_json_text(const GpuConfig& config) {
  GpuConfig copy = config;
  Json root = Json::object();
  for (const Field& f : fields(copy)) {
    root[pointer(f.key)] = std::visit([](const auto* member) { return Json(*member); }, f.member);
  }
  return root.dump();
}

GpuConfig gpu_config_from_json(const std::string& text) {
  const Json root = Json::parse(text, nullptr, false);
  if (!root.is_object()) {
    throw UserError("GPU configuration: expected one JSON object");
  }
  GpuConfig config;
  std::vector<std::string> problems;
  for (const Field& f : fields(config)) {
    const auto at = pointer(f.key);
    if (!root.contains(at)) {
      problems.push_back(fmt::format("{}: missing", f.key));
    } else if (std::string wrong = read_member(f, root.at(at)); !wrong.empty()) {
      problems.push_back(fmt::format("{}: {}; found {}", f.key, wrong, root.at(at).dump()));
    }
  }
  collect_unknown(root, "", keys(), problems);
  if (!problems.empty()) {
    throw UserError(fmt::format("GPU configuration (JSON): {}", fmt::join(problems, "\nerror: ")),
                    "it may come from another version of coulomb: resolve the GPU again");
  }
  return config;
}

} // namespace coulomb::config
