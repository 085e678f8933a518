// SPDX-License-Identifier: Apache-2.0
#include "base/kernel/launch_file.hpp"

#include "base/config/file_problems.hpp"
#include "base/config/toml_file.hpp"
#include "base/error.hpp"
#include "base/kernel/argument_text.hpp"
#include "base/kernel/launch_entry.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace coulomb::kernel {
namespace {

using config::TomlFile;
using config::TomlKind;
using config::TomlSetting;

[[noreturn]] void wrong(const std::string& text) {
  throw UserError(text);
}

Dim3 extent_of(const TomlSetting& s) {
  if (s.kind == TomlKind::list) {
    return parse_extent(fmt::format("{}", fmt::join(s.items, ",")), s.key);
  }
  return parse_extent(expression_of(s), s.key);
}

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
      problems_.guard(s.key, s.place, [&] { top_level(s); });
    }
    for (const TomlFile::Group& g : file_.groups) {
      problems_.guard(g.name, g.place, [&] { group(g); });
    }
    // Parameters in their order, then the variables of the module.
    std::stable_partition(launch_.arguments.begin(), launch_.arguments.end(),
                          [](const Argument& a) { return a.passed; });
    require();
    problems_.throw_if_any(file_.path, "docs/launch.md lists the keys of a launch file");
    return std::move(launch_);
  }

private:
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
      const auto& items = texts_of(s, "[\"-std=c++17\"]");
      launch_.options.insert(launch_.options.end(), items.begin(), items.end());
    } else if (s.key.starts_with(kDefinePrefix)) {
      launch_.options.push_back(
          fmt::format("-D{}={}", s.key.substr(kDefinePrefix.size()), define_value(s)));
    } else if (s.key != "define" || s.kind != TomlKind::table) {
      wrong(unknown_key(s.key, kKeys));
    }
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

  void group(const TomlFile::Group& g) {
    if (const auto entry = read_launch_entry(g, problems_.list())) {
      add(*entry);
    }
  }

  void add(const LaunchEntry& e) {
    const Argument a = argument_of(e, launch_.arguments.size(), folder_.string());
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
    problems_.require(!launch_.source.empty() || !launch_.cubin.empty(), "source",
                      "is missing: source = \"kernel.cu\", or cubin = \"kernel.cubin\"");
    problems_.require(launch_.source.empty() || launch_.cubin.empty(), "cubin",
                      "a launch has a source or a cubin, not both");
  }

  TomlFile file_;
  std::filesystem::path folder_;
  LaunchDescription launch_;
  config::FileProblems problems_;
};

} // namespace

LaunchDescription read_launch_file(const std::string& path) {
  return LaunchFileReader(path).read();
}

} // namespace coulomb::kernel
