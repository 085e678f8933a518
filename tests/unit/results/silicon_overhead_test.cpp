// SPDX-License-Identifier: Apache-2.0
// Columns of words, and times that hold more than the kernel.
#include "base/error.hpp"
#include "base/results/silicon_table.hpp"
#include "temporary_directory.hpp"

#include <gtest/gtest.h>
#include <string>

namespace coulomb::results {
namespace {

using testing::TemporaryDirectory;

std::string metadata(const std::string& texts, const std::string& overhead) {
  return R"(schema = 1
[board]
gpu = "a100-pcie-40gb"
sm_clock_mhz = 1410
memory_clock_mhz = 1215
clock_note = "boost"
[kernel]
spec = "elementwise"
problem_size = [8]
parameters = ["operation", "elements"]
)" + texts +
         R"([time]
column = "latency_ms"
statistic = "one call"
cache_state = "warm"
)" + overhead +
         R"([status]
column = "status"
[status.words]
ok = "ok"
[provenance]
repository = "a/b"
commit = "c"
file = "d"
licence = "MIT"
copyright = "Copyright (c) 2025 Someone"
measured = "2025"
changes = "none"
)";
}

const std::string kTexts = "texts = [\"operation\"]\n";
const std::string kOverhead = "launch_overhead_ms = 0.25\nlaunch_overhead_note = \"fitted\"\n";
const std::string kCsv = "operation,elements,status,latency_ms\ntanh,8,ok,1.5\n";

/// The table, or the message of what is wrong with it, the folder written as DIR.
std::string problem(const std::string& toml, const std::string& csv) {
  const TemporaryDirectory dir;
  dir.write("t.toml", toml);
  const std::string path = dir.write_gzip("t.csv.gz", csv);
  try {
    (void)SiliconTable::load(path);
  } catch (const UserError& e) {
    std::string text = e.what();
    for (auto at = text.find(dir.path("")); at != std::string::npos; at = text.find(dir.path(""))) {
      text.replace(at, dir.path("").size(), "DIR/");
    }
    return text;
  }
  return "nothing was thrown";
}

TEST(SiliconTable, ReadsColumnsOfWordsAndSubtractsTheLaunchOverhead) {
  const TemporaryDirectory dir;
  dir.write("t.toml", metadata(kTexts, kOverhead));
  const SiliconTable table = SiliconTable::load(dir.write_gzip("t.csv.gz", kCsv));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].parameters.key(), "operation=tanh elements=8");
  EXPECT_EQ(table.rows[0].time_ms, std::optional<double>(1.25));
  EXPECT_EQ(table.metadata.launch_overhead_note, "fitted");
}

TEST(SiliconTable, RefusesWordsThatWereNotAnnouncedAndAnnouncedColumnsThatAreNoParameters) {
  EXPECT_EQ(problem(metadata("", kOverhead), kCsv),
            "DIR/t.csv.gz:2: operation is \"tanh\", which is not a number");
  EXPECT_EQ(problem(metadata("texts = [\"operatoin\"]\n", ""), kCsv),
            "DIR/t.toml:11: kernel.texts names \"operatoin\", which kernel.parameters lacks (did "
            "you mean \"operation\"?)");
}

TEST(SiliconTable, RefusesAnOverheadWithoutReasonAndTimesBelowIt) {
  EXPECT_EQ(problem(metadata(kTexts, "launch_overhead_ms = 0.25\n"), kCsv),
            "DIR/t.toml:12: missing key \"time.launch_overhead_note\"");
  EXPECT_EQ(problem(metadata(kTexts, kOverhead),
                    "operation,elements,status,latency_ms\ntanh,8,ok,0.25\n"),
            "DIR/t.csv.gz:2: latency_ms is 0.25 ms, no more than the launch overhead of 0.25 ms");
}

TEST(SiliconTable, ShippedElementwiseRowsCountFrom9MiElementsAtBoost) {
  const auto table =
      SiliconTable::load(std::string(COULOMB_SOURCE_DIR) +
                         "/data/silicon/elementwise/elementwise_A100-PCIE-40GB.csv.gz");
  EXPECT_EQ(table.rows.size(), 1823U);
  EXPECT_EQ(table.eligible_count(), 1115U);
  EXPECT_EQ(table.metadata.launch_overhead_ms, 0.017);
  EXPECT_EQ(table.rows.front().parameters.key().substr(0, 13), "operation=add");
}

} // namespace
} // namespace coulomb::results
