// SPDX-License-Identifier: Apache-2.0
#include "base/results/silicon_metadata.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/ranges.h>
#include <set>
#include <sstream>
#include <toml.hpp>

namespace coulomb::results {
namespace {

using kernel::Configuration;
using kernel::ParameterValue;

/// Everything that is wrong with one file, so that it can be mended in one go.
class Problems {
public:
  explicit Problems(const std::string& path) : path_(path) {}
  void add(std::size_t line, const std::string& text) { found_.emplace_back(line, text); }
  void throw_if_any() {
    if (found_.empty()) {
      return;
    }
    std::sort(found_.begin(), found_.end());
    std::vector<std::string> lines;
    for (const auto& [line, text] : found_) {
      lines.push_back(fmt::format("{}:{}: {}", path_, line, text));
    }
    throw UserError(fmt::format("{}", fmt::join(lines, "\n")),
                    "data/README.md and the tables in data/silicon show what belongs in this file");
  }

private:
  const std::string& path_;
  std::vector<std::pair<std::size_t, std::string>> found_;
};

std::size_t line_of(const toml::value& value) {
  return value.location().line();
}

/// One TOML table of the file. Keys that nobody asked for are unknown keys.
class Section {
public:
  Section(const toml::value& value, std::string name, Problems& problems)
      : value_(value), name_(std::move(name)), problems_(problems) {
    if (!value.is_table()) {
      problems_.add(line_of(value), fmt::format("{} must be a table", name_));
    }
  }

  std::string text(const std::string& key) {
    const auto* v = required(key);
    if (v != nullptr && (!v->is_string() || v->as_string().str.empty())) {
      problems_.add(line_of(*v), fmt::format("{} must be a text that is not empty", full(key)));
      return {};
    }
    return v == nullptr ? std::string{} : v->as_string().str;
  }

  std::string word(const std::string& key, const std::vector<std::string>& allowed) {
    std::string found = text(key);
    if (!found.empty() && std::find(allowed.begin(), allowed.end(), found) == allowed.end()) {
      problems_.add(line_of(*optional(key)),
                    fmt::format("{} is \"{}\"; one of: {}{}", full(key), found,
                                fmt::join(allowed, ", "), did_you_mean(found, allowed)));
    }
    return found;
  }

  double positive(const std::string& key) {
    const auto* v = required(key);
    if (v == nullptr) {
      return 0.0;
    }
    const double number = v->is_floating()  ? v->as_floating()
                          : v->is_integer() ? static_cast<double>(v->as_integer())
                                            : 0.0;
    if (!(number > 0.0)) {
      problems_.add(line_of(*v), fmt::format("{} must be a number above 0", full(key)));
    }
    return number;
  }

  std::vector<std::string> texts(const std::string& key) {
    std::vector<std::string> out;
    for (const auto& element : list(key)) {
      if (element.is_string()) {
        out.push_back(element.as_string().str);
      } else {
        problems_.add(line_of(element), fmt::format("{} must hold texts only", full(key)));
      }
    }
    return out;
  }

  std::vector<std::int64_t> integers(const std::string& key) {
    std::vector<std::int64_t> out;
    for (const auto& element : list(key)) {
      if (element.is_integer() && element.as_integer() > 0) {
        out.push_back(element.as_integer());
      } else {
        problems_.add(line_of(element), fmt::format("{} must hold integers above 0", full(key)));
      }
    }
    return out;
  }

  /// The value of a key that may be absent, else null.
  const toml::value* optional(const std::string& key) {
    asked_.insert(key);
    if (!value_.is_table()) {
      return nullptr;
    }
    const auto& table = value_.as_table();
    const auto it = table.find(key);
    return it == table.end() ? nullptr : &it->second;
  }

  const toml::value* required(const std::string& key) {
    const auto* v = optional(key);
    if (v == nullptr && value_.is_table()) {
      problems_.add(line_of(value_), fmt::format("missing key \"{}\"", full(key)));
    }
    return v;
  }

  /// Reports the keys that were not asked for. Call last.
  void finish() {
    if (!value_.is_table()) {
      return;
    }
    const std::vector<std::string> known(asked_.begin(), asked_.end());
    for (const auto& [key, value] : value_.as_table()) {
      if (asked_.count(key) == 0) {
        problems_.add(line_of(value),
                      fmt::format("unknown key \"{}\"{}; known: {}", full(key),
                                  did_you_mean(key, known), fmt::join(known, ", ")));
      }
    }
  }

  [[nodiscard]] std::string full(const std::string& key) const {
    return name_.empty() ? key : name_ + "." + key;
  }

private:
  std::vector<toml::value> list(const std::string& key) {
    const auto* v = required(key);
    if (v == nullptr) {
      return {};
    }
    if (!v->is_array() || v->as_array().empty()) {
      problems_.add(line_of(*v), fmt::format("{} must be a list that is not empty", full(key)));
      return {};
    }
    return v->as_array();
  }

