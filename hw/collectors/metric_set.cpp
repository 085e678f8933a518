// SPDX-License-Identifier: Apache-2.0
#include "hw/collectors/metric_set.hpp"

#include "base/config/file_problems.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/ranges.h>

namespace coulomb::hw {
namespace {

namespace fs = std::filesystem;
using config::TomlFile;
using config::TomlKind;
using config::TomlSetting;
using Strings = std::vector<std::string>;

constexpr std::array<std::string_view, 2> kKinds = {"counter", "gauge"};

std::string text_of(const TomlSetting& s) {
  if (s.kind != TomlKind::text || s.text.empty()) {
    throw UserError("must be a text that is not empty");
  }
  return s.text;
}

Strings texts_of(const TomlSetting& s) {
  const bool texts = std::all_of(s.scalars.begin(), s.scalars.end(), [](config::TomlScalar scalar) {
    return scalar == config::TomlScalar::text;
  });
  if (s.kind != TomlKind::list || s.items.empty() || !texts) {
    throw UserError("must be a list of texts that is not empty");
  }
  return s.items;
}

CollectorKind kind_of(const TomlSetting& s) {
  const std::string word = text_of(s);
  const auto it = std::find(kKinds.begin(), kKinds.end(), word);
  if (it == kKinds.end()) {
    throw UserError(fmt::format("one of: {}{}", fmt::join(kKinds, ", "),
                                did_you_mean(word, {kKinds.begin(), kKinds.end()})));
  }
  return static_cast<CollectorKind>(it - kKinds.begin());
}

[[noreturn]] void refuse_key(const std::string& key, const Strings& known) {
  throw UserError(
      fmt::format("unknown key{}; known: {}", did_you_mean(key, known), fmt::join(known, ", ")));
}

MetricSet load(const std::string& path, Strings open);

/// Reads one file and those that it includes, collecting every mistake of the file.
class SetReader {
public:
  /// `open`: names of the sets that are being read, outermost first.
  SetReader(const std::string& path, Strings open)
      : file_(config::read_toml_file(path)), open_(std::move(open)) {
    set_.path = path;
    set_.name = fs::path(path).stem().string();
    open_.push_back(set_.name);
  }

  MetricSet read() {
    bool schema = false;
    for (const TomlSetting& s : file_.settings) {
      schema = schema || s.key == "schema";
      problems_.guard(s.key, s.place, [&] { top_level(s); });
    }
    for (const TomlFile::Group& g : file_.groups) {
      problems_.guard(g.name, g.place, [&] { group(g); });
    }
    problems_.require(schema, "schema", "missing: it must be 1");
    problems_.require(!set_.description.empty(), "description", "missing");
    if (problems_.none() && set_.metrics.empty()) {
      problems_.add("metric", "the set has no [[metric]] and includes none");
    }
    problems_.throw_if_any(file_.path,
                           "the sets in configs/collectors show what belongs in this file");
    return std::move(set_);
  }

private:
  void top_level(const TomlSetting& s) {
    if (s.key == "schema") {
      if (s.text != "1" || s.kind != TomlKind::number) {
        throw UserError("must be 1, the only version that this release reads");
      }
    } else if (s.key == "description") {
      set_.description = text_of(s);
    } else if (s.key == "include") {
      for (const std::string& name : texts_of(s)) {
        problems_.guard(s.key, s.place, [&] { include(name); });
      }
    } else {
      refuse_key(s.key, {"schema", "description", "include", "metric"});
    }
  }

  void include(const std::string& name) {
    if (std::find(open_.begin(), open_.end(), name) != open_.end()) {
      throw UserError(fmt::format("{} includes itself", name));
    }
    const fs::path dir = fs::path(set_.path).parent_path();
    const fs::path path = dir / (name + ".toml");
    std::error_code ec;
    if (!fs::exists(path, ec)) {
      const Strings there = metric_set_names(dir.empty() ? "." : dir.string());
      throw UserError(fmt::format("there is no set \"{}\"{}; there are: {}", name,
                                  did_you_mean(name, there), fmt::join(there, ", ")));
    }
    for (const CollectedMetric& metric : load(path.string(), open_).metrics) {
      append(metric);
    }
  }

  void group(const TomlFile::Group& g) {
    if (g.name != "metric") {
      refuse_key(g.name, {"metric"});
    }
    CollectedMetric metric;
    metric.where = fmt::format("{}:{}", file_.path, g.place.line);
    for (const TomlSetting& s : g.settings) {
      problems_.guard(s.key, s.place, [&] { setting(s, metric); });
    }
    bool complete = true;
    for (const char* key : {"name", "kind", "description", "metric", "unit"}) {
      const bool there = std::any_of(g.settings.begin(), g.settings.end(),
                                     [key](const TomlSetting& s) { return s.key == key; });
      if (!there) {
        problems_.add(key, "missing", g.place);
      }
      complete = complete && there;
    }
    // A name or metric that could not be read was told of already.
    if (!complete || metric.name.empty() || metric.metric.empty()) {
      return;
    }
    append(metric);
  }

  static void setting(const TomlSetting& s, CollectedMetric& metric) {
    if (s.key == "kind") {
      metric.kind = kind_of(s);
    } else if (s.key == "chips") {
      metric.chips = texts_of(s);
    } else if (std::string* const value = s.key == "name"          ? &metric.name
                                          : s.key == "description" ? &metric.description
                                          : s.key == "metric"      ? &metric.metric
                                          : s.key == "unit"        ? &metric.unit
                                                                   : nullptr) {
      *value = text_of(s);
    } else {
      refuse_key(s.key, {"name", "kind", "description", "metric", "unit", "chips"});
    }
  }

  /// Adds a metric unless it would be there twice.
  void append(const CollectedMetric& metric) {
    for (const CollectedMetric& other : set_.metrics) {
      const char* same = other.name == metric.name       ? "name"
                         : other.metric == metric.metric ? "metric"
                                                         : nullptr;
      if (same != nullptr) {
        throw UserError(fmt::format("{} ({}) has the same {} as the one of {}", metric.name,
                                    metric.metric, same, other.where));
      }
    }
    set_.metrics.push_back(metric);
  }

  TomlFile file_;
  Strings open_;
  MetricSet set_;
  config::FileProblems problems_;
};

MetricSet load(const std::string& path, Strings open) {
  return SetReader(path, std::move(open)).read();
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
