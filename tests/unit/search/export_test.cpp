// SPDX-License-Identifier: Apache-2.0
#include "search/store/export.hpp"

#include "base/eval/features.hpp"
#include "base/results/csv.hpp"
#include "tests/unit/search/hdf5_reading.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using ::testing::ElementsAre;

SearchRecords records() {
  SearchRecords r;
  r.header = synthetic_header();
  r.evaluations = {ok_record(0, 0.1), failed_record(1, EvalStatus::launch_invalid, "2048 threads"),
                   ok_record(2, 1.0 / 3.0)};
  r.stopped_by = "budget";
  return r;
}

TEST(Export, WritesCsvThatReadsBack) {
  const auto table = results::parse_csv(export_csv(records()), "x.csv");
  EXPECT_THAT(table.columns,
              ElementsAre("id", "origin", "status", "time_ms", "cycles", "block", "fast", "scale",
                          "layout", "compile_s", "sim_s", "cubin_hash", "message"));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0][3], "0.1");
  EXPECT_EQ(std::stod(table.rows[2][3]), 1.0 / 3.0);
  EXPECT_EQ(table.rows[0][8], "row, \"major\"");
  EXPECT_EQ(table.rows[1][2], "launch_invalid");
  EXPECT_EQ(table.rows[1][3], "") << "a failure has no time";
  EXPECT_EQ(table.rows[1][12], "2048 threads");
}

TEST(Export, WritesJsonWithParametersByName) {
  const auto json = nlohmann::json::parse(export_json(records()));
  EXPECT_EQ(json["spec"], "toy");
  EXPECT_EQ(json["stopped_by"], "budget");
  ASSERT_EQ(json["evaluations"].size(), 3U);
  EXPECT_EQ(json["evaluations"][2]["configuration"]["block"], 96);
  EXPECT_EQ(json["evaluations"][0]["counters"]["sm__inst_executed.sum"], 1e9 + 1.0);
}

TEST(Export, WritesTheTuningCommunitysFormat) {
  const auto json = nlohmann::json::parse(export_t4(records()));
  EXPECT_EQ(json["schema_version"], "1.0.0");
  ASSERT_EQ(json["results"].size(), 3U);
  const auto& ok = json["results"][0];
  EXPECT_EQ(ok["timestamp"], "2026-01-31T12:35:00Z");
  EXPECT_EQ(ok["configuration"]["fast"], true);
  EXPECT_EQ(ok["times"]["compilation_time"], 500.0);
  EXPECT_EQ(ok["times"]["runtimes"], nlohmann::json::array({0.1}));
  EXPECT_EQ(ok["invalidity"], "correct");
  EXPECT_EQ(ok["correctness"], 1);
  EXPECT_EQ(ok["measurements"],
            nlohmann::json::parse(R"([{"name":"time","value":0.1,"unit":"ms"}])"));
  EXPECT_EQ(ok["objectives"], nlohmann::json::array({"time"}));
  const auto& failed = json["results"][1];
  EXPECT_EQ(failed["invalidity"], "runtime");
  EXPECT_EQ(failed["correctness"], 0);
  EXPECT_TRUE(failed["measurements"].empty());
  EXPECT_TRUE(failed["times"]["runtimes"].empty());
}

TEST(Export, WritesHdf5WithEveryValueExact) {
  const ScratchDirectory dir;
  results::write_hdf5(dir.path("s.h5"), export_hdf5(records()));

  using namespace hdf5_reading;
  const auto file = open(dir.path("s.h5"));
  EXPECT_THAT(read_integers(file.id(), "/evaluations/id"), ElementsAre(0, 1, 2));
  EXPECT_THAT(read_texts(file.id(), "/evaluations/origin"), ElementsAre("first", "model", "model"));
  EXPECT_THAT(read_texts(file.id(), "/evaluations/status"),
              ElementsAre("ok", "launch_invalid", "ok"));
  const auto times = read_doubles(file.id(), "/evaluations/time_ms");
  EXPECT_EQ(times[0], 0.1);
  EXPECT_TRUE(std::isnan(times[1]));
  EXPECT_EQ(times[2], 1.0 / 3.0);
  EXPECT_THAT(read_integers(file.id(), "/evaluations/param.block"), ElementsAre(32, 64, 96));
  EXPECT_THAT(read_integers(file.id(), "/evaluations/param.fast"), ElementsAre(1, 0, 1));
  EXPECT_THAT(read_doubles(file.id(), "/evaluations/param.scale"), ElementsAre(0.1, 0.1, 0.1));
  EXPECT_EQ(read_texts(file.id(), "/evaluations/param.layout")[0], "row, \"major\"");
  EXPECT_THAT(read_doubles(file.id(), "/evaluations/wall_s"), ElementsAre(2.25, 0.25, 2.25));
  EXPECT_THAT(read_texts(file.id(), "/evaluations/counters_names"),
              ElementsAre("dram__bytes.sum", "sm__inst_executed.sum"));
  const auto counters = read_doubles(file.id(), "/evaluations/counters");
  EXPECT_EQ(counters[0], 1.0 / 3.0);
  EXPECT_EQ(counters[1], 1e9 + 1.0);
  EXPECT_TRUE(std::isnan(counters[2]));
  EXPECT_THAT(read_integers(file.id(), "/meta/seed"), ElementsAre(3));
  EXPECT_THAT(read_texts(file.id(), "/meta/gpu_json"), ElementsAre(synthetic_header().gpu_json));
  EXPECT_EQ(read_attribute(file.id(), "/evaluations/time_ms", "unit"), "ms");
}

