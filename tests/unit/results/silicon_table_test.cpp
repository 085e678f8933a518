// SPDX-License-Identifier: Apache-2.0
#include "base/results/silicon_table.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "temporary_directory.hpp"

#include <algorithm>
#include <functional>
#include <gmock/gmock.h>
#include <ostream>
#include <set>
#include <string>

namespace coulomb::results {
namespace {

using eval::EvalStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;
using testing::TemporaryDirectory;

const std::string kToml = R"(schema = 1
[board]
gpu = "a100-pcie-40gb"
sm_clock_mhz = 765
memory_clock_mhz = 1215.0
clock_note = "base clock"
[kernel]
spec = "convolution"
problem_size = [4096, 4096]
parameters = ["bx", "scale"]
[kernel.defaults]
use_shmem = 1
fast = true
[time]
column = "median_ms"
statistic = "median of 32 launches"
cache_state = "warm"
[status]
column = "status"
[status.words]
ok = "ok"
compile_error = "compile_failed"
runtime_error = "launch_invalid"
[[filter]]
column = "clock_state"
keep = ["base"]
reason = "clock not at base"
[provenance]
repository = "someone/hub"
commit = "abc"
file = "a.json"
licence = "MIT"
copyright = "Copyright (c) 2025 Someone"
measured = "2023-12-22"
changes = "none"
)";

const std::string kCsv = "bx,scale,status,median_ms,clock_state\n"
                         "16,0.5,ok,1.25,base\n"
                         "32,1,ok,0.5,uncertain\n"
                         "64,1,compile_error,,\n"
                         "64,2,runtime_error,,\n";

struct Error {
  std::string message;
  std::string hint;
};

Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& e) {
    return {e.what(), e.hint()};
  }
  return {"nothing was thrown", ""};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// Loads a table of these two texts and returns the error, with the directory written as DIR.
Error load_error(const std::string& csv, const std::string& toml) {
  const TemporaryDirectory dir;
  dir.write("t.toml", toml);
  const std::string path = dir.write_gzip("t.csv.gz", csv);
  Error e = error_of([&] { (void)SiliconTable::load(path); });
  for (auto* text : {&e.message, &e.hint}) {
    for (auto at = text->find(dir.path("")); at != std::string::npos;
         at = text->find(dir.path(""))) {
      text->replace(at, dir.path("").size(), "DIR/");
    }
  }
  return e;
}

TEST(SiliconTable, YieldsRowsWithParametersStatusAndEligibility) {
  const TemporaryDirectory dir;
  dir.write("t.toml", kToml);
  const SiliconTable t = SiliconTable::load(dir.write_gzip("t.csv.gz", kCsv));
  ASSERT_EQ(t.rows.size(), 4u);
  EXPECT_EQ(t.rows[0].row, 0u);
  EXPECT_EQ(t.rows[0].parameters.key(), "bx=16 scale=0.5 fast=true use_shmem=1");
  EXPECT_EQ(t.rows[0].time_ms, std::optional<double>(1.25));
  EXPECT_TRUE(t.rows[0].eligible());
  EXPECT_FALSE(t.rows[1].eligible());
  EXPECT_EQ(t.rows[1].exclusion, "clock not at base");
  EXPECT_EQ(t.rows[1].time_ms, std::optional<double>(0.5));
  EXPECT_EQ(t.rows[2].status, EvalStatus::compile_failed);
  EXPECT_EQ(t.rows[3].status, EvalStatus::launch_invalid);
  EXPECT_EQ(t.rows[3].time_ms, std::nullopt);
  EXPECT_EQ(t.rows[3].exclusion, "");
  EXPECT_EQ(t.eligible_count(), 1u);
  EXPECT_EQ(t.failed_count(), 2u);
  EXPECT_THAT(t.excluded(), ElementsAre(Pair("clock not at base", 1)));
}

TEST(SiliconTable, ReadsEverythingThatTheTomlStates) {
  const TemporaryDirectory dir;
  const SiliconMetadata m = load_silicon_metadata(dir.write("t.toml", kToml));
  EXPECT_EQ(m.gpu, "a100-pcie-40gb");
  EXPECT_EQ(m.sm_clock_mhz, 765.0);
  EXPECT_EQ(m.memory_clock_mhz, 1215.0);
  EXPECT_EQ(m.spec, "convolution");
  EXPECT_THAT(m.problem_size, ElementsAre(4096, 4096));
  EXPECT_EQ(m.time_column, "median_ms");
  EXPECT_EQ(m.cache_state, "warm");
  EXPECT_EQ(m.provenance.licence, "MIT");
  EXPECT_EQ(m.filters.at(0).reason, "clock not at base");
}

TEST(SiliconTable, RefusesATableWithoutToml) {
  const TemporaryDirectory dir;
  const std::string path = dir.write_gzip("t.csv.gz", kCsv);
  const Error e = error_of([&] { (void)SiliconTable::load(path); });
  EXPECT_EQ(e.message, path + " has no t.toml beside it");
  EXPECT_EQ(e.hint, "write that file: it states board, clocks, kernel, columns and licence; "
                    "data/silicon has examples");
}

