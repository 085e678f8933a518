// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/source_closure.hpp"

#include "base/hash.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <string_view>

namespace coulomb::toolchain {
namespace {

namespace fs = std::filesystem;

// Changes whenever what the compiler is told beyond the request changes (see Compiler).
constexpr std::string_view kKeyFormat = "coulomb-cubin-1";

struct Include {
  std::string name; ///< empty if computed by a macro
  bool quoted = false;
};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// The include directive that `line` is, if it is one.
std::optional<Include> parse_include(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) {
    return std::nullopt;
  }
  line = trimmed(line.substr(1));
  constexpr std::string_view kWord = "include";
  if (!line.starts_with(kWord)) {
    return std::nullopt;
  }
  line = trimmed(line.substr(kWord.size()));
  if (line.empty()) {
    return std::nullopt;
  }
  const char close = line.front() == '<' ? '>' : '"';
  const auto end = line.find(close, 1);
  if ((line.front() != '<' && line.front() != '"') || end == std::string_view::npos) {
    return Include{};
  }
  return Include{std::string(line.substr(1, end - 1)), close == '"'};
}

std::vector<Include> includes_of(const std::string& text) {
  std::vector<Include> includes;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (auto include = parse_include(std::string_view(text).substr(begin, end - begin))) {
      includes.push_back(*std::move(include));
    }
    begin = end + 1;
  }
  return includes;
}

/// Directories of "-Idir", "-I dir", "--include-path=dir" and "--include-path dir".
std::vector<fs::path> include_directories(const std::vector<std::string>& options) {
  std::vector<fs::path> directories;
  for (std::size_t i = 0; i < options.size(); ++i) {
    for (const std::string prefix : {"-I", "--include-path="}) {
      if (options[i].starts_with(prefix) && options[i].size() > prefix.size()) {
        directories.emplace_back(options[i].substr(prefix.size()));
      }
    }
    if ((options[i] == "-I" || options[i] == "--include-path") && i + 1 < options.size()) {
      directories.emplace_back(options[i + 1]);
    }
  }
  return directories;
}

class Collector {
public:
  explicit Collector(std::vector<fs::path> directories) : directories_(std::move(directories)) {}

  void scan(const std::string& text, const fs::path& including_dir, SourceClosure& out) {
    for (const auto& include : includes_of(text)) {
      if (include.name.empty()) {
        out.computed_include = true;
        continue;
      }
      const fs::path path = find(include, including_dir);
      if (path.empty() || !seen_.insert(path.lexically_normal().string()).second) {
        continue;
      }
      std::string header = read_file(path.string());
      out.headers.push_back({include.name, header});
      scan(header, path.parent_path(), out);
    }
  }

private:
  [[nodiscard]] fs::path find(const Include& include, const fs::path& including_dir) const {
    std::error_code ec;
    if (include.quoted && fs::is_regular_file(including_dir / include.name, ec)) {
      return including_dir / include.name;
    }
    for (const auto& directory : directories_) {
      if (fs::is_regular_file(directory / include.name, ec)) {
        return directory / include.name;
      }
    }
    return {};
  }

  std::vector<fs::path> directories_;
  std::set<std::string> seen_;
};

/// Lengths first, so that no two different lists give the same bytes.
void append(std::string& bytes, std::string_view part) {
  bytes += fmt::format("{}:", part.size());
  bytes += part;
}

} // namespace

SourceClosure collect_sources(const std::string& source_path,
                              const std::vector<std::string>& options) {
  SourceClosure closure;
  closure.text = read_file(source_path);
  closure.name = fs::path(source_path).filename().string();
  closure.directory = fs::absolute(source_path).parent_path().string();
  std::vector<fs::path> directories = include_directories(options);
  // The compiler gets the source's own directory as the last -I, for headers of headers too.
  directories.emplace_back(closure.directory);
  Collector(std::move(directories)).scan(closure.text, closure.directory, closure);
  return closure;
}

std::string content_key(const eval::CompileRequest& request, const SourceClosure& sources) {
  std::vector<std::string> options = request.options;
  const auto is_macro = [](const std::string& o) { return o.starts_with("-D"); };
  const bool undefines = std::any_of(options.begin(), options.end(),
                                     [](const auto& o) { return o.starts_with("-U"); });
  const bool detached = std::find(options.begin(), options.end(), "-D") != options.end();
  if (!undefines && !detached) {
    std::stable_partition(options.begin(), options.end(),
                          [&](const std::string& o) { return !is_macro(o); });
  }
  std::string bytes;
  append(bytes, kKeyFormat);
  append(bytes, sources.name);
  append(bytes, sources.text);
  append(bytes, request.kernel_name);
  append(bytes, request.architecture);
  append(bytes, std::to_string(options.size()));
  for (const auto& option : options) {
    append(bytes, option);
  }
  for (const auto& header : sources.headers) {
    append(bytes, header.name);
    append(bytes, header.text);
  }
  return hash128_hex(bytes);
}

} // namespace coulomb::toolchain
