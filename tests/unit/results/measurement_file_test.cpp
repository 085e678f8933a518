// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "base/results/measurement_file.hpp"
#include "base/results/silicon_samples.hpp"
#include "base/text.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace coulomb::results {
namespace {

using testing::HasSubstr;

class MeasuredFile : public testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(dir); }
  void TearDown() override { std::filesystem::remove_all(dir); }

  static MeasuredRow row(std::int64_t block, std::vector<double> samples) {
    MeasuredRow r;
    r.parameters = kernel::Configuration({{"block_size", block}, {"layout", std::string("rows")}});
    r.outcome.status = eval::EvalStatus::ok;
    r.outcome.samples_ms = std::move(samples);
    r.outcome.empty_launch_ms = 0.25;
    r.outcome.state.sm_clock_mhz = 1410.0;
    r.outcome.state.memory_clock_mhz = 1215.0;
    return r;
  }

  [[nodiscard]] MeasurementFile file() const {
    MeasurementFile f;
    f.path = dir + "/m.json";
    f.date = "2026-12-02T20:00:00Z";
    f.address = "device:0";
    f.board = "NVIDIA A100-SXM4-40GB";
    f.gpu = "a100-sxm4-40gb";
    f.cache_state = "warm";
    f.kernels.push_back({"saxpy", {1024}, {row(64, {1.0, 1.5, 2.0}), row(128, {0.5})}});
    return f;
  }

  std::string dir = testing::TempDir() + "/measured-" + std::to_string(::getpid());
};

TEST_F(MeasuredFile, IsReadBackAsItWasSaved) {
  const MeasurementFile before = file();
  before.save();
  const MeasurementFile after = MeasurementFile::load(before.path);
  EXPECT_EQ(after.board, before.board);
  EXPECT_EQ(after.kernels[0].problem_size, before.kernels[0].problem_size);
  EXPECT_EQ(after.kernels[0].rows[0].parameters, before.kernels[0].rows[0].parameters);
  EXPECT_EQ(after.kernels[0].rows[0].outcome.samples_ms,
            before.kernels[0].rows[0].outcome.samples_ms);
}

TEST_F(MeasuredFile, IsASiliconTableWithoutTheLaunchOverhead) {
  file().save();
  const SiliconTable table = SiliconTable::load(dir + "/m.json#saxpy");
  EXPECT_EQ(table.metadata.gpu, "a100-sxm4-40gb");
  EXPECT_EQ(table.metadata.sm_clock_mhz, 1410.0);
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(*table.rows[0].time_ms, 1.25);
  EXPECT_TRUE(table.rows[0].eligible());
}

TEST_F(MeasuredFile, RowsThatThrottledOrAreNoLongerThanNothingDoNotCount) {
  MeasurementFile f = file();
  f.kernels[0].rows[0].outcome.state.throttle_reasons = {"SW power cap"};
  f.kernels[0].rows[1].outcome.samples_ms = {0.2};
  const SiliconTable table = f.table("");
  EXPECT_EQ(table.rows[0].exclusion, "the board throttled");
  EXPECT_EQ(table.rows[1].exclusion, "no longer than a launch of nothing");
}

TEST_F(MeasuredFile, AKernelThatIsNotInItIsNamedWithThoseThatAre) {
  try {
    static_cast<void>(file().table("saxpi"));
    FAIL();
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("has no kernel \"saxpi\" (did you mean \"saxpy\"?)"));
  }
}

TEST_F(MeasuredFile, OfALaterSchemaIsRefused) {
  MeasurementFile f = file();
  f.save();
  std::string text = read_file(f.path);
  const std::string now = "\"measurement_schema\": 1";
  text.replace(text.find(now), now.size(), "\"measurement_schema\": 9");
  write_file_atomically(f.path, text);
  try {
    static_cast<void>(MeasurementFile::load(f.path));
    FAIL();
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("later version of Coulomb (schema 9; this one reads up to 1)"));
  }
}

TEST_F(MeasuredFile, ThatIsAnythingElseNamesTheField) {
  write_file_atomically(dir + "/x.json", "{\"measurement_schema\": 1}");
  try {
    static_cast<void>(MeasurementFile::load(dir + "/x.json"));
    FAIL();
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("\"version\""));
  }
}

TEST(SiliconSamples, OfTheA100ConvolutionHaveTheMediansOfItsTable) {
  const SiliconTable table = SiliconTable::load(
      COULOMB_SOURCE_DIR "/data/silicon/convolution/convolution_A100-PCIE-40GB.csv.gz");
  const SiliconSamples samples = load_silicon_samples(table.metadata);
  std::size_t compared = 0;
  for (const SiliconRow& row : table.rows) {
    if (!row.time_ms) {
      continue;
    }
    const auto& launches = samples.at(row.row);
    ASSERT_EQ(launches.size(), 32U);
    EXPECT_NEAR(eval::sample_statistics(launches).median, *row.time_ms, 1e-3) << row.row;
    ++compared;
  }
  EXPECT_EQ(compared, 4201U);
}

} // namespace
} // namespace coulomb::results