TEST(SiliconTable, ListsEveryProblemOfTheTomlWithItsLine) {
  std::string toml = replaced(kToml, "gpu = \"a100-pcie-40gb\"", "gpuu = \"a100-pcie-40gb\"");
  toml = replaced(toml, "sm_clock_mhz = 765", "sm_clock_mhz = \"765 MHz\"");
  toml = replaced(toml, "\"warm\"", "\"wram\"");
  toml = replaced(toml, "\"launch_invalid\"", "\"launch_invlid\"");
  EXPECT_EQ(
      load_error(kCsv, toml).message,
      "DIR/t.toml:2: missing key \"board.gpu\"\n"
      "DIR/t.toml:3: unknown key \"board.gpuu\" (did you mean \"gpu\"?); known: clock_note, gpu, "
      "memory_clock_mhz, sm_clock_mhz\n"
      "DIR/t.toml:4: board.sm_clock_mhz must be a number above 0\n"
      "DIR/t.toml:17: time.cache_state is \"wram\"; one of: warm, cold (did you mean \"warm\"?)\n"
      "DIR/t.toml:23: status.words.runtime_error is \"launch_invlid\"; one of: ok, restricted, "
      "compile_failed, compile_timeout, launch_invalid, unsupported, wrong_result, deadlock, "
      "timeout, crashed (did you mean \"launch_invalid\"?)");
}

TEST(SiliconTable, ReportsAMissingSectionAndAWrongSchema) {
  const std::string toml =
      replaced(replaced(kToml, "schema = 1", "schema = 2"), "[time]", "[tiem]");
  const std::string found = load_error(kCsv, toml).message;
  EXPECT_THAT(
      found, HasSubstr("DIR/t.toml:1: schema must be 1, the only version that this release reads"));
  EXPECT_THAT(found, HasSubstr("missing key \"time\""));
  EXPECT_THAT(found, HasSubstr("unknown key \"tiem\" (did you mean \"time\"?)"));
}

TEST(SiliconTable, ReportsMalformedTomlWithItsLine) {
  EXPECT_THAT(load_error(kCsv, "schema = 1\n[board\n").message,
              HasSubstr("DIR/t.toml:2: not valid TOML\n"));
}

TEST(SiliconTable, NamesAColumnThatIsNotThere) {
  const Error e = load_error(replaced(kCsv, "median_ms", "median_s"), kToml);
  EXPECT_EQ(e.message,
            "DIR/t.csv.gz:1: no column \"median_ms\", which DIR/t.toml names (did you mean "
            "\"median_s\"?)");
  EXPECT_EQ(e.hint, "columns: bx, scale, status, median_s, clock_state");
}

TEST(SiliconTable, NamesTheLineOfAValueThatIsNotANumber) {
  EXPECT_EQ(load_error(replaced(kCsv, "32,1,ok", "thirty,1,ok"), kToml).message,
            "DIR/t.csv.gz:3: bx is \"thirty\", which is not a number");
  EXPECT_EQ(
      load_error(replaced(kCsv, "ok,1.25", "ok,fast"), kToml).message,
      "DIR/t.csv.gz:2: median_ms is \"fast\", which is not a number, but the row's status says "
      "that it ran");
  EXPECT_EQ(
      load_error(replaced(kCsv, "ok,1.25", "ok,"), kToml).message,
      "DIR/t.csv.gz:2: median_ms is \"\", which is not a number, but the row's status says that "
      "it ran");
  EXPECT_EQ(load_error(replaced(kCsv, "ok,1.25", "ok,0.0"), kToml).message,
            "DIR/t.csv.gz:2: median_ms is 0.0; a time must be above 0 ms");
  EXPECT_EQ(load_error(replaced(kCsv, "ok,1.25", "ok,nan"), kToml).message,
            "DIR/t.csv.gz:2: median_ms is nan; a time must be above 0 ms");
}

TEST(SiliconTable, NamesTheLineOfAnUnknownStatusWord) {
  const Error e = load_error(replaced(kCsv, "compile_error", "compile_eror"), kToml);
  EXPECT_EQ(e.message,
            "DIR/t.csv.gz:4: status is \"compile_eror\", which DIR/t.toml does not translate "
            "(did you mean \"compile_error\"?)");
  EXPECT_EQ(e.hint, "status.words has: compile_error, ok, runtime_error");
}

TEST(SiliconTable, RefusesADefaultForAColumnThatIsThere) {
  EXPECT_EQ(
      load_error(kCsv, replaced(kToml, "use_shmem = 1", "clock_state = 1")).message,
      "DIR/t.toml: kernel.defaults gives clock_state, but DIR/t.csv.gz has a column of that name");
}