TEST(Export, WritesTheFeaturesOfTheCsvAsOneMatrixOfHdf5) {
  const ScratchDirectory dir;
  results::write_hdf5(dir.path("s.h5"), export_hdf5(records()));

  using namespace hdf5_reading;
  const auto file = open(dir.path("s.h5"));
  const auto csv = results::parse_csv(export_features(records()), "features.csv");
  const std::size_t features = csv.columns.size() - 2; // after id and status
  EXPECT_THAT(extent(file.id(), "/evaluations/features"), ElementsAre(3U, features));
  EXPECT_EQ(read_texts(file.id(), "/evaluations/features_names"),
            std::vector<std::string>(csv.columns.begin() + 2, csv.columns.end()));
  const auto values = read_doubles(file.id(), "/evaluations/features");
  std::size_t known = 0;
  for (std::size_t row = 0; row < csv.rows.size(); ++row) {
    for (std::size_t i = 0; i < features; ++i) {
      const std::string& text = csv.rows[row][i + 2];
      const double value = values[row * features + i];
      if (text.empty()) {
        EXPECT_TRUE(std::isnan(value)) << csv.columns[i + 2] << " of row " << row;
      } else {
        EXPECT_EQ(value, std::stod(text)) << csv.columns[i + 2] << " of row " << row;
        ++known;
      }
    }
  }
  EXPECT_GE(known, 6U); // time, registers and a stall share of both that ran
  EXPECT_EQ(values[0], 0.1);
  EXPECT_TRUE(std::isnan(values[features])) << "a failure has no time";
}

TEST(Export, SaysOfEveryFeatureOfHdf5WhatTheTableSays) {
  const ScratchDirectory dir;
  results::write_hdf5(dir.path("s.h5"), export_hdf5(records()));

  using namespace hdf5_reading;
  const auto file = open(dir.path("s.h5"));
  const auto units = read_texts(file.id(), "/evaluations/features_units");
  const auto descriptions = read_texts(file.id(), "/evaluations/features_descriptions");
  const auto table = eval::feature_table();
  ASSERT_EQ(units.size(), table.size());
  ASSERT_EQ(descriptions.size(), table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(units[i], table[i].unit);
    EXPECT_EQ(descriptions[i], table[i].definition);
  }
  EXPECT_EQ(units[0], "ms");
  EXPECT_EQ(read_attribute(file.id(), "/evaluations/features_units", "description"),
            "units of the columns of features");
}

TEST(Export, GivesEveryDatasetAUnitAndADescription) {
  const auto snapshot = export_hdf5(records());
  for (const auto& column : snapshot.columns) {
    EXPECT_NE(column.unit, "") << column.name;
    EXPECT_NE(column.description, "") << column.name;
  }
  for (const auto& scalar : snapshot.meta) {
    EXPECT_NE(scalar.unit, "") << scalar.name;
    EXPECT_NE(scalar.description, "") << scalar.name;
  }
}

TEST(Export, CopesWithASearchThatHasNoEvaluationYet) {
  SearchRecords none = records();
  none.evaluations.clear();
  const ScratchDirectory dir;
  EXPECT_NO_THROW(results::write_hdf5(dir.path("s.h5"), export_hdf5(none)));
  const auto file = hdf5_reading::open(dir.path("s.h5"));
  EXPECT_THAT(hdf5_reading::extent(file.id(), "/evaluations/features"),
              ElementsAre(0U, eval::feature_table().size()));
  EXPECT_EQ(nlohmann::json::parse(export_t4(none))["results"].size(), 0U);
}

} // namespace
} // namespace coulomb::search
