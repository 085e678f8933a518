// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/kernel_cache.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace coulomb::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFix = "set COULOMB_CACHE to a directory that can be written";

/// An entry's text on disk: the outcome, and checksums of it and of the cubin.
std::string entry_text(const eval::CompileOutcome& outcome, const std::string& cubin) {
  const std::string text = eval::to_json_text(outcome);
  const nlohmann::json entry = {{"outcome", text},
                                {"outcome_checksum", hash128_hex(text)},
                                {"cubin_checksum", hash128_hex(cubin)}};
  return entry.dump(1) + "\n";
}

void make_directories(const std::string& directory) {
  std::error_code ec;
  fs::create_directories(directory, ec);
  if (ec) {
    throw EnvironmentError(
        fmt::format("cannot create the kernel cache {}: {}", directory, ec.message()), kFix);
  }
}

} // namespace

KernelCache::KernelCache(std::string directory) : directory_(std::move(directory)) {
  make_directories(directory_);
}

std::string KernelCache::stem(const std::string& key) const {
  return directory_ + "/" + key.substr(0, 2) + "/" + key;
}

std::string KernelCache::cubin_path(const std::string& key) const {
  return stem(key) + ".cubin";
}
std::string KernelCache::outcome_path(const std::string& key) const {
  return stem(key) + ".json";
}

std::optional<eval::CompileOutcome> KernelCache::find(const std::string& key) {
  if (!fs::exists(outcome_path(key))) {
    return std::nullopt;
  }
  try {
    const auto entry = nlohmann::json::parse(read_file(outcome_path(key)));
    const auto text = entry.at("outcome").get<std::string>();
    if (hash128_hex(text) == entry.at("outcome_checksum")) {
      eval::CompileOutcome outcome = eval::compile_outcome_from_json(text);
      if (outcome.status != eval::EvalStatus::ok) {
        return outcome;
      }
      outcome.cubin_path = cubin_path(key);
      if (hash128_hex(read_file(outcome.cubin_path)) == entry.at("cubin_checksum")) {
        return outcome;
      }
    }
  } catch (const nlohmann::json::exception&) {
    // Truncated or of another format: absent, like the next case.
  } catch (const UserError&) {
    // A file is gone or unreadable.
  }
  ++damaged_;
  return std::nullopt;
}

std::string KernelCache::store(const std::string& key,
                               const eval::CompileOutcome& outcome,
                               const std::string& cubin) {
  make_directories(fs::path(stem(key)).parent_path().string());
  std::string path;
  if (outcome.status == eval::EvalStatus::ok) {
    path = cubin_path(key);
    write_file_atomically(path, cubin);
  }
  // Last: its presence is what makes the entry exist.
  write_file_atomically(outcome_path(key), entry_text(outcome, cubin));
  return path;
}

KernelCache::Lock KernelCache::lock(const std::string& key) const {
  make_directories(fs::path(stem(key)).parent_path().string());
  return Lock(stem(key) + ".lock");
}

KernelCache::Lock::Lock(std::string path) : path_(std::move(path)) {
  for (;;) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd_ < 0) {
      throw EnvironmentError(fmt::format("cannot lock {}: {}", path_, std::strerror(errno)), kFix);
    }
    while (::flock(fd_, LOCK_EX) != 0) {
      if (errno != EINTR) {
        return; // no locks here (some NFS): two may compile the same, and store the same
      }
    }
    // The previous holder unlinks the file when done: a lock on a file that is no longer there
    // guards nothing.
    struct stat held {};
    struct stat present {};
    if (::fstat(fd_, &held) == 0 && ::stat(path_.c_str(), &present) == 0 &&
        held.st_ino == present.st_ino && held.st_dev == present.st_dev) {
      return;
    }
    ::close(fd_);
  }
}

KernelCache::Lock::~Lock() {
  ::unlink(path_.c_str());
  ::close(fd_);
}

} // namespace coulomb::toolchain
