// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/launch_file.hpp"

#include "base/config/toml_file.hpp"
#include "base/error.hpp"
#include "base/kernel/argument_text.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>

namespace coulomb::kernel {
namespace {

using config::SourcePlace;
using config::TomlFile;
using config::TomlKind;
using config::TomlProblem;
using config::TomlSetting;

constexpr std::string_view kDefine = "define.";

[[noreturn]] void wrong(const std::string& text) {
  throw UserError(text);
}

const std::string& text_of(const TomlSetting& s) {
  if (s.kind != TomlKind::text || s.text.empty()) {
    wrong("expected a text in quotes");
  }
  return s.text;
}

bool flag_of(const TomlSetting& s) {
  if (s.kind != TomlKind::flag) {
    wrong("expected true or false");
  }
  return s.text == "true";
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

/// A number, or an expression in quotes.
const std::string& expression_of(const TomlSetting& s) {
  if (s.kind != TomlKind::number && s.kind != TomlKind::text) {
    wrong("expected a number, or an expression in quotes");
  }
  return s.text;
}

Dim3 extent_of(const TomlSetting& s) {
  if (s.kind == TomlKind::list) {
    return parse_extent(fmt::format("{}", fmt::join(s.items, ",")), s.key);
  }
  return parse_extent(expression_of(s), s.key);
}

/// One [[argument]] or [[symbol]].
struct Entry {
  std::string name;
  std::string type;
  std::string count;
  std::string fill;
  std::string value;
  std::string output_path;
  std::string expected_path;
  std::vector<std::uint64_t> shape;
  double tolerance = -1.0;
  bool allow_nan = false;
  bool by_value = false;
  bool output = false;
};

void read_output(Entry& e, const TomlSetting& s) {
  e.output = s.kind == TomlKind::text || flag_of(s);
  e.output_path = s.kind == TomlKind::text ? s.text : std::string();
}

void read_value(Entry& e, const TomlSetting& s) {
  if (s.kind != TomlKind::number && s.kind != TomlKind::text && s.kind != TomlKind::flag) {
    wrong("expected a number, true or false");
  }
  e.value = s.text;
}

void read_shape(Entry& e, const TomlSetting& s) {
  if (s.kind != TomlKind::list) {
    wrong("expected a list of extents, e.g. [32, 32]");
  }
  for (const std::string& item : s.items) {
    e.shape.push_back(parse_count(item, "an extent"));
  }
}

struct EntryKey {
  const char* key;
  void (*read)(Entry& entry, const TomlSetting& setting);
};
constexpr std::array<EntryKey, 11> kEntryKeys = {{
    {"name", [](Entry& e, const TomlSetting& s) { e.name = text_of(s); }},
    {"type", [](Entry& e, const TomlSetting& s) { e.type = text_of(s); }},
    {"count", [](Entry& e, const TomlSetting& s) { e.count = expression_of(s); }},
    {"fill", [](Entry& e, const TomlSetting& s) { e.fill = expression_of(s); }},
    {"value", read_value},
    {"by_value", [](Entry& e, const TomlSetting& s) { e.by_value = flag_of(s); }},
    {"output", read_output},
    {"shape", read_shape},
    {"expected", [](Entry& e, const TomlSetting& s) { e.expected_path = text_of(s); }},
    {"tolerance", [](Entry& e, const TomlSetting& s) { e.tolerance = number_of(s); }},
    {"allow_nan", [](Entry& e, const TomlSetting& s) { e.allow_nan = flag_of(s); }},
}};

/// Lays one launch file out, collecting every mistake.
class LaunchFileReader {
public:
  explicit LaunchFileReader(const std::string& path)
      : file_(config::read_toml_file(path)),
        folder_(std::filesystem::absolute(path).parent_path()) {
    launch_.origin = path;
  }

  LaunchDescription read() {
    for (const TomlSetting& s : file_.settings) {
      guarded(s.key, s.place, [&] { top_level(s); });
    }
    for (const TomlFile::Group& g : file_.groups) {
      guarded(g.name, g.place, [&] { group(g); });
    }
    // Parameters in their order, then the variables of the module.
    std::stable_partition(launch_.arguments.begin(), launch_.arguments.end(),
                          [](const Argument& a) { return a.passed; });
    require();
    if (!problems_.empty()) {
      throw UserError(config::format_problems(file_.path, problems_),
                      "docs/launch.md lists the keys of a launch file");
    }
    return std::move(launch_);
  }

private:
  template <class Action>
  void guarded(const std::string& key, const SourcePlace& place, Action action) {
    try {
      action();
    } catch (const UserError& e) {
      problems_.push_back({key, e.what(), place});
    }
  }

  [[nodiscard]] std::string path_of(const std::string& text) const {
    return (folder_ / text).lexically_normal().string();
  }

  void top_level(const TomlSetting& s) {
    static const std::vector<std::string> kKeys = {"source", "cubin",        "entry",   "grid",
                                                   "block",  "shared_bytes", "options", "define"};
    if (s.key == "source") {
      launch_.source = path_of(text_of(s));
    } else if (s.key == "cubin") {
      launch_.cubin = path_of(text_of(s));
    } else if (s.key == "entry") {
      launch_.entry = text_of(s);
    } else if (s.key == "grid") {
      launch_.grid = extent_of(s);
    } else if (s.key == "block") {
      launch_.block = extent_of(s);
    } else if (s.key == "shared_bytes") {
      launch_.shared_bytes = shared_bytes(s);
    } else if (s.key == "options") {
      if (s.kind != TomlKind::list) {
        wrong("expected a list of texts, e.g. [\"-std=c++17\"]");
      }
      launch_.options.insert(launch_.options.end(), s.items.begin(), s.items.end());
    } else if (s.key.starts_with(kDefine)) {
      launch_.options.push_back(
          fmt::format("-D{}={}", s.key.substr(kDefine.size()), define_value(s)));
    } else if (s.key != "define" || s.kind != TomlKind::table) {
      wrong("unknown key" + suggestion(s.key, kKeys));
    }
  }

  static std::string define_value(const TomlSetting& s) {
    if (s.kind == TomlKind::flag) {
      return s.text == "true" ? "1" : "0"; // usable in #if
    }
    return expression_of(s);
  }

  static std::uint32_t shared_bytes(const TomlSetting& s) {
    const std::string& text = expression_of(s);
    const std::uint64_t bytes = text == "0" ? 0 : parse_count(text, s.key);
    if (bytes > std::numeric_limits<std::int32_t>::max()) {
      wrong(fmt::format("is {} bytes; allowed: 0 to {}", bytes,
                        std::numeric_limits<std::int32_t>::max()));
    }
    return static_cast<std::uint32_t>(bytes);
  }

  static std::string suggestion(const std::string& key, const std::vector<std::string>& known) {
    const std::string best = nearest(key, known);
    return best.empty() ? fmt::format("; allowed: {}", fmt::join(known, ", "))
                        : fmt::format("; did you mean \"{}\"?", best);
  }

  void group(const TomlFile::Group& g) {
    if (g.name != "argument" && g.name != "symbol") {
      wrong("unknown key; the arrays of tables are [[argument]] and [[symbol]]");
    }
    Entry entry;
    std::vector<std::string> known;
    for (const EntryKey& k : kEntryKeys) {
      known.emplace_back(k.key);
    }
    const std::size_t before = problems_.size();
    for (const TomlSetting& s : g.settings) {
      guarded(fmt::format("{}.{}", g.name, s.key), s.place, [&] {
        const auto key = std::find(known.begin(), known.end(), s.key);
        if (key == known.end()) {
          wrong("unknown key" + suggestion(s.key, known));
        }
        kEntryKeys[static_cast<std::size_t>(key - known.begin())].read(entry, s);
      });
    }
    if (problems_.size() == before) {
      add(entry, g.name == "symbol");
    }
  }

  void add(const Entry& e, bool symbol) {
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
    const Argument a = symbol
                           ? parse_symbol_text(text, folder_.string())
                           : parse_argument_text(text, launch_.arguments.size(), folder_.string());
    if (!e.expected_path.empty()) {
      launch_.expected.push_back(
          {a.name, path_of(e.expected_path), e.tolerance, e.allow_nan, e.expected_path});
    }
    if (!e.output_path.empty()) {
      launch_.outputs.push_back({a.name, path_of(e.output_path), e.shape});
    } else if (e.output) {
      launch_.outputs.push_back(
          {a.name, std::filesystem::absolute(a.name + ".npy").string(), e.shape});
    }
    launch_.arguments.push_back(a);
  }

  void require() {
    const auto missing = [&](bool absent, const char* key, const char* text) {
      if (absent) {
        problems_.push_back({key, text, {}});
      }
    };
    missing(launch_.source.empty() && launch_.cubin.empty(), "source",
            "is missing: source = \"kernel.cu\", or cubin = \"kernel.cubin\"");
    missing(!launch_.source.empty() && !launch_.cubin.empty(), "cubin",
            "a launch has a source or a cubin, not both");
  }

  TomlFile file_;
  std::filesystem::path folder_;
  LaunchDescription launch_;
  std::vector<TomlProblem> problems_;
};

} // namespace

LaunchDescription read_launch_file(const std::string& path) {
  return LaunchFileReader(path).read();
}

} // namespace coulomb::kernel
