// SPDX-License-Identifier: Apache-2.0
#include "calibration/data/observations.hpp"

#include "base/error.hpp"
#include "base/eval/features.hpp"
#include "base/text.hpp"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace coulomb::calibration {
namespace {

class ObservationFile : public ::testing::Test {
protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::vector<Observation> read(const std::string& text) const {
    write_file_atomically(path_, text);
    return load_observations(path_);
  }
  std::string problem(const std::string& text) const {
    try {
      (void)read(text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "none";
  }
  std::string path_ =
      (std::filesystem::temp_directory_path() / fmt::format("observations-{}.csv", ::getpid()))
          .string();
};

Observation observation() {
  Observation o;
  o.board = "rtx-3090";
  o.spec = "sgemm";
  o.row = 17;
  o.parameters = kernel::Configuration(
      {{"MWG", std::int64_t{64}}, {"scale", 0.1}, {"fast", true}, {"layout", "row, \"major\""}});
  o.silicon_ms = 1.0 / 3.0;
  o.silicon_noise = 0.0017;
  o.sim_ms = 0.1 + 0.2;
  o.features.assign(eval::feature_table().size(), 0.0);
  o.features[1] = std::numeric_limits<double>::quiet_NaN();
  o.features[2] = 1e-17;
  return o;
}

constexpr const char* kHeader = "board,spec,row,parameters,silicon_ms,silicon_noise,sim_ms\n";

TEST_F(ObservationFile, ReadsBackWhatWasWritten) {
  const Observation written = observation();
  const auto all = read(to_csv({written, written}));
  ASSERT_EQ(all.size(), 2U);
  const Observation& o = all[1];
  EXPECT_EQ(o.board, "rtx-3090");
  EXPECT_EQ(o.spec, "sgemm");
  EXPECT_EQ(o.row, 17U);
  EXPECT_EQ(o.parameters, written.parameters);
  EXPECT_EQ(o.silicon_ms, written.silicon_ms);
  EXPECT_EQ(o.silicon_noise, written.silicon_noise);
  EXPECT_EQ(o.sim_ms, written.sim_ms);
  ASSERT_EQ(o.features.size(), written.features.size());
  EXPECT_TRUE(std::isnan(o.features[1]));
  EXPECT_EQ(o.features[2], 1e-17);
  EXPECT_DOUBLE_EQ(o.log_ratio(), std::log((1.0 / 3.0) / (0.1 + 0.2)));
}

TEST_F(ObservationFile, FeatureThatTheFileDoesNotHaveIsUnknown) {
  const auto all = read(std::string(kHeader) + "b,s,0,{},1,0,2\n");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].features.size(), eval::feature_table().size());
  EXPECT_TRUE(std::isnan(all[0].features[0]));
}

TEST_F(ObservationFile, NamesTheMissingColumn) {
  EXPECT_EQ(problem("board,spec,row,parameters,silicon_ms,sim_ms\n"),
            path_ + ": there is no column \"silicon_noise\"");
}

TEST_F(ObservationFile, NamesTheLineOfABadValue) {
  EXPECT_EQ(problem(std::string(kHeader) + "b,s,0,{},1,0,2\nb,s,1,{},0,0,2\n"),
            path_ + ":3: silicon_ms is \"0\"; allowed: a number above 0");
  EXPECT_EQ(problem(std::string(kHeader) + "b,s,1.5,{},1,0,2\n"),
            path_ + ":2: row is \"1.5\"; allowed: a whole number from 0");
  EXPECT_EQ(problem(std::string(kHeader) + "b,s,1,{},1,nan,2\n"),
            path_ + ":2: silicon_noise is \"nan\"; allowed: a finite number");
  EXPECT_EQ(problem(std::string(kHeader) + "b,s,1,[1],1,0,2\n"),
            path_ + ":2: parameters are [1]; allowed: a JSON object of numbers, truth values and "
                    "texts");
}

TEST(Observations, AreTheRowsThatBothTimed) {
  ValidationReport report;
  report.subject.gpu = "rtx-3090";
  report.subject.spec = "sgemm";
  report.rows.resize(3);
  report.rows[0].silicon_ms = 2.0;
  report.rows[1].sim_ms = 1.0;
  report.rows[2].silicon_ms = 3.0;
  report.rows[2].sim_ms = 4.0;
  report.rows[2].row = 9;
  report.rows[2].features = {4.0};
  const auto all = observations_of(report, results::SiliconTable{});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].row, 9U);
  EXPECT_EQ(all[0].board, "rtx-3090");
  EXPECT_EQ(all[0].silicon_noise, 0.0) << "no single launches were published";
  EXPECT_EQ(all[0].features, std::vector<double>{4.0});
}

} // namespace
} // namespace coulomb::calibration
