// SPDX-License-Identifier: Apache-2.0
#include "hw/collectors/metric_set.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/ranges.h>
#include <sstream>
#include <toml.hpp>

namespace coulomb::hw {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

constexpr std::array<std::string_view, 2> kKinds = {"counter", "gauge"};

/// Everything that is wrong with one file, so that it can be mended in one go.
class Problems {
public:
  explicit Problems(const std::string& path) : path_(path) {}
  [[nodiscard]] std::string where(const toml::value& value) const {
    return fmt::format("{}:{}", path_, value.location().line());
  }
  void add(const toml::value& value, const std::string& text) {
    found_.emplace_back(value.location().line(), fmt::format("{}: {}", where(value), text));
  }
  void throw_if_any() {
    if (found_.empty()) {
      return;
    }
    std::stable_sort(found_.begin(), found_.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    Strings lines;
    for (const auto& [line, text] : found_) {
      lines.push_back(text);
    }
    throw UserError(fmt::format("{}", fmt::join(lines, "\n")),
                    "the sets in configs/collectors show what belongs in this file");
  }

private:
  const std::string& path_;
  std::vector<std::pair<std::size_t, std::string>> found_;
};

/// A key of a table: null, and a problem if it is required, when it is not there.
const toml::value*
entry_of(const toml::value& table, const std::string& key, bool required, Problems& problems) {
  const auto& entries = table.as_table();
  const auto it = entries.find(key);
  if (it == entries.end()) {
    if (required) {
      problems.add(table, fmt::format("missing key \"{}\"", key));
    }
    return nullptr;
  }
  return &it->second;
}

std::string text(const toml::value& table, const std::string& key, Problems& problems) {
  const toml::value* v = entry_of(table, key, true, problems);
  if (v == nullptr) {
    return {};
  }
  if (!v->is_string() || v->as_string().str.empty()) {
    problems.add(*v, fmt::format("{} must be a text that is not empty", key));
    return {};
  }
  return v->as_string().str;
}

Strings texts(const toml::value& table, const std::string& key, Problems& problems) {
  const toml::value* v = entry_of(table, key, false, problems);
  if (v == nullptr) {
    return {};
  }
  if (!v->is_array() || v->as_array().empty()) {
    problems.add(*v, fmt::format("{} must be a list of texts that is not empty", key));
    return {};
  }
  Strings out;
  for (const toml::value& element : v->as_array()) {
    if (element.is_string()) {
      out.push_back(element.as_string().str);
    } else {
      problems.add(element, fmt::format("{} must hold texts only", key));
    }
  }
  return out;
}

void check_keys(const toml::value& table, const Strings& known, Problems& problems) {
  for (const auto& [key, value] : table.as_table()) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      problems.add(value, fmt::format("unknown key \"{}\"{}; known: {}", key,
                                      did_you_mean(key, known), fmt::join(known, ", ")));
    }
  }
}

CollectorKind read_kind(const toml::value& table, Problems& problems) {
  const std::string word = text(table, "kind", problems);
  const auto it = std::find(kKinds.begin(), kKinds.end(), word);
  if (it != kKinds.end()) {
    return static_cast<CollectorKind>(it - kKinds.begin());
  }
  if (!word.empty()) {
    problems.add(*entry_of(table, "kind", false, problems),
                 fmt::format("kind is \"{}\"; one of: {}{}", word, fmt::join(kKinds, ", "),
                             did_you_mean(word, {kKinds.begin(), kKinds.end()})));
  }
  return CollectorKind::gauge;
}

CollectedMetric read_metric(const toml::value& table, Problems& problems) {
  CollectedMetric out;
  out.where = problems.where(table);
  out.name = text(table, "name", problems);
  out.kind = read_kind(table, problems);
  out.description = text(table, "description", problems);
  out.metric = text(table, "metric", problems);
  out.unit = text(table, "unit", problems);
  out.chips = texts(table, "chips", problems);
  check_keys(table, {"name", "kind", "description", "metric", "unit", "chips"}, problems);
  return out;
}

/// Adds a metric unless it would be there twice.
void append(const CollectedMetric& metric,
            const toml::value& place,
            MetricSet& set,
            Problems& problems) {
  for (const CollectedMetric& other : set.metrics) {
    const char* same = other.name == metric.name       ? "name"
                       : other.metric == metric.metric ? "metric"
                                                       : nullptr;
    if (same != nullptr && !metric.name.empty() && !metric.metric.empty()) {
      problems.add(place, fmt::format("{} ({}) has the same {} as the one of {}", metric.name,
                                      metric.metric, same, other.where));
      return;
    }
  }
  set.metrics.push_back(metric);
}