TEST(SiliconTable, IsFoundByPathByNameAndByFileName) {
  const TemporaryDirectory dir;
  std::filesystem::create_directory(dir.path("conv"));
  const std::string path = dir.write_gzip("conv/conv_A100.csv.gz", kCsv);
  EXPECT_EQ(find_silicon_table(path, dir.path("")), path);
  EXPECT_EQ(find_silicon_table("conv/conv_A100", dir.path("")), path);
  EXPECT_EQ(find_silicon_table("conv_A100", dir.path("")), path);
  const Error e = error_of([&] { (void)find_silicon_table("conv/conv_A10", dir.path("")); });
  EXPECT_EQ(e.message, "no silicon table \"conv/conv_A10\" (did you mean \"conv/conv_A100\"?)");
  EXPECT_EQ(e.hint, "in " + dir.path("") + ": conv/conv_A100");
  EXPECT_EQ(error_of([&] { (void)find_silicon_table("conv_A10", dir.path("")); }).message,
            "no silicon table \"conv_A10\" (did you mean \"conv_A100\"?)");
}

struct Shipped {
  const char* table;
  const char* gpu;
  const char* spec;
  double sm_clock_mhz;
  std::size_t rows;
  std::size_t eligible;
  std::size_t compile_failed;
  std::size_t launch_invalid;
};

/// Test names must not hold addresses.
void PrintTo(const Shipped& shipped, std::ostream* out) {
  *out << shipped.table;
}

class ShippedTable : public ::testing::TestWithParam<Shipped> {};

TEST_P(ShippedTable, HasTheRowsThatItsReadmeStates) {
  const Shipped& expected = GetParam();
  const std::string silicon = std::string(COULOMB_SOURCE_DIR) + "/data/silicon";
  const SiliconTable t = SiliconTable::load(find_silicon_table(expected.table, silicon));
  EXPECT_EQ(t.metadata.gpu, expected.gpu);
  EXPECT_EQ(t.metadata.spec, expected.spec);
  EXPECT_EQ(t.metadata.sm_clock_mhz, expected.sm_clock_mhz);
  EXPECT_EQ(t.metadata.provenance.licence, "MIT");
  EXPECT_EQ(t.rows.size(), expected.rows);
  EXPECT_EQ(t.eligible_count(), expected.eligible);
  const auto count = [&](EvalStatus s) {
    return static_cast<std::size_t>(
        std::count_if(t.rows.begin(), t.rows.end(), [&](const auto& r) { return r.status == s; }));
  };
  EXPECT_EQ(count(EvalStatus::compile_failed), expected.compile_failed);
  EXPECT_EQ(count(EvalStatus::launch_invalid), expected.launch_invalid);
}

TEST_P(ShippedTable, HasEachConfigurationOnce) {
  const std::string silicon = std::string(COULOMB_SOURCE_DIR) + "/data/silicon";
  const SiliconTable t = SiliconTable::load(find_silicon_table(GetParam().table, silicon));
  std::set<std::string> configurations;
  for (const auto& row : t.rows) {
    EXPECT_TRUE(configurations.insert(row.parameters.key()).second) << row.parameters.key();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Data,
    ShippedTable,
    ::testing::Values(Shipped{"convolution/convolution_A100-PCIE-40GB", "a100-pcie-40gb",
                              "convolution", 765.0, 4362, 2769, 6, 155},
                      Shipped{"convolution/convolution_RTX-A4000_2023-12", "rtx-a4000",
                              "convolution", 1560.0, 4362, 4201, 6, 155},
                      Shipped{"dedispersion/dedispersion_A100-PCIE-40GB", "a100-pcie-40gb",
                              "dedispersion", 1410.0, 11130, 11130, 0, 0},
                      Shipped{"bat_convolution/bat_convolution_RTX-3090", "rtx-3090",
                              "convolution_bat", 1695.0, 6768, 5220, 1426, 122},
                      Shipped{"bat_gemm/bat_gemm_RTX-3090_half", "rtx-3090", "sgemm", 1695.0, 8968,
                              8968, 0, 0},
                      Shipped{"elementwise/elementwise_A100-PCIE-40GB", "a100-pcie-40gb",
                              "elementwise", 1410.0, 1823, 1115, 0, 0}));

TEST(ShippedTables, ExcludeTheA100RowsWhoseClockWasNotAtBase) {
  const std::string silicon = std::string(COULOMB_SOURCE_DIR) + "/data/silicon";
  const auto t =
      SiliconTable::load(find_silicon_table("convolution/convolution_A100-PCIE-40GB", silicon));
  EXPECT_THAT(t.excluded(), ElementsAre(Pair("SM clock not at its base value throughout", 1432)));
  double best = 1e9;
  for (const auto& r : t.rows) {
    best = r.eligible() ? std::min(best, *r.time_ms) : best;
  }
  EXPECT_NEAR(best, 0.812, 0.0005);
}

} // namespace
} // namespace coulomb::results
