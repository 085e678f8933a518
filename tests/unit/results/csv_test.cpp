// SPDX-License-Identifier: Apache-2.0
#include "base/results/csv.hpp"

#include "base/error.hpp"
#include "temporary_directory.hpp"

#include <functional>
#include <gmock/gmock.h>

namespace coulomb::results {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TemporaryDirectory;

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(Csv, ReadsColumnsRowsAndLineNumbers) {
  const CsvTable t = parse_csv("a,b\n1,2\n\n3,\n", "x.csv");
  EXPECT_THAT(t.columns, ElementsAre("a", "b"));
  EXPECT_THAT(t.rows, ElementsAre(ElementsAre("1", "2"), ElementsAre("3", "")));
  EXPECT_EQ(t.where(0), "x.csv:2");
  EXPECT_EQ(t.where(1), "x.csv:4");
  EXPECT_EQ(t.find_column("b"), std::optional<std::size_t>(1));
  EXPECT_EQ(t.find_column("c"), std::nullopt);
}

TEST(Csv, UnderstandsQuotesAndCarriageReturns) {
  const CsvTable t = parse_csv("name,n\r\n\"a,\"\"b\"\"\nc\",2\r\nlast,3", "x.csv");
  EXPECT_THAT(t.columns, ElementsAre("name", "n"));
  EXPECT_THAT(t.rows, ElementsAre(ElementsAre("a,\"b\"\nc", "2"), ElementsAre("last", "3")));
  EXPECT_EQ(t.where(1), "x.csv:4");
}

TEST(Csv, RejectsARowOfAnotherLength) {
  EXPECT_EQ(message_of([] { (void)parse_csv("a,b\n1,2\n1\n", "x.csv"); }),
            "x.csv:3: 1 values, but the header names 2 columns");
}

TEST(Csv, RejectsAnOpenQuote) {
  EXPECT_EQ(message_of([] { (void)parse_csv("a,b\n1,\"2\n3,4\n", "x.csv"); }),
            "x.csv:2: a quoted value is not closed");
}

TEST(Csv, RejectsAnEmptyFileAndADoubledColumn) {
  EXPECT_EQ(message_of([] { (void)parse_csv("\n", "x.csv"); }),
            "x.csv: the table is empty, it has no header line");
  EXPECT_EQ(message_of([] { (void)parse_csv("a,b,a\n", "x.csv"); }),
            "x.csv:1: column \"a\" occurs twice in the header");
}

TEST(Csv, ReadsPlainAndCompressedFilesAlike) {
  const TemporaryDirectory dir;
  const std::string text = "a,b\n1,2\n";
  EXPECT_EQ(read_csv(dir.write("x.csv", text)).rows,
            read_csv(dir.write_gzip("x.csv.gz", text)).rows);
}

TEST(Csv, RefusesACompressedFileThatWasCutOff) {
  const TemporaryDirectory dir;
  std::string text = "a\n";
  for (int i = 0; i < 5000; ++i) {
    text += std::to_string(i * 7919 % 104729) + "\n";
  }
  const std::string whole = dir.write_gzip("x.csv.gz", text);
  std::filesystem::resize_file(whole, std::filesystem::file_size(whole) - 20);
  EXPECT_THAT(message_of([&] { (void)read_csv(whole); }),
              HasSubstr("cannot read " + whole + ": the compressed data are damaged or cut off ("));
}

TEST(Csv, RefusesDamagedCompressedData) {
  const TemporaryDirectory dir;
  const std::string path = dir.write_gzip("x.csv.gz", "a,b\n1,2\n3,4\n5,6\n");
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-8, std::ios::end); // the checksum
  file.put('\x55');
  file.close();
  EXPECT_THAT(message_of([&] { (void)read_csv(path); }), HasSubstr("damaged or cut off"));
}

TEST(Csv, NamesAMissingFileAndADirectory) {
  const TemporaryDirectory dir;
  EXPECT_EQ(message_of([&] { (void)read_csv(dir.path("none.csv")); }),
            "cannot read " + dir.path("none.csv") + ": No such file or directory");
  EXPECT_EQ(message_of([&] { (void)read_csv(dir.path("")); }),
            "cannot read " + dir.path("") + ": it is a directory");
}

} // namespace
} // namespace coulomb::results
