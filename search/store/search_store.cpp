// SPDX-License-Identifier: Apache-2.0
#include "search/store/search_store.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

namespace coulomb::search {
namespace {

using Json = nlohmann::json;

std::string dump(Json json, const char* kind) {
  json["kind"] = kind;
  // Messages come from compilers and kernels: whatever bytes they hold must not end the search.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void take_record(const std::string& text, SearchRecords& records) {
  const Json json = Json::parse(text, nullptr, false);
  const std::string kind =
      json.is_object() ? json.value("kind", std::string()) : std::string("no JSON object");
  if (kind == "header") {
    records.header = header_from_json(json);
  } else if (kind == "evaluation") {
    records.evaluations.push_back(evaluation_from_json(json));
  } else if (kind == "migration") {
    records.migrations.push_back(migration_from_json(json));
  } else if (kind == "session") {
    ++records.sessions;
    records.last_jobs = json.value("jobs", 0U);
    records.stopped_by.clear();
  } else if (kind == "end") {
    records.stopped_by = json.value("stopped_by", std::string());
  } else {
    throw UserError(fmt::format("unknown record ({})", kind));
  }
}

SearchRecords parse(const std::string& dir, const results::JournalContents& contents) {
  SearchRecords records;
  records.damage = contents.damage;
  for (std::size_t i = 0; i < contents.records.size(); ++i) {
    try {
      take_record(contents.records[i], records);
    } catch (const Error& e) {
      throw UserError(fmt::format("{}: record {}: {}", journal_path(dir), i, e.what()), e.hint());
    }
  }
  link_equal_code(records.evaluations);
  return records;
}

bool holds_search(const std::string& dir) {
  std::error_code ignored;
  return std::filesystem::file_size(journal_path(dir), ignored) > 0 && !ignored;
}

[[noreturn]] void throw_no_search(const std::string& dir) {
  throw UserError(fmt::format("{} holds no search: there is no {}", dir, journal_path(dir)),
                  "start one with: coulomb search SPEC --gpu GPU --out DIR");
}

} // namespace

std::string journal_path(const std::string& dir) {
  return (std::filesystem::path(dir) / "search.journal").string();
}

SearchRecords load_search(const std::string& dir) {
  if (!holds_search(dir)) {
    throw_no_search(dir);
  }
  const auto contents = results::read_journal(journal_path(dir));
  if (contents.records.empty()) {
    throw UserError(fmt::format("{} holds no readable record", journal_path(dir)));
  }
  return parse(dir, contents);
}

bool is_running(const std::string& dir) {
  const int fd = ::open((journal_path(dir) + ".lock").c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  const bool locked = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(fd);
  return locked;
}

SearchStore::SearchStore(std::string dir, std::unique_ptr<results::JournalWriter> journal)
    : dir_(std::move(dir)), journal_(std::move(journal)),
      records_(parse(dir_, journal_->recovered())) {}

SearchStore SearchStore::create(const std::string& dir, const SearchHeader& header) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) {
    throw EnvironmentError(fmt::format("cannot make the directory {}: {}", dir, error.message()),
                           "choose another --out");
  }
  SearchStore store(dir, std::make_unique<results::JournalWriter>(journal_path(dir)));
  if (!store.records_.evaluations.empty()) {
    throw UserError(fmt::format("{} holds a search already: {} of {} evaluations", dir,
                                store.records_.evaluations.size(), store.records_.header.budget),
                    "continue it with --resume, or choose another --out");
  }
  store.journal_->clear();
  store.records_ = SearchRecords{};
  store.records_.header = header;
  store.journal_->append(dump(to_json(header), "header"));
  store.journal_->sync();
  return store;
}

SearchStore SearchStore::resume(const std::string& dir, const SearchHeader& header) {
  if (!holds_search(dir)) {
    throw_no_search(dir);
  }
  SearchStore store(dir, std::make_unique<results::JournalWriter>(journal_path(dir)));
  if (store.journal_->recovered().records.empty()) {
    throw UserError(fmt::format("{} holds no readable record", journal_path(dir)),
                    "start again in another --out");
  }
  const auto different = differences(store.records_.header, header);
  if (!different.empty()) {
    throw UserError(
        fmt::format("{} was recorded by another search:\n  {}", dir, fmt::join(different, "\n  ")),
        fmt::format("repeat its command with --resume: {}", store.records_.header.command));
  }
  return store;
}

void SearchStore::begin_session(std::uint32_t jobs, const std::string& command) {
  ++records_.sessions;
  records_.last_jobs = jobs;
  records_.stopped_by.clear();
  journal_->append(dump({{"jobs", jobs}, {"command", command}, {"started", utc_now()}}, "session"));
}

void SearchStore::add(const EvaluationRecord& record) {
  journal_->append(dump(to_json(record), "evaluation"));
  records_.evaluations.push_back(record);
}

void SearchStore::add(const MigrationRecord& migration) {
  journal_->append(dump(to_json(migration), "migration"));
  records_.migrations.push_back(migration);
}

void SearchStore::end_session(const std::string& stopped_by) {
  records_.stopped_by = stopped_by;
  link_equal_code(records_.evaluations);
  journal_->append(dump({{"stopped_by", stopped_by}, {"finished", utc_now()}}, "end"));
  journal_->sync();
}

} // namespace coulomb::search
