// SPDX-License-Identifier: Apache-2.0
#include "search/store/search_header.hpp"
#include "tests/unit/search/synthetic_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::search {
namespace {

using testing::ElementsAre;

SearchHeader robust_header() {
  SearchHeader header = synthetic_header();
  header.noise = "noise.toml";
  header.noise_draws = {{"sms=107", "sm_clock_mhz=1400"}, {"sms=106", "sm_clock_mhz=1390"}};
  return header;
}

TEST(SearchHeaderNoise, SurvivesJson) {
  EXPECT_EQ(header_from_json(nlohmann::json::parse(to_json(robust_header()).dump())),
            robust_header());
}

TEST(SearchHeaderNoise, IsNoneInOlderJournals) {
  auto json = to_json(synthetic_header());
  json.erase("noise");
  json.erase("noise_draws");
  EXPECT_EQ(header_from_json(json), synthetic_header());
}

TEST(SearchHeaderNoise, IsADifferenceByItsDrawsAndNotByItsFile) {
  SearchHeader wanted = robust_header();
  wanted.noise = "elsewhere/noise.toml";
  EXPECT_THAT(differences(robust_header(), wanted), ElementsAre());
  wanted.noise_draws[1][1] = "sm_clock_mhz=1380";
  EXPECT_THAT(differences(robust_header(), wanted),
              ElementsAre("draw 2 of the model noise: recorded sm_clock_mhz=1390, now "
                          "sm_clock_mhz=1380"));
  wanted.noise_draws[0].pop_back();
  EXPECT_THAT(differences(robust_header(), wanted),
              ElementsAre("draw 1 of the model noise: recorded sm_clock_mhz=1400, now nothing"));
  EXPECT_THAT(differences(robust_header(), synthetic_header()),
              ElementsAre("draws of the model noise: recorded 2, now 0"));
}

} // namespace
} // namespace coulomb::search
