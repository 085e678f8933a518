// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace coulomb::results {

/// Version of the frame layout; a reader refuses frames of a later one.
inline constexpr std::uint32_t kJournalVersion = 1;
/// Longest payload of one record, in bytes.
inline constexpr std::uint32_t kMaxJournalPayload = 64U << 20;

/// What a journal file holds, up to its first bad frame.
struct JournalContents {
  std::vector<std::string> records; ///< payloads, oldest first
  std::uint64_t valid_bytes = 0;    ///< end of the last good frame
  std::uint64_t file_bytes = 0;
  std::string damage; ///< why reading stopped before the end of the file; empty if it did not
};

/// Reads a journal without locking it: a live writer's last record may be missing, never garbled.
/// Throws UserError if the file cannot be read, or was written by a later version.
[[nodiscard]] JournalContents read_journal(const std::string& path);

/// When appended records are forced to the disk. A killed process loses nothing that `append`
/// returned from; a machine that loses power loses at most one such group.
struct JournalSync {
  std::uint32_t records = 16;
  std::chrono::milliseconds interval{1000};
};

/// The one writer of an append-only file of checksummed records.
///
/// Frame, little-endian: magic "CJRN", payload bytes, checksum32 of all that follows, version,
/// payload. A record is one write(), so a killed writer leaves whole records and at most one torn
/// tail.
class JournalWriter {
public:
  /// Opens or creates `path` and takes its lock (`path`.lock). A bad tail is cut off; the cut bytes
  /// are kept in `path`.cut. Throws EnvironmentError if another process holds the lock (its pid is
  /// named) or the file cannot be written.
  explicit JournalWriter(const std::string& path, JournalSync sync = {});
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;
  JournalWriter(JournalWriter&&) = delete;
  JournalWriter& operator=(JournalWriter&&) = delete;

  /// What the file held when it was opened.
  [[nodiscard]] const JournalContents& recovered() const { return recovered_; }
  /// Adds one record; once it returns, the record survives a kill of this process.
  void append(std::string_view payload);
  /// Forces all records to the disk.
  void sync();
  /// Removes all records.
  void clear();
  [[nodiscard]] const std::string& path() const { return path_; }

private:
  void lock();
  void cut_bad_tail();

  std::string path_;
  JournalSync sync_;
  JournalContents recovered_;
  int lock_fd_ = -1;
  int fd_ = -1;
  std::uint64_t end_ = 0;
  std::uint32_t unsynced_ = 0;
  std::chrono::steady_clock::time_point last_sync_ = std::chrono::steady_clock::now();
};

} // namespace coulomb::results