  const toml::value& value_;
  std::string name_;
  Problems& problems_;
  std::set<std::string> asked_;
};

void read_board(const toml::value& value, SiliconMetadata& meta, Problems& problems) {
  Section s(value, "board", problems);
  meta.gpu = s.text("gpu");
  meta.sm_clock_mhz = s.positive("sm_clock_mhz");
  meta.memory_clock_mhz = s.positive("memory_clock_mhz");
  meta.clock_note = s.text("clock_note");
  s.finish();
}

std::vector<Configuration::Entry> read_defaults(const toml::value& value, Problems& problems) {
  std::vector<Configuration::Entry> out;
  if (!value.is_table()) {
    problems.add(line_of(value), "kernel.defaults must be a table");
    return out;
  }
  for (const auto& [key, v] : value.as_table()) {
    if (v.is_integer()) {
      out.emplace_back(key, ParameterValue{std::int64_t{v.as_integer()}});
    } else if (v.is_floating()) {
      out.emplace_back(key, ParameterValue{v.as_floating()});
    } else if (v.is_boolean()) {
      out.emplace_back(key, ParameterValue{v.as_boolean()});
    } else if (v.is_string()) {
      out.emplace_back(key, ParameterValue{v.as_string().str});
    } else {
      problems.add(
          line_of(v),
          fmt::format("kernel.defaults.{} must be a number, a truth value or a text", key));
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

void read_kernel(const toml::value& value, SiliconMetadata& meta, Problems& problems) {
  Section s(value, "kernel", problems);
  meta.spec = s.text("spec");
  meta.problem_size = s.integers("problem_size");
  meta.parameters = s.texts("parameters");
  if (const auto* texts = s.optional("texts")) {
    meta.texts = s.texts("texts");
    for (const auto& name : meta.texts) {
      if (std::find(meta.parameters.begin(), meta.parameters.end(), name) ==
          meta.parameters.end()) {
        problems.add(line_of(*texts),
                     fmt::format("kernel.texts names \"{}\", which kernel.parameters lacks{}", name,
                                 did_you_mean(name, meta.parameters)));
      }
    }
  }
  if (const auto* defaults = s.optional("defaults")) {
    meta.defaults = read_defaults(*defaults, problems);
  }
  s.finish();
}

void read_time(const toml::value& value, SiliconMetadata& meta, Problems& problems) {
  Section s(value, "time", problems);
  meta.time_column = s.text("column");
  meta.statistic = s.text("statistic");
  if (s.optional("samples") != nullptr) {
    meta.samples = s.text("samples");
  }
  meta.cache_state = s.word("cache_state", {"warm", "cold"});
  if (s.optional("launch_overhead_ms") != nullptr) {
    meta.launch_overhead_ms = s.positive("launch_overhead_ms");
    meta.launch_overhead_note = s.text("launch_overhead_note");
  }
  s.finish();
}

void read_words(const toml::value& value, SiliconMetadata& meta, Problems& problems) {
  if (!value.is_table() || value.as_table().empty()) {
    problems.add(line_of(value), "status.words must translate at least one recorded word");
    return;
  }
  std::vector<std::string> ours;
  for (int i = 0; i < eval::kEvalStatusCount; ++i) {
    ours.emplace_back(eval::to_string(static_cast<eval::EvalStatus>(i)));
  }
  for (const auto& [recorded, v] : value.as_table()) {
    const std::string word = v.is_string() ? v.as_string().str : std::string{};
    const auto it = std::find(ours.begin(), ours.end(), word);
    if (it == ours.end()) {
      problems.add(line_of(v), fmt::format("status.words.{} is \"{}\"; one of: {}{}", recorded,
                                           word, fmt::join(ours, ", "), did_you_mean(word, ours)));
    } else {
      meta.statuses[recorded] = static_cast<eval::EvalStatus>(it - ours.begin());
    }
  }
}

void read_status(const toml::value& value, SiliconMetadata& meta, Problems& problems) {
  Section s(value, "status", problems);
  meta.status_column = s.text("column");
  if (const auto* words = s.required("words")) {
    read_words(*words, meta, problems);
  }
  s.finish();
}

void read_filters(const toml::value& value, SiliconMetadata& meta, Problems& problems) {
  if (!value.is_array()) {
    problems.add(line_of(value), "filter must be a list of tables: [[filter]]");
    return;
  }
  for (const auto& element : value.as_array()) {
    Section s(element, "filter", problems);
    RowFilter filter;
    filter.column = s.text("column");
    filter.keep = s.texts("keep");
    filter.reason = s.text("reason");
    s.finish();
    meta.filters.push_back(std::move(filter));
  }
}

void read_provenance(const toml::value& value, SiliconMetadata& meta, Problems& problems) {
  Section s(value, "provenance", problems);
  auto& p = meta.provenance;
  p.repository = s.text("repository");
  p.commit = s.text("commit");
  p.file = s.text("file");
  p.licence = s.text("licence");
  p.copyright = s.text("copyright");
  p.measured = s.text("measured");
  p.changes = s.text("changes");
  if (s.optional("notes") != nullptr) {
    p.notes = s.texts("notes");
  }
  s.finish();
}

toml::value parse_file(const std::string& path) {
  const std::string text = read_file(path);
  std::istringstream stream(text);
  try {
    return toml::parse(stream, path);
  } catch (const toml::exception& e) {
    throw UserError(fmt::format("{}:{}: not valid TOML\n{}", path, e.location().line(), e.what()));
  }
}

} // namespace

SiliconMetadata load_silicon_metadata(const std::string& path) {
  using Reader = void (*)(const toml::value&, SiliconMetadata&, Problems&);
  static constexpr std::pair<const char*, Reader> kSections[] = {
      {"board", read_board},   {"kernel", read_kernel},         {"time", read_time},
      {"status", read_status}, {"provenance", read_provenance},
  };
  const toml::value root = parse_file(path);
  SiliconMetadata meta;
  meta.path = path;
  Problems problems(path);
  Section top(root, "", problems);
  if (const auto* schema = top.required("schema");
      schema != nullptr && (!schema->is_integer() || schema->as_integer() != 1)) {
    problems.add(line_of(*schema), "schema must be 1, the only version that this release reads");
  }
  for (const auto& [name, read] : kSections) {
    if (const auto* section = top.required(name)) {
      read(*section, meta, problems);
    }
  }
  if (const auto* filters = top.optional("filter")) {
    read_filters(*filters, meta, problems);
  }
  top.finish();
  problems.throw_if_any();
  return meta;
}

} // namespace coulomb::results
