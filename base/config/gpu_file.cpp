// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_file.hpp"

#include "base/config/cross_checks.hpp"
#include "base/config/field.hpp"
#include "base/config/quantity.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/ranges.h>
#include <set>

namespace coulomb::config {
namespace {

constexpr const char* kExtends = "extends";
constexpr const char* kProvenance = "provenance";

/// Keys that a file may give: all but the id, which is the file's name.
std::vector<std::string> settable_keys() {
  std::vector<std::string> all = keys();
  std::erase(all, "id");
  return all;
}

/// ` did you mean "x"?`, shortened to the last part of the key when the rest is right.
std::string suggestion(const std::string& key, const std::vector<std::string>& candidates) {
  std::string best = nearest(key, candidates);
  if (best.empty()) {
    return {};
  }
  const std::size_t dot = key.rfind('.');
  if (dot != std::string::npos && best.rfind('.') == dot &&
      best.compare(0, dot, key, 0, dot) == 0) {
    best = best.substr(dot + 1);
  }
  return fmt::format("; did you mean \"{}\"?", best);
}

/// The value as it stands in the file, for messages.
std::string found(const TomlSetting& setting) {
  switch (setting.kind) {
  case TomlKind::text:
    return fmt::format("\"{}\"", setting.text);
  case TomlKind::table:
    return "a table";
  case TomlKind::other:
    return "a date or time";
  default:
    return setting.text;
  }
}

std::string not_one_of(const TomlSetting& setting, std::span<const std::string_view> allowed) {
  return fmt::format("one of: {}{}; found {}", fmt::join(allowed, ", "),
                     did_you_mean(setting.text, {allowed.begin(), allowed.end()}), found(setting));
}

/// The keys that `pattern` names: itself, or all below `prefix.*`.
std::vector<std::string> matching_keys(const std::string& pattern,
                                       const std::vector<std::string>& all) {
  std::vector<std::string> found;
  const bool subtree = pattern.size() > 2 && pattern.ends_with(".*");
  const std::string prefix = subtree ? pattern.substr(0, pattern.size() - 1) : pattern;
  for (const std::string& key : all) {
    if (subtree ? key.starts_with(prefix) : key == pattern) {
      found.push_back(key);
    }
  }
  return found;
}

/// Reads the members of one `[[provenance]]` table, recording what is wrong with them.
struct GroupReader {
  const TomlFile::Group& group;
  std::vector<TomlProblem>& problems;
  Provenance provenance;
  std::vector<std::string> patterns;
  SourcePlace patterns_place;

