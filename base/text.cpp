// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

namespace coulomb {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t cost = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, cost});
    }
  }
  return row.back();
}

/// False with errno set when not all bytes could be written.
bool write_all(int fd, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t n = ::write(fd, contents.data(), contents.size());
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n < 0) {
      return false;
    }
    contents.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// Makes a rename in the folder of `path` survive a power cut. Folders that cannot be synced (some
/// network file systems) are left: the file itself is whole either way.
void sync_parent(const std::string& path) {
  const std::string parent = std::filesystem::path(path).parent_path().string();
  const int fd = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    ::fsync(fd);
    ::close(fd);
  }
}

} // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const auto& c : candidates) {
    const std::size_t d = edit_distance(word, c);
    if (d < best_distance) {
      best_distance = d;
      best = c;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string n = nearest(word, candidates);
  return n.empty() ? std::string{} : fmt::format(" (did you mean \"{}\"?)", n);
}

std::string read_file(const std::string& path) {
  std::error_code ec;
  if (std::filesystem::is_directory(path, ec)) {
    throw UserError(fmt::format("cannot read {}: it is a directory", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw UserError(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  }
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

void write_file_atomically(const std::string& path, std::string_view contents) {
  std::string temporary = path + ".tmp.XXXXXX";
  const int fd = ::mkstemp(temporary.data());
  if (fd < 0) {
    throw EnvironmentError(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  // Each step runs only if the one before succeeded; errno is that of the first that did not.
  const bool written = write_all(fd, contents) && ::fchmod(fd, 0644) == 0 && ::fsync(fd) == 0;
  int reason = written ? 0 : errno;
  if (::close(fd) != 0 && reason == 0) {
    reason = errno;
  }
  if (reason == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) {
    reason = errno;
  }
  if (reason != 0) {
    ::unlink(temporary.c_str());
    throw EnvironmentError(fmt::format("cannot write {}: {}", path, std::strerror(reason)));
  }
  sync_parent(path);
}

std::string with_thousands(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (auto i = static_cast<std::ptrdiff_t>(digits.size()) - 3; i > 0; i -= 3) {
    digits.insert(static_cast<std::size_t>(i), 1, ',');
  }
  return digits;
}

std::string executable_dir() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

std::string home_dir() {
  if (const char* home = std::getenv("COULOMB_HOME"); home != nullptr && *home != '\0') {
    return home;
  }
  std::filesystem::path dir = executable_dir();
  for (int up = 0; up < 4 && !dir.empty(); ++up, dir = dir.parent_path()) {
    if (std::filesystem::exists(dir / "configs" / "gpu") &&
        std::filesystem::exists(dir / "kernels")) {
      return dir.string();
    }
  }
  return COULOMB_SOURCE_DIR;
}

std::string recorded_path(const std::string& path) {
  const std::string relative = std::filesystem::path(path).lexically_relative(home_dir()).string();
  return relative.empty() || relative.starts_with("..") ? path : relative;
}

} // namespace coulomb
