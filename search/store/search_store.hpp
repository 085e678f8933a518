// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/results/journal.hpp"
#include "search/store/evaluation_record.hpp"
#include "search/store/migration_record.hpp"
#include "search/store/search_header.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace coulomb::search {

/// All that a search directory's journal says.
struct SearchRecords {
  SearchHeader header;
  std::vector<EvaluationRecord> evaluations; ///< by id, once a session has ended
  std::vector<MigrationRecord> migrations;   ///< of an island of several, in their order
  std::uint32_t sessions = 0;                ///< processes that worked on it
  std::uint32_t last_jobs = 0;               ///< worker processes of the latest session
  std::string
      stopped_by;     ///< "budget", "exhausted", "signal"; empty while it runs, or if it was killed
  std::string damage; ///< what was unreadable, or empty
};

/// Path of the journal in a search directory.
[[nodiscard]] std::string journal_path(const std::string& dir);
/// Reads a search directory without disturbing a search that runs. Throws UserError if it holds
/// none.
[[nodiscard]] SearchRecords load_search(const std::string& dir);
/// True if a process is writing the directory's journal now.
[[nodiscard]] bool is_running(const std::string& dir);

/// The one writer of a search directory.
class SearchStore {
public:
  /// Begins a search in `dir`, which is made if missing. Throws UserError if a search is there
  /// already; one that never got to an evaluation is replaced.
  [[nodiscard]] static SearchStore create(const std::string& dir, const SearchHeader& header);
  /// Continues the search in `dir`. Throws UserError if there is none, or it is not the one that
  /// `header` describes: then the text names every difference.
  [[nodiscard]] static SearchStore resume(const std::string& dir, const SearchHeader& header);

  [[nodiscard]] const SearchRecords& records() const { return records_; }
  [[nodiscard]] const std::string& dir() const { return dir_; }

  void begin_session(std::uint32_t jobs, const std::string& command);
  /// Once it returns, the record survives a kill of this process.
  void add(const EvaluationRecord& record);
  /// The same.
  void add(const MigrationRecord& migration);
  void end_session(const std::string& stopped_by);

private:
  SearchStore(std::string dir, std::unique_ptr<results::JournalWriter> journal);

  std::string dir_;
  std::unique_ptr<results::JournalWriter> journal_;
  SearchRecords records_;
};

} // namespace coulomb::search
