// SPDX-License-Identifier: Apache-2.0
#include "base/results/journal.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace coulomb::results {
namespace {

constexpr std::string_view kMagic = "CJRN";
constexpr std::size_t kHeaderBytes = 16;
constexpr std::size_t kCheckedFrom = 12; // the checksum covers the version and the payload

void put_u32(std::string& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) {
    out.push_back(static_cast<char>((value >> shift) & 0xffU));
  }
}

std::uint32_t get_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) {
    value = (value << 8) | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

std::string make_frame(std::string_view payload) {
  std::string checked;
  put_u32(checked, kJournalVersion);
  checked.append(payload);
  std::string frame(kMagic);
  put_u32(frame, static_cast<std::uint32_t>(payload.size()));
  put_u32(frame, checksum32(checked));
  frame += checked;
  return frame;
}

/// Empty if a good frame starts at `at`; `size` is then its length in bytes.
std::string check_frame(std::string_view file, std::size_t at, std::size_t& size) {
  const std::string_view rest = file.substr(at);
  if (rest.size() < kHeaderBytes) {
    return fmt::format("{} bytes are too few for a record", rest.size());
  }
  if (rest.substr(0, kMagic.size()) != kMagic) {
    return "no record starts there";
  }
  const std::uint32_t length = get_u32(rest, 4);
  if (length > kMaxJournalPayload || kHeaderBytes + length > rest.size()) {
    return fmt::format("its record of {} bytes is cut off", length);
  }
  size = kHeaderBytes + length;
  if (checksum32(rest.substr(kCheckedFrom, size - kCheckedFrom)) != get_u32(rest, 8)) {
    return "its checksum does not match";
  }
  return {};
}

[[noreturn]] void throw_io(const char* action, const std::string& path) {
  throw EnvironmentError(fmt::format("cannot {} {}: {}", action, path, std::strerror(errno)),
                         "check the disk's free space and the directory's permissions");
}

/// False if another process holds the lock. A file system without locks (some NFS) cannot say so:
/// there it is the caller's care that a journal has one writer.
/// Waits a little: one who only looks whether a writer is there holds the lock for a moment, too.
bool try_lock(int fd) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    if (::flock(fd, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR)) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

void sync_directory(const std::string& path) {
  const auto parent = std::filesystem::absolute(path).parent_path();
  const int fd = ::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    ::fsync(fd);
    ::close(fd);
  }
}

} // namespace

JournalContents read_journal(const std::string& path) {
  const std::string file = read_file(path);
  JournalContents contents;
  contents.file_bytes = file.size();
  std::size_t at = 0;
  while (at < file.size()) {
    std::size_t size = 0;
    const std::string damage = check_frame(file, at, size);
    if (!damage.empty()) {
      contents.damage = fmt::format("{}: after {} records, at byte {}: {}", path,
                                    contents.records.size(), at, damage);
      break;
    }
    const std::uint32_t version = get_u32(file, at + kCheckedFrom);
    if (version > kJournalVersion) {
      throw UserError(
          fmt::format("{} was written by a later release: its records are of version {}, "
                      "this one reads up to {}",
                      path, version, kJournalVersion),
          "use that release, or export the results with it");
    }
    contents.records.emplace_back(file, at + kHeaderBytes, size - kHeaderBytes);
    at += size;
  }
  contents.valid_bytes = at;
  return contents;
}

JournalWriter::JournalWriter(const std::string& path, JournalSync sync) : path_(path), sync_(sync) {
  try {
    lock();
    const bool existed = std::filesystem::exists(path_);
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd_ < 0) {
      throw_io("open", path_);
    }
    if (existed) {
      recovered_ = read_journal(path_);
      cut_bad_tail();
    } else {
      sync_directory(path_);
    }
    end_ = recovered_.valid_bytes;
  } catch (...) {
    if (fd_ >= 0) {
      ::close(fd_);
    }
    if (lock_fd_ >= 0) {
      ::close(lock_fd_);
    }
    throw;
  }
}

JournalWriter::~JournalWriter() {
  if (unsynced_ > 0) {
    ::fdatasync(fd_);
  }
  ::close(fd_);
  ::close(lock_fd_);
}

void JournalWriter::lock() {
  const std::string lock_path = path_ + ".lock";
  lock_fd_ = ::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_fd_ < 0) {
    throw_io("open", lock_path);
  }
  if (!try_lock(lock_fd_)) {
    std::array<char, 32> holder{};
    const ssize_t n = ::pread(lock_fd_, holder.data(), holder.size() - 1, 0);
    throw EnvironmentError(fmt::format("{} is being written by another process (pid {})", path_,
                                       n > 0 ? holder.data() : "unknown"),
                           "wait for it to end, or choose another --out");
  }
  const std::string pid = std::to_string(::getpid());
  if (::ftruncate(lock_fd_, 0) != 0 ||
      ::pwrite(lock_fd_, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    throw_io("write", lock_path);
  }
}

void JournalWriter::cut_bad_tail() {
  if (recovered_.valid_bytes == recovered_.file_bytes) {
    return;
  }
  // A flipped byte may have good records behind it: they are kept for a rescue by hand.
  write_file_atomically(path_ + ".cut",
                        std::string_view(read_file(path_)).substr(recovered_.valid_bytes));
  if (::ftruncate(fd_, static_cast<off_t>(recovered_.valid_bytes)) != 0 || ::fsync(fd_) != 0) {
    throw_io("truncate", path_);
  }
}

void JournalWriter::append(std::string_view payload) {
  COULOMB_CHECK(payload.size() <= kMaxJournalPayload, "journal record of {} bytes", payload.size());
  const std::string frame = make_frame(payload);
  ssize_t written = 0;
  do {
    written = ::write(fd_, frame.data(), frame.size());
  } while (written < 0 && errno == EINTR);
  if (written != static_cast<ssize_t>(frame.size())) {
    const int reason = written < 0 ? errno : ENOSPC;
    // Without this, records appended later would hide behind the torn one.
    if (written > 0 && ::ftruncate(fd_, static_cast<off_t>(end_)) != 0) {
      errno = reason;
      throw_io("append to, nor repair,", path_);
    }
    errno = reason;
    throw_io("append to", path_);
  }
  end_ += frame.size();
  ++unsynced_;
  if (unsynced_ >= sync_.records ||
      std::chrono::steady_clock::now() - last_sync_ >= sync_.interval) {
    sync();
  }
}

void JournalWriter::sync() {
  if (unsynced_ > 0 && ::fdatasync(fd_) != 0) {
    throw_io("flush", path_);
  }
  unsynced_ = 0;
  last_sync_ = std::chrono::steady_clock::now();
}

void JournalWriter::clear() {
  if (::ftruncate(fd_, 0) != 0 || ::fsync(fd_) != 0) {
    throw_io("truncate", path_);
  }
  end_ = 0;
  unsynced_ = 0;
  recovered_ = {};
}

} // namespace coulomb::results
