// SPDX-License-Identifier: Apache-2.0
// 1, 1.0, true and "1" are four values, in memory and in every file: docs/complaints.md.
#include "search/space/search_space.hpp"
#include "search/store/export.hpp"
#include "search/store/search_summary.hpp"
#include "tests/unit/search/hdf5_reading.hpp"
#include "tests/unit/search/scratch_directory.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace coulomb::search {
namespace {

using kernel::ParameterValue;
using ::testing::ElementsAre;

/// Values that some tool takes for one another.
const std::vector<ParameterValue>& alike() {
  static const std::vector<ParameterValue> values = {std::int64_t{1},
                                                     1.0,
                                                     true,
                                                     std::string("1"),
                                                     std::string("1.0"),
                                                     std::string("true"),
                                                     std::int64_t{0},
                                                     0.0,
                                                     false,
                                                     std::string("0"),
                                                     std::string("false"),
                                                     std::string(""),
                                                     std::string("null"),
                                                     std::string("\"1\""),
                                                     std::string("x=1 y=2"),
                                                     std::numeric_limits<std::int64_t>::max(),
                                                     9223372036854775808.0,
                                                     std::numeric_limits<std::int64_t>::min(),
                                                     0.1,
                                                     0.1 + 0.2,
                                                     0.3,
                                                     1e-300};
  return values;
}

EvaluationRecord record_of(std::uint64_t id, const ParameterValue& value) {
  EvaluationRecord record = ok_record(id, 1.0);
  record.configuration = kernel::Configuration({{"x", value}});
  return record;
}

SearchRecords records_of(const std::vector<ParameterValue>& values) {
  SearchRecords records;
  records.header = synthetic_header();
  records.header.parameters = {"x"};
  for (const ParameterValue& value : values) {
    records.evaluations.push_back(record_of(records.evaluations.size(), value));
  }
  return records;
}

TEST(TypedValues, HaveDifferentKeys) {
  std::set<std::string> keys;
  for (const ParameterValue& value : alike()) {
    EXPECT_TRUE(keys.insert(record_of(0, value).configuration.key()).second)
        << kernel::to_text(value);
  }
  EXPECT_EQ(summarise(records_of(alike()).evaluations).unique, alike().size());
}

TEST(TypedValues, HaveTheKeyThatPeopleReadUnlessItMisleads) {
  const auto key = [](const ParameterValue& value) {
    return record_of(0, value).configuration.key();
  };
  EXPECT_EQ(key(std::int64_t{1}), "x=1");
  EXPECT_EQ(key(1.0), "x=1.0");
  EXPECT_EQ(key(true), "x=true");
  EXPECT_EQ(key(std::string("1")), "x=\"1\"");
  EXPECT_EQ(key(std::string("true")), "x=\"true\"");
  EXPECT_EQ(key(std::string("row")), "x=row");
  EXPECT_EQ(key(std::string("192 KiB")), "x=192 KiB");
  EXPECT_EQ(key(std::string("1 y=2")), "x=\"1 y=2\"");
}

TEST(TypedValues, SurviveTheJournal) {
  const ScratchDirectory dir;
  {
    SearchStore store = SearchStore::create(dir.path("s"), synthetic_header());
    for (const auto& record : records_of(alike()).evaluations) {
      store.add(record);
    }
  }
  const SearchRecords back = load_search(dir.path("s"));
  ASSERT_EQ(back.evaluations.size(), alike().size());
  for (std::size_t i = 0; i < alike().size(); ++i) {
    EXPECT_EQ(back.evaluations[i].configuration.entries()[0].second, alike()[i]);
  }
}

TEST(TypedValues, SurviveTheExchangeFormats) {
  const SearchRecords records = records_of(alike());
  const auto t4 = nlohmann::json::parse(export_t4(records))["results"];
  const auto json = nlohmann::json::parse(export_json(records))["evaluations"];
  for (std::size_t i = 0; i < alike().size(); ++i) {
    for (const nlohmann::json& value :
         {t4[i]["configuration"]["x"], json[i]["configuration"]["x"]}) {
      const auto& expected = alike()[i];
      ASSERT_EQ(value.is_boolean(), std::holds_alternative<bool>(expected)) << value;
      ASSERT_EQ(value.is_number_integer(), std::holds_alternative<std::int64_t>(expected)) << value;
      ASSERT_EQ(value.is_number_float(), std::holds_alternative<double>(expected)) << value;
      ASSERT_EQ(value, kernel::to_json(expected));
    }
  }
}

/// The column of x, as texts whatever its type.
std::vector<std::string> hdf5_column(const std::vector<ParameterValue>& values, std::string* unit) {
  const ScratchDirectory dir;
  results::write_hdf5(dir.path("s.h5"), export_hdf5(records_of(values)));
  const auto file = hdf5_reading::open(dir.path("s.h5"));
  *unit = hdf5_reading::read_attribute(file.id(), "/evaluations/param.x", "unit");
  std::vector<std::string> texts;
  if (*unit == "text") {
    return hdf5_reading::read_texts(file.id(), "/evaluations/param.x");
  }
  for (const double value : hdf5_reading::read_doubles(file.id(), "/evaluations/param.x")) {
    texts.push_back(fmt::format("{}", value));
  }
  return texts;
}

TEST(TypedValues, SurviveHdf5AsNumbersWhereThatLosesNothingElseAsTexts) {
  std::string unit;
  EXPECT_THAT(hdf5_column({std::int64_t{1}, 2.5}, &unit), ElementsAre("1", "2.5"));
  EXPECT_EQ(unit, "1");
  EXPECT_THAT(hdf5_column({true, false}, &unit), ElementsAre("1", "0"));
  EXPECT_EQ(unit, "1");
  EXPECT_THAT(hdf5_column({std::string("1"), std::string("a=b")}, &unit), ElementsAre("1", "a=b"));
  EXPECT_EQ(unit, "text");
  EXPECT_THAT(hdf5_column({std::int64_t{1}, 1.0}, &unit), ElementsAre("1", "1.0"));
  EXPECT_EQ(unit, "text");
  EXPECT_THAT(hdf5_column({std::int64_t{1}, true}, &unit), ElementsAre("1", "true"));
  EXPECT_EQ(unit, "text");
  const auto all = hdf5_column(alike(), &unit);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), alike().size());
}

TEST(TypedValues, ArePointsOfTheirOwnInASpace) {
  kernel::TunableSpec spec;
  spec.origin = "typed";
  kernel::TunableParameter parameter;
  parameter.name = "x";
  parameter.values = {std::int64_t{1}, 1.0, true, std::string("1")};
  parameter.default_value = parameter.values.front();
  spec.parameters = {parameter};
  const SearchSpace space(spec);
  ASSERT_EQ(space.size(), 4U);
  for (Point p = 0; p < 4; ++p) {
    EXPECT_EQ(space.find(space.configuration(p)), p);
    EXPECT_EQ(space.configuration(p).entries()[0].second, parameter.values[p]);
  }
}

} // namespace
} // namespace coulomb::search
