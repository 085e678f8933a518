// SPDX-License-Identifier: Apache-2.0
#include "base/results/journal.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "tests/unit/search/scratch_directory.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coulomb::results {
namespace {

using search::ScratchDirectory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Journal : public ::testing::Test {
protected:
  std::string path() const { return dir_.path("a.journal"); }
  void write(const std::vector<std::string>& records) const {
    JournalWriter writer(path());
    for (const auto& record : records) {
      writer.append(record);
    }
  }
  void change_bytes(std::size_t at, const std::string& bytes) const {
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file << bytes;
  }

  ScratchDirectory dir_;
};

TEST_F(Journal, ReadsBackWhatWasAppended) {
  write({"one", "", std::string("nul\0byte", 8)});

  const auto contents = read_journal(path());

  EXPECT_THAT(contents.records, ElementsAre("one", "", std::string("nul\0byte", 8)));
  EXPECT_EQ(contents.damage, "");
  EXPECT_EQ(contents.valid_bytes, 3 * 16 + 3 + 8U);
  EXPECT_EQ(contents.file_bytes, contents.valid_bytes);
}

TEST_F(Journal, AppendsBehindWhatIsThere) {
  write({"one"});
  {
    JournalWriter writer(path());
    EXPECT_THAT(writer.recovered().records, ElementsAre("one"));
    writer.append("two");
  }
  EXPECT_THAT(read_journal(path()).records, ElementsAre("one", "two"));
}

TEST_F(Journal, LosesOnlyATornTailAtAnyLengthOfIt) {
  write({"first", "second", "third"});
  const std::string whole = read_file(path());
  const std::size_t third = 2 * 16 + 5 + 6;
  for (std::size_t size = third + 1; size < whole.size(); ++size) {
    write_file_atomically(path(), whole.substr(0, size));
    const auto contents = read_journal(path());
    ASSERT_THAT(contents.records, ElementsAre("first", "second")) << size;
    ASSERT_EQ(contents.valid_bytes, third) << size;
    ASSERT_THAT(contents.damage, HasSubstr("after 2 records, at byte 43: ")) << size;
  }
}

TEST_F(Journal, CutsATornTailBeforeItAppendsAndKeepsTheBytes) {
  write({"first", "second"});
  std::filesystem::resize_file(path(), 16 + 5 + 16 + 3);
  write({"third"});

  EXPECT_THAT(read_journal(path()).records, ElementsAre("first", "third"));
  EXPECT_EQ(read_file(path() + ".cut").substr(16), "sec");
}

TEST_F(Journal, StopsAtAFlippedByteWhereverItIs) {
  write({"first", "second", "third"});
  const std::string whole = read_file(path());
  const std::size_t second = 16 + 5;
  for (std::size_t at = second; at < second + 16 + 6; ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    write_file_atomically(path(), flipped);
    const auto contents = read_journal(path());
    ASSERT_THAT(contents.records, ElementsAre("first")) << at;
    ASSERT_NE(contents.damage, "") << at;
  }
}

TEST_F(Journal, SaysWhereAndWhyItStopped) {
  write({"first", "second"});
  change_bytes(16 + 5 + 16 + 2, "X");
  EXPECT_EQ(read_journal(path()).damage,
            path() + ": after 1 records, at byte 21: its checksum does not match");
  change_bytes(16 + 5, "XXXX");
  EXPECT_EQ(read_journal(path()).damage,
            path() + ": after 1 records, at byte 21: no record starts there");
}

TEST_F(Journal, RefusesASecondWriterAndNamesTheFirst) {
  const JournalWriter first(path());
  try {
    const JournalWriter second(path());
    FAIL() << "a second writer was let in";
  } catch (const EnvironmentError& e) {
    EXPECT_EQ(std::string(e.what()), path() + " is being written by another process (pid " +
                                         std::to_string(::getpid()) + ")");
    EXPECT_EQ(e.hint(), "wait for it to end, or choose another --out");
  }
}

TEST_F(Journal, LetsTheNextWriterInAfterTheFirst) {
  write({"one"});
  EXPECT_NO_THROW(write({"two"}));
}

TEST_F(Journal, NamesAFileThatItCannotRead) {
  try {
    (void)read_journal(dir_.path("missing"));
    FAIL();
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()),
              "cannot read " + dir_.path("missing") + ": No such file or directory");
  }
}

TEST_F(Journal, NamesADirectoryThatItCannotWrite) {
  try {
    const JournalWriter writer(dir_.path("no/such/a.journal"));
    FAIL();
  } catch (const EnvironmentError& e) {
    EXPECT_EQ(std::string(e.what()),
              "cannot open " + dir_.path("no/such/a.journal.lock") + ": No such file or directory");
  }
}

TEST_F(Journal, ReportsAFullDisk) {
  // A file size limit makes write() fail as a full disk does, in the middle of a record.
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    int result = 1;
    try {
      JournalWriter writer(path());
      writer.append(std::string(50, 'a'));
      try {
        writer.append(std::string(50, 'b'));
      } catch (const EnvironmentError& e) {
        result = std::string(e.what()).find("cannot append to " + path()) == 0 ? 0 : 2;
      }
      writer.append("c"); // fits: the torn record was taken back
    } catch (...) {
      result = 3;
    }
    ::_exit(result);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(read_journal(path()).records, ElementsAre(std::string(50, 'a'), "c"));
}

/// Appends numbered records for ever, and counts in shared memory those that append() returned
/// from.
[[noreturn]] void write_for_ever(const std::string& path, volatile std::uint64_t* acknowledged) {
  JournalWriter writer(path, {.records = 8});
  for (std::uint64_t i = writer.recovered().records.size();; ++i) {
    writer.append(std::to_string(i) + std::string(i % 977, '.'));
    *acknowledged = i + 1;
  }
}

TEST_F(Journal, LosesNoAcknowledgedRecordWhenItsWriterIsKilled) {
  void* memory = ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  auto* acknowledged = static_cast<volatile std::uint64_t*>(memory);
  for (int round = 0; round < 25; ++round) {
    const std::uint64_t before = *acknowledged;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      write_for_ever(path(), acknowledged);
    }
    while (*acknowledged == before) {
      ::usleep(100);
    }
    ::usleep(static_cast<useconds_t>(500 + 397 * round));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));

    const auto contents = read_journal(path());
    ASSERT_GE(contents.records.size(), *acknowledged) << "round " << round;
    for (std::size_t i = 0; i < contents.records.size(); ++i) {
      ASSERT_EQ(contents.records[i], std::to_string(i) + std::string(i % 977, '.'));
    }
    *acknowledged = contents.records.size();
  }
  EXPECT_GT(*acknowledged, 25U);
  ::munmap(memory, sizeof(std::uint64_t));
}

} // namespace
} // namespace coulomb::results