  void problem(const TomlSetting& setting, std::string text) {
    problems.push_back(
        {fmt::format("{}.{}", group.name, setting.key), std::move(text), setting.place});
  }
  void
  word(const TomlSetting& setting, std::string& target, std::span<const std::string_view> allowed) {
    if (std::find(allowed.begin(), allowed.end(), setting.text) == allowed.end()) {
      problem(setting, not_one_of(setting, allowed));
    }
    target = setting.text;
  }
  void text(const TomlSetting& setting, std::string& target) {
    if (setting.kind != TomlKind::text || setting.text.empty()) {
      problem(setting, "expected a text in quotes; found " + found(setting));
    }
    target = setting.text;
  }
  void read(const TomlSetting& setting) {
    static const std::vector<std::string> kMembers{"kind", "source", "confidence",
                                                   "date", "note",   "keys"};
    if (setting.key == "kind") {
      word(setting, provenance.kind, kProvenanceKinds);
    } else if (setting.key == "confidence") {
      word(setting, provenance.confidence, kConfidences);
    } else if (setting.key == "source") {
      text(setting, provenance.source);
    } else if (setting.key == "date") {
      text(setting, provenance.date);
    } else if (setting.key == "note") {
      text(setting, provenance.note);
    } else if (setting.key == "keys") {
      if (setting.kind != TomlKind::list || setting.items.empty()) {
        problem(setting,
                "expected a list of keys, e.g. [\"sms\", \"sm.l1.*\"]; found " + found(setting));
      }
      patterns = setting.items;
      patterns_place = setting.place;
    } else {
      problem(setting, "unknown key" + suggestion(setting.key, kMembers));
    }
  }
  void require_members() {
    const auto missing = [&](bool absent, const char* name) {
      if (absent) {
        problems.push_back({group.name, fmt::format("\"{}\" is missing", name), group.place});
      }
    };
    missing(provenance.kind.empty(), "kind");
    missing(provenance.source.empty(), "source");
    missing(patterns_place.line == 0, "keys");
  }
};

} // namespace

GpuFile::GpuFile(const std::string& path) : file_(read_toml_file(path)) {
  for (const TomlSetting& s : file_.settings) {
    if (s.key == kExtends) {
      extends_ = s.text;
      if (s.kind != TomlKind::text || s.text.empty()) {
        problems_.push_back(
            {kExtends, "expected the id of a preset, e.g. \"a100-pcie-40gb\"; found " + found(s),
             s.place});
        extends_.clear();
        preset_known_ = false;
      }
    }
  }
}

void GpuFile::reject_extends(const std::string& why) {
  const auto line = std::find_if(file_.settings.begin(), file_.settings.end(),
                                 [](const TomlSetting& s) { return s.key == kExtends; });
  problems_.push_back({kExtends, why, line->place});
  preset_known_ = false;
}

void GpuFile::reject(const std::string& key, std::string why, const SourcePlace& place) {
  problems_.push_back({key, std::move(why), place});
  wrong_.insert(key);
}

void GpuFile::apply_setting(const TomlSetting& setting,
                            GpuConfig& config,
                            ProvenanceMap& provenance) {
  const auto& [key, kind, text, items, place, scalars] = setting;
  if (key == "id") {
    reject(key, "the id is the name of the file; leave this line out", place);
    return;
  }
  const std::vector<std::string> known = settable_keys();
  if (std::find(known.begin(), known.end(), key) == known.end()) {
    const std::vector<std::string> members = matching_keys(key + ".*", known);
    if (members.empty()) {
      reject(key, "unknown key" + suggestion(key, known), place);
      wrong_.insert(nearest(key, known)); // it may have been meant
    } else if (kind != TomlKind::table) { // an empty table does no harm
      reject(
          key,
          fmt::format("is a group of keys, such as {}; found {}", members.front(), found(setting)),
          place);
      wrong_.insert(members.begin(), members.end());
    }
    return;
  }
  const Field target = field(config, key);
  if (target.spec.unit == Unit::text && kind != TomlKind::text) {
    reject(key, "expected a text in quotes; found " + found(setting), place);
    return;
  }
  if (const auto wrong = assign(target, text)) {
    reject(key, fmt::format("{}; found {}", *wrong, found(setting)), place);
  }
  provenance[key] = {"user", file_.path, {}, {}, {}};
}

void GpuFile::apply_provenance(const TomlFile::Group& group, ProvenanceMap& provenance) {
  GroupReader reader{group, problems_, {}, {}, {}};
  for (const TomlSetting& s : group.settings) {
    reader.read(s);
  }
  reader.require_members();
  const std::vector<std::string> known = settable_keys();
  for (const std::string& pattern : reader.patterns) {
    const std::vector<std::string> found = matching_keys(pattern, known);
    if (found.empty()) {
      problems_.push_back({"provenance.keys",
                           fmt::format("\"{}\" is no key{}", pattern, did_you_mean(pattern, known)),
                           reader.patterns_place});
    }
    for (const std::string& key : found) {
      provenance[key] = reader.provenance;
    }
  }
}

void GpuFile::apply_to(GpuConfig& config, ProvenanceMap& provenance) {
  for (const TomlSetting& s : file_.settings) {
    if (s.key != kExtends) {
      apply_setting(s, config, provenance);
    }
  }
  // Later groups win, so that a file may say `prefix.*` first and name the exceptions after it.
  for (const TomlFile::Group& g : file_.groups) {
    if (g.name == kProvenance) {
      apply_provenance(g, provenance);
    } else {
      problems_.push_back(
          {g.name, "unknown key; the only array of tables is [[provenance]]", g.place});
    }
  }
}

void GpuFile::require_all_keys(const ProvenanceMap& provenance) {
  if (!preset_known_) {
    return;
  }
  std::set<std::string> given;
  for (const TomlSetting& s : file_.settings) {
    given.insert(s.key);
  }
  std::vector<std::string> missing;
  for (const std::string& key : settable_keys()) {
    if (!given.contains(key) && (extends_.empty() || !provenance.contains(key))) {
      missing.push_back(key);
      wrong_.insert(key);
    }
  }
  if (missing.empty()) {
    return;
  }
  constexpr std::size_t kShown = 8;
  std::string names = fmt::format(
      "{}", fmt::join(missing.begin(), missing.begin() + std::min(kShown, missing.size()), ", "));
  if (missing.size() > kShown) {
    names += fmt::format(" and {} more", missing.size() - kShown);
  }
  problems_.push_back(
      {"missing keys",
       names + ": give them, or take them from a preset: extends = \"a100-pcie-40gb\"",
       {}});
}

void GpuFile::check_relations(const GpuConfig& config) {
  if (!preset_known_) {
    return;
  }
  for (const CrossProblem& p : cross_checks(config)) {
    std::vector<std::string> involved{p.key};
    involved.insert(involved.end(), p.others.begin(), p.others.end());
    if (std::any_of(involved.begin(), involved.end(),
                    [&](const std::string& key) { return wrong_.contains(key); })) {
      continue;
    }
    SourcePlace place;
    for (const std::string& key : involved) {
      const auto line = std::find_if(file_.settings.begin(), file_.settings.end(),
                                     [&](const TomlSetting& s) { return s.key == key; });
      if (line != file_.settings.end()) {
        place = line->place;
        break;
      }
    }
    problems_.push_back({p.key, p.text, place});
  }
}

void GpuFile::throw_if_wrong() const {
  if (!problems_.empty()) {
    throw UserError(format_problems(file_.path, problems_), "all keys: coulomb config list");
  }
}

} // namespace coulomb::config
