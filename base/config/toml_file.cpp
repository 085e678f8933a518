// SPDX-License-Identifier: Apache-2.0
#include "base/config/toml_file.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <map>
#include <sstream>
#include <toml.hpp> // the only file that includes it: it costs seconds to compile

namespace coulomb::config {
namespace {

using TomlValue = toml::basic_value<toml::discard_comments, std::map, std::vector>;

SourcePlace place_of(const toml::source_location& location) {
  SourcePlace place{location.line(), location.column(), location.region(), location.line_str()};
  const auto width = static_cast<std::uint32_t>(place.line_text.size());
  place.column = std::min(place.column, width + 1);
  // A region may run over several lines; only its first is shown.
  place.length = std::max(1U, std::min(place.length, width + 1 - place.column));
  return place;
}

std::string scalar_text(const TomlValue& value) {
  if (value.is_integer()) {
    return std::to_string(value.as_integer());
  }
  if (value.is_floating()) {
    return fmt::format("{}", value.as_floating());
  }
  if (value.is_string()) {
    return value.as_string().str;
  }
  if (value.is_boolean()) {
    return value.as_boolean() ? "true" : "false";
  }
  return {};
}

TomlKind kind_of(const TomlValue& value) {
  if (value.is_integer() || value.is_floating()) {
    return TomlKind::number;
  }
  if (value.is_string()) {
    return TomlKind::text;
  }
  if (value.is_boolean()) {
    return TomlKind::flag;
  }
  if (value.is_array()) {
    return TomlKind::list;
  }
  return value.is_table() ? TomlKind::table : TomlKind::other;
}

TomlScalar scalar_of(const TomlValue& value) {
  if (value.is_integer()) {
    return TomlScalar::integer;
  }
  switch (kind_of(value)) {
  case TomlKind::number:
    return TomlScalar::real;
  case TomlKind::text:
    return TomlScalar::text;
  case TomlKind::flag:
    return TomlScalar::flag;
  default:
    return TomlScalar::other;
  }
}

TomlSetting setting_of(const std::string& key, const TomlValue& value) {
  TomlSetting setting{key, kind_of(value), scalar_text(value), {}, place_of(value.location())};
  if (setting.kind == TomlKind::list) {
    for (const TomlValue& item : value.as_array()) {
      setting.items.push_back(scalar_text(item));
      setting.scalars.push_back(scalar_of(item));
    }
    setting.text = fmt::format("[{}]", fmt::join(setting.items, ", "));
  } else {
    setting.scalars.push_back(scalar_of(value));
  }
  return setting;
}

bool is_array_of_tables(const TomlValue& value) {
  return value.is_array() && !value.as_array().empty() && value.as_array().front().is_table();
}

void flatten(const TomlValue& table, const std::string& prefix, TomlFile& file) {
  for (const auto& [name, value] : table.as_table()) {
    const std::string key = prefix + name;
    if (value.is_table() && !value.as_table().empty()) {
      flatten(value, key + ".", file);
    } else if (is_array_of_tables(value)) {
      for (const TomlValue& item : value.as_array()) {
        TomlFile::Group group{key, place_of(item.location()), {}};
        if (item.is_table()) {
          for (const auto& [item_name, item_value] : item.as_table()) {
            group.settings.push_back(setting_of(item_name, item_value));
          }
        }
        file.groups.push_back(std::move(group));
      }
    } else {
      file.settings.push_back(setting_of(key, value));
    }
  }
}

std::string format_problem(const std::string& path, const TomlProblem& problem) {
  if (problem.place.line == 0) {
    return fmt::format("{}\n --> {}\n     {}", problem.key, path, problem.text);
  }
  const std::string number = std::to_string(problem.place.line);
  return fmt::format("{}\n --> {}:{}:{}\n {} | {}\n {:{}} | {:{}}{} {}", problem.key, path, number,
                     problem.place.column, number, problem.place.line_text, "", number.size(), "",
                     problem.place.column - 1, std::string(problem.place.length, '~'),
                     problem.text);
}

/// toml11's own text is "[error] toml::parse_x: reason" and then lines of its own layout.
std::string syntax_reason(const toml::syntax_error& error) {
  std::string reason = error.what();
  reason = reason.substr(0, reason.find('\n'));
  if (const std::size_t colon = reason.find(": "); colon != std::string::npos) {
    reason = reason.substr(colon + 2);
  }
  return reason;
}

} // namespace

TomlFile read_toml_file(const std::string& path) {
  std::istringstream in(read_file(path));
  TomlFile file;
  file.path = path;
  try {
    const auto root = toml::parse<toml::discard_comments, std::map, std::vector>(in, path);
    flatten(root, "", file);
  } catch (const toml::syntax_error& e) {
    throw UserError(
        format_problems(path, {{"not valid TOML", syntax_reason(e), place_of(e.location())}}));
  }
  const auto by_place = [](const auto& a, const auto& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  };
  std::stable_sort(file.settings.begin(), file.settings.end(), by_place);
  std::stable_sort(file.groups.begin(), file.groups.end(), by_place);
  return file;
}

std::string format_problems(const std::string& path, std::vector<TomlProblem> problems) {
  std::stable_sort(problems.begin(), problems.end(), [](const auto& a, const auto& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  std::vector<std::string> parts;
  for (const TomlProblem& p : problems) {
    parts.push_back(format_problem(path, p));
  }
  return fmt::format("{}\n{} error{} in {}.", fmt::join(parts, "\nerror: "), problems.size(),
                     problems.size() == 1 ? "" : "s", path);
}

} // namespace coulomb::config
