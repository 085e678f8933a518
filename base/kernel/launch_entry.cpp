// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/launch_entry.hpp"

#include "base/error.hpp"
#include "base/kernel/argument_text.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace coulomb::kernel {
namespace {

using config::TomlFile;
using config::TomlKind;
using config::TomlProblem;
using config::TomlSetting;

[[noreturn]] void wrong(const std::string& text) {
  throw UserError(text);
}

double number_of(const TomlSetting& s) {
  double value = 0.0;
  const auto read = std::from_chars(s.text.data(), s.text.data() + s.text.size(), value);
  if (s.kind != TomlKind::number || read.ec != std::errc{} || !(value >= 0.0) ||
      !std::isfinite(value)) {
    wrong("expected a number from 0");
  }
  return value;
}

void read_output(LaunchEntry& e, const TomlSetting& s) {
  e.output = s.kind == TomlKind::text || flag_of(s);
  e.output_path = s.kind == TomlKind::text ? s.text : std::string();
}

void read_value(LaunchEntry& e, const TomlSetting& s) {
  if (s.kind != TomlKind::number && s.kind != TomlKind::text && s.kind != TomlKind::flag) {
    wrong("expected a number, true or false");
  }
  e.value = s.text;
}

void read_shape(LaunchEntry& e, const TomlSetting& s) {
  if (s.kind != TomlKind::list) {
    wrong("expected a list of extents, e.g. [32, 32]");
  }
  for (const std::string& item : s.items) {
    e.shape.push_back(parse_count(item, "an extent"));
  }
}

struct EntryKey {
  const char* key;
  void (*read)(LaunchEntry& entry, const TomlSetting& setting);
};
constexpr std::array<EntryKey, 11> kEntryKeys = {{
    {"name", [](LaunchEntry& e, const TomlSetting& s) { e.name = text_of(s); }},
    {"type", [](LaunchEntry& e, const TomlSetting& s) { e.type = text_of(s); }},
    {"count", [](LaunchEntry& e, const TomlSetting& s) { e.count = expression_of(s); }},
    {"fill", [](LaunchEntry& e, const TomlSetting& s) { e.fill = expression_of(s); }},
    {"value", read_value},
    {"by_value", [](LaunchEntry& e, const TomlSetting& s) { e.by_value = flag_of(s); }},
    {"output", read_output},
    {"shape", read_shape},
    {"expected", [](LaunchEntry& e, const TomlSetting& s) { e.expected_path = text_of(s); }},
    {"tolerance", [](LaunchEntry& e, const TomlSetting& s) { e.tolerance = number_of(s); }},
    {"allow_nan", [](LaunchEntry& e, const TomlSetting& s) { e.allow_nan = flag_of(s); }},
}};

} // namespace

const std::string& text_of(const TomlSetting& s) {
  if (s.kind != TomlKind::text || s.text.empty()) {
    wrong("expected a text in quotes");
  }
  return s.text;
}

const std::vector<std::string>& texts_of(const TomlSetting& s, const char* example) {
  if (s.kind != TomlKind::list) {
    wrong(fmt::format("expected a list of texts, e.g. {}", example));
  }
  return s.items;
}

bool flag_of(const TomlSetting& s) {
  if (s.kind != TomlKind::flag) {
    wrong("expected true or false");
  }
  return s.text == "true";
}

const std::string& expression_of(const TomlSetting& s) {
  if (s.kind != TomlKind::number && s.kind != TomlKind::text) {
    wrong("expected a number, or an expression in quotes");
  }
  return s.text;
}

std::string define_value(const TomlSetting& s) {
  if (s.kind == TomlKind::flag) {
    return s.text == "true" ? "1" : "0"; // usable in #if
  }
  return expression_of(s);
}

std::string unknown_key(const std::string& key, const std::vector<std::string>& known) {
  const std::string best = nearest(key, known);
  return "unknown key" + (best.empty() ? fmt::format("; allowed: {}", fmt::join(known, ", "))
                                       : fmt::format("; did you mean \"{}\"?", best));
}

std::optional<LaunchEntry> read_launch_entry(const TomlFile::Group& group,
                                             std::vector<TomlProblem>& problems) {
  if (group.name != "argument" && group.name != "symbol") {
    wrong("unknown key; the arrays of tables are [[argument]] and [[symbol]]");
  }
  LaunchEntry entry;
  entry.symbol = group.name == "symbol";
  std::vector<std::string> known;
  for (const EntryKey& k : kEntryKeys) {
    known.emplace_back(k.key);
  }
  const std::size_t before = problems.size();
  for (const TomlSetting& s : group.settings) {
    try {
      const auto key = std::find(known.begin(), known.end(), s.key);
      if (key == known.end()) {
        wrong(unknown_key(s.key, known));
      }
      kEntryKeys[static_cast<std::size_t>(key - known.begin())].read(entry, s);
    } catch (const UserError& e) {
      problems.push_back({fmt::format("{}.{}", group.name, s.key), e.what(), s.place});
    }
  }
  return problems.size() == before ? std::optional<LaunchEntry>(std::move(entry)) : std::nullopt;
}

Argument argument_of(const LaunchEntry& e, std::size_t position, const std::string& folder) {
  if (e.type.empty()) {
    wrong("\"type\" is missing");
  }
  if (!e.fill.empty() && !e.value.empty()) {
    wrong("has a fill and a value; one of them is enough");
  }
  const std::string count = e.count.empty() ? "" : fmt::format("[{}]", e.count);
  const std::string fill = e.fill + e.value;
  const std::string text =
      fmt::format("{}{}{}{}{}{}{}", e.name, e.name.empty() ? "" : ":", e.by_value ? "value:" : "",
                  e.output ? "output:" : "", e.type, count, fill.empty() ? "" : "=" + fill);
  return e.symbol ? parse_symbol_text(text, folder) : parse_argument_text(text, position, folder);
}

} // namespace coulomb::kernel
