// SPDX-License-Identifier: Apache-2.0
#include "base/results/hdf5_writer.hpp"

#include "base/error.hpp"
#include "base/results/hdf5_handle.hpp"
#include "tests/unit/search/hdf5_reading.hpp"
#include "tests/unit/search/scratch_directory.hpp"

#include <cmath>
#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>

namespace coulomb::results {
namespace {

using search::ScratchDirectory;
using namespace search::hdf5_reading;
using ::testing::ElementsAre;
using ::testing::StartsWith;

Hdf5Snapshot snapshot() {
  Hdf5Snapshot s;
  s.meta = {{"seed", "1", "of the streams", std::int64_t{-7}},
            {"scale", "ms", "a number", 0.1},
            {"command", "text", "as typed", std::string("coulomb search \xc3\xa9")},
            {"empty", "text", "nothing", std::string()}};
  s.columns = {{"id", "1", "number",
                std::vector<std::int64_t>{0, 1, std::numeric_limits<std::int64_t>::max()}},
               {"time_ms", "ms", "time", std::vector<double>{0.1, 1.0 / 3.0, std::nan("")}},
               {"status", "text", "fate", std::vector<std::string>{"ok", "", "wrong_result"}}};
  s.matrices = {
      {"counters", "see names", "metrics", {"a", "bc"}, {1.0, 2.0, 3.0, 4.0, 5.0, std::nan("")}}};
  return s;
}

TEST(Hdf5Writer, WritesColumnsExactly) {
  const ScratchDirectory dir;
  write_hdf5(dir.path("a.h5"), snapshot());

  const Hdf5Handle file = open(dir.path("a.h5"));
  EXPECT_THAT(read_integers(file.id(), "/evaluations/id"),
              ElementsAre(0, 1, std::numeric_limits<std::int64_t>::max()));
  const auto times = read_doubles(file.id(), "/evaluations/time_ms");
  ASSERT_EQ(times.size(), 3U);
  EXPECT_EQ(times[0], 0.1);
  EXPECT_EQ(times[1], 1.0 / 3.0);
  EXPECT_TRUE(std::isnan(times[2]));
  EXPECT_THAT(read_texts(file.id(), "/evaluations/status"), ElementsAre("ok", "", "wrong_result"));
  const auto counters = read_doubles(file.id(), "/evaluations/counters");
  ASSERT_EQ(counters.size(), 6U);
  EXPECT_EQ(counters[4], 5.0);
  EXPECT_THAT(read_texts(file.id(), "/evaluations/counters_names"), ElementsAre("a", "bc"));
}

TEST(Hdf5Writer, WritesScalarsAndWhatTheyMean) {
  const ScratchDirectory dir;
  write_hdf5(dir.path("a.h5"), snapshot());

  const Hdf5Handle file = open(dir.path("a.h5"));
  EXPECT_THAT(read_integers(file.id(), "/meta/seed"), ElementsAre(-7));
  EXPECT_THAT(read_doubles(file.id(), "/meta/scale"), ElementsAre(0.1));
  EXPECT_THAT(read_texts(file.id(), "/meta/command"), ElementsAre("coulomb search \xc3\xa9"));
  EXPECT_THAT(read_texts(file.id(), "/meta/empty"), ElementsAre(""));
  EXPECT_EQ(read_attribute(file.id(), "/meta/scale", "unit"), "ms");
  EXPECT_EQ(read_attribute(file.id(), "/evaluations/id", "description"), "number");
  EXPECT_EQ(read_attribute(file.id(), "/evaluations/counters", "unit"), "see names");
}

TEST(Hdf5Writer, WritesATableWithoutRows) {
  Hdf5Snapshot empty;
  empty.columns = {{"id", "1", "number", std::vector<std::int64_t>{}}};
  empty.matrices = {{"counters", "1", "metrics", {}, {}}};
  const ScratchDirectory dir;
  write_hdf5(dir.path("a.h5"), empty);

  const Hdf5Handle file = open(dir.path("a.h5"));
  EXPECT_THAT(read_integers(file.id(), "/evaluations/id"), ElementsAre());
}

TEST(Hdf5Writer, ReplacesAFileWholeAndLeavesNothingElse) {
  const ScratchDirectory dir;
  write_hdf5(dir.path("a.h5"), snapshot());
  Hdf5Snapshot second = snapshot();
  second.columns[0].values = std::vector<std::int64_t>{4, 5, 6};
  write_hdf5(dir.path("a.h5"), second);

  EXPECT_THAT(read_integers(open(dir.path("a.h5")).id(), "/evaluations/id"), ElementsAre(4, 5, 6));
  const std::filesystem::directory_iterator files(dir.path(""));
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Hdf5Writer, SaysWhatItCannotCreateAndWhy) {
  const ScratchDirectory dir;
  try {
    write_hdf5(dir.path("missing/a.h5"), snapshot());
    FAIL();
  } catch (const EnvironmentError& e) {
    EXPECT_THAT(e.what(), StartsWith("HDF5 cannot create " + dir.path("missing/a.h5.tmp.")));
    EXPECT_THAT(e.what(), ::testing::HasSubstr("No such file or directory"));
    EXPECT_EQ(e.hint(), "check the path, the disk's free space and the permissions");
  }
}

TEST(Hdf5Writer, KeepsTheOldFileWhenTheNewOneFails) {
  const ScratchDirectory dir;
  write_hdf5(dir.path("a.h5"), snapshot());
  Hdf5Snapshot bad = snapshot();
  bad.columns[1].values = std::vector<double>{1.0};
  EXPECT_THROW(write_hdf5(dir.path("a.h5"), bad), InternalError);

  EXPECT_EQ(read_integers(open(dir.path("a.h5")).id(), "/evaluations/id").size(), 3U);
  const std::filesystem::directory_iterator files(dir.path(""));
  EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST(Hdf5Handle, ClosesWhatItOwnsOnceAndMoves) {
  const ScratchDirectory dir;
  write_hdf5(dir.path("a.h5"), snapshot());
  Hdf5Handle file = open(dir.path("a.h5"));
  const hid_t id = file.id();
  Hdf5Handle moved = std::move(file);
  EXPECT_EQ(moved.id(), id);
  EXPECT_GT(H5Iis_valid(id), 0);
  moved.close("close the file");
  EXPECT_EQ(H5Iis_valid(id), 0);
  EXPECT_NO_THROW(moved.close("close the file"));
}

} // namespace
} // namespace coulomb::results
