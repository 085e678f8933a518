// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include "base/error.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coulomb {
namespace {

namespace fs = std::filesystem;

class TemporaryDirectory : public ::testing::Test {
protected:
  TemporaryDirectory() {
    std::string name = ::testing::TempDir() + "coulomb.XXXXXX";
    path_ = ::mkdtemp(name.data());
  }
  ~TemporaryDirectory() override {
    fs::permissions(path_, fs::perms::owner_all);
    fs::remove_all(path_);
  }
  [[nodiscard]] std::string in(const std::string& name) const { return path_ + "/" + name; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), {}));
  }

  std::string path_;
};

using AtomicWrite = TemporaryDirectory;
using ReadFile = TemporaryDirectory;

TEST(Nearest, FindsTheCandidateWithTheFewestEdits) {
  EXPECT_EQ(nearest("gtoo", {"lrr", "gto", "gtx"}), "gto");
  EXPECT_EQ(nearest("kitten", {"sitting", "mitten"}), "mitten");
}

TEST(Nearest, AcceptsTwoEditsOfAShortWordButNotThree) {
  EXPECT_EQ(nearest("abcd", {"abxy"}), "abxy");
  EXPECT_EQ(nearest("abcd", {"axyz"}), "");
}

TEST(Nearest, AllowsAThirdOfALongWordToBeWrong) {
  EXPECT_EQ(nearest("abcdefghijkl", {"wxyzefghijkl"}), "wxyzefghijkl");
  EXPECT_EQ(nearest("abcdefghijkl", {"vwxyzfghijkl"}), "");
}

TEST(Nearest, CountsInsertionsAndDeletionsAsEdits) {
  EXPECT_EQ(nearest("warp_slot", {"warp_slots"}), "warp_slots");
  EXPECT_EQ(nearest("rtx3090", {"rtx-3090", "rtx-a6000"}), "rtx-3090");
}

TEST(Nearest, PrefersTheFirstOfEqualCandidates) {
  EXPECT_EQ(nearest("ab", {"ac", "ad"}), "ac");
}

TEST(DidYouMean, IsASentencePartOrEmpty) {
  EXPECT_EQ(did_you_mean("gtoo", {"gto"}), " (did you mean \"gto\"?)");
  EXPECT_EQ(did_you_mean("gtoo", {"something else"}), "");
  EXPECT_EQ(did_you_mean("gtoo", {}), "");
}

TEST(WithThousands, PutsACommaBeforeEachGroupOfThree) {
  EXPECT_EQ(with_thousands(0), "0");
  EXPECT_EQ(with_thousands(999), "999");
  EXPECT_EQ(with_thousands(1000), "1,000");
  EXPECT_EQ(with_thousands(1234567), "1,234,567");
  EXPECT_EQ(with_thousands(18446744073709551615ULL), "18,446,744,073,709,551,615");
}

TEST_F(ReadFile, ReturnsEveryByte) {
  const std::string bytes("a\0b\r\n\xff", 6);
  std::ofstream(in("x"), std::ios::binary) << bytes;
  EXPECT_EQ(read_file(in("x")), bytes);
}

TEST_F(ReadFile, NamesAMissingFileAndTheReason) {
  try {
    (void)read_file(in("missing"));
    FAIL() << "no error";
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()),
              "cannot read " + in("missing") + ": No such file or directory");
  }
}

TEST_F(ReadFile, RefusesADirectory) {
  try {
    (void)read_file(path_);
    FAIL() << "no error";
  } catch (const UserError& e) {
    EXPECT_EQ(std::string(e.what()), "cannot read " + path_ + ": it is a directory");
  }
}

TEST_F(AtomicWrite, ReplacesTheWholeFileAndLeavesNoOther) {
  write_file_atomically(in("x"), "a long first content");
  write_file_atomically(in("x"), "short");
  EXPECT_EQ(read_file(in("x")), "short");
  EXPECT_EQ(files(), 1U);
}

TEST_F(AtomicWrite, MakesTheFileReadableByOthers) {
  write_file_atomically(in("x"), "");
  struct stat info {};
  ASSERT_EQ(::stat(in("x").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0644U);
}

TEST_F(AtomicWrite, NeverTouchesTheOldFileInPlace) {
  write_file_atomically(in("x"), "old");
  std::ifstream reader(in("x"));
  write_file_atomically(in("x"), "new");
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "old"); // the reader's file was replaced, not rewritten
}

TEST_F(AtomicWrite, NamesAMissingFolder) {
  try {
    write_file_atomically(in("no/such/x"), "y");
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_EQ(std::string(e.what()),
              "cannot write " + in("no/such/x") + ": No such file or directory");
  }
}

TEST_F(AtomicWrite, LeavesNothingBehindWhenTheRenameFails) {
  fs::create_directory(in("x"));
  std::ofstream(in("x/occupied")) << "y";
  try {
    write_file_atomically(in("x"), "y");
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_EQ(std::string(e.what()), "cannot write " + in("x") + ": Is a directory");
  }
  EXPECT_EQ(files(), 1U);
}

TEST(ExecutableDir, HoldsThisTest) {
  EXPECT_TRUE(fs::exists(fs::path(executable_dir()) / "test_unit_base"));
}

TEST(HomeDir, IsTheEnvironmentVariableWhenSet) {
  ::setenv("COULOMB_HOME", "/somewhere", 1);
  EXPECT_EQ(home_dir(), "/somewhere");
  ::unsetenv("COULOMB_HOME");
}

TEST(HomeDir, HoldsTheGpuConfigurationsOtherwise) {
  ::unsetenv("COULOMB_HOME");
  EXPECT_TRUE(fs::exists(fs::path(home_dir()) / "configs" / "gpu" / "a100-pcie-40gb.toml"));
}

TEST(RecordedPath, DoesNotTellWhereTheInstallationIs) {
  EXPECT_EQ(recorded_path(home_dir() + "/data/silicon/a.csv.gz"), "data/silicon/a.csv.gz");
  EXPECT_EQ(recorded_path("/elsewhere/a.csv.gz"), "/elsewhere/a.csv.gz");
  EXPECT_EQ(recorded_path("a.csv.gz"), "a.csv.gz");
}

} // namespace
} // namespace coulomb