toml::value parse_file(const std::string& path) {
  const std::string contents = read_file(path);
  std::istringstream stream(contents);
  try {
    return toml::parse(stream, path);
  } catch (const toml::exception& e) {
    throw UserError(fmt::format("{}:{}: not valid TOML\n{}", path, e.location().line(), e.what()));
  }
}

MetricSet load(const std::string& path, Strings open);

void read_includes(const toml::value& root,
                   const Strings& open,
                   MetricSet& set,
                   Problems& problems) {
  const toml::value* place = entry_of(root, "include", false, problems);
  for (const std::string& name : texts(root, "include", problems)) {
    if (std::find(open.begin(), open.end(), name) != open.end()) {
      problems.add(*place, fmt::format("{} includes itself", name));
      continue;
    }
    const fs::path dir = fs::path(set.path).parent_path();
    std::error_code ec;
    if (!fs::exists(dir / (name + ".toml"), ec)) {
      const Strings there = metric_set_names(dir.empty() ? "." : dir.string());
      problems.add(*place, fmt::format("no set \"{}\" to include{}; there are: {}", name,
                                       did_you_mean(name, there), fmt::join(there, ", ")));
      continue;
    }
    for (const CollectedMetric& metric : load((dir / (name + ".toml")).string(), open).metrics) {
      append(metric, *place, set, problems);
    }
  }
}

/// `open`: names of the sets that are being read, outermost first.
MetricSet load(const std::string& path, Strings open) {
  const toml::value root = parse_file(path);
  MetricSet set;
  set.path = path;
  set.name = fs::path(path).stem().string();
  open.push_back(set.name);
  Problems problems(set.path);
  if (const toml::value* schema = entry_of(root, "schema", true, problems);
      schema != nullptr && (!schema->is_integer() || schema->as_integer() != 1)) {
    problems.add(*schema, "schema must be 1, the only version that this release reads");
  }
  set.description = text(root, "description", problems);
  read_includes(root, open, set, problems);
  if (const toml::value* metrics = entry_of(root, "metric", false, problems)) {
    if (!metrics->is_array()) {
      problems.add(*metrics, "metric must be a list of tables: [[metric]]");
    } else {
      for (const toml::value& table : metrics->as_array()) {
        if (table.is_table()) {
          append(read_metric(table, problems), table, set, problems);
        } else {
          problems.add(table, "metric must be a list of tables: [[metric]]");
        }
      }
    }
  }
  check_keys(root, {"schema", "description", "include", "metric"}, problems);
  problems.throw_if_any();
  if (set.metrics.empty()) {
    throw UserError(fmt::format("{}: the set has no [[metric]] and includes none", path));
  }
  return set;
}

} // namespace

std::string_view to_string(CollectorKind kind) {
  return kKinds[static_cast<std::size_t>(kind)];
}

bool CollectedMetric::on(std::string_view chip) const {
  return chips.empty() || std::find(chips.begin(), chips.end(), chip) != chips.end();
}

std::vector<std::string> MetricSet::metrics_on(std::string_view chip) const {
  std::vector<std::string> out;
  for (const CollectedMetric& m : metrics) {
    if (m.on(chip)) {
      out.push_back(m.metric);
    }
  }
  return out;
}

MetricSet load_metric_set(const std::string& path) {
  return load(path, {});
}

std::string collectors_dir() {
  return home_dir() + "/configs/collectors";
}

std::vector<std::string> metric_set_names(const std::string& dir) {
  std::vector<std::string> names;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(dir, ec)) {
    if (entry.path().extension() == ".toml") {
      names.push_back(entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

MetricSet find_metric_set(const std::string& name, const std::string& dir) {
  const std::vector<std::string> names = metric_set_names(dir);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw UserError(fmt::format("no metric set \"{}\" in {}{}; there are: {}", name, dir,
                                did_you_mean(name, names), fmt::join(names, ", ")),
                    "a set of your own: --file PATH.toml");
  }
  return load_metric_set(dir + "/" + name + ".toml");
}

} // namespace coulomb::hw
