// SPDX-License-Identifier: Apache-2.0
#include "calibration/gap/gap_model.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "synthetic.hpp"

#include <nlohmann/json.hpp>

namespace coulomb::calibration {
namespace {

using synthetic::law;
using synthetic::observations;
using Json = nlohmann::ordered_json;

constexpr GapSettings kQuick{.iterations = 20, .fitted_points = 120, .model_hash = {}};

/// Rows that were not learnt from.
std::vector<Observation> held_out(std::size_t n, const std::vector<Observation>& all) {
  return {all.begin() + static_cast<std::ptrdiff_t>(n), all.end()};
}
std::vector<Observation> first(std::size_t n, const std::vector<Observation>& all) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)};
}

std::string message_of(const Json& json) {
  try {
    (void)GapModel::from_json(json, "gap.json");
  } catch (const UserError& e) {
    return e.what();
  }
  return "no error";
}

TEST(GapModel, RecoversAKnownLawOnConfigurationsThatItDidNotSee) {
  const auto all = observations(200, "a", "one", law, 0.01);
  const GapModel model = GapModel::fit(first(120, all), kQuick);
  const auto asked = held_out(120, all);
  EXPECT_LT(synthetic::error(model, asked), 0.03); // the law alone spreads by 0.14
  // Its interval holds: 90 % of a normal distribution lie within 1.64 deviations.
  const auto predictions = model.predict(synthetic::queries(asked));
  std::size_t within = 0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const double deviation = std::hypot(predictions[i].deviation, 0.01);
    within += std::abs(predictions[i].log_ratio - asked[i].log_ratio()) < 1.64 * deviation;
  }
  EXPECT_GE(within, 64U); // of 80
}

TEST(GapModel, CarriesACommonLawToAKernelThatItDidNotSee) {
  auto all = observations(80, "a", "one", law);
  const auto two = observations(80, "a", "two", law);
  all.insert(all.end(), two.begin(), two.end());
  const GapModel model = GapModel::fit(all, kQuick);
  const auto asked = observations(50, "b", "three", law);
  EXPECT_LT(synthetic::error(model, asked), 0.6 * synthetic::error(GapModel::fit({}), asked));
}

TEST(GapModel, KnowsLessTheFartherFromItsObservations) {
  const auto all = observations(100, "a", "one", law);
  const GapModel model = GapModel::fit(all, kQuick);
  GapQuery query = query_of(all[0]);
  double deviation = 0.0;
  double distance = -1.0;
  for (const double share : {0.5, 1.5, 3.0, 6.0}) {
    query.features[synthetic::position("stall_long_scoreboard_share")] = share;
    const GapPrediction p = model.predict(query);
    EXPECT_GT(p.deviation, deviation);
    EXPECT_GT(p.distance, distance);
    EXPECT_EQ(p.unexplored, p.distance > model.explored_within());
    deviation = p.deviation;
    distance = p.distance;
  }
  EXPECT_TRUE(model.predict(query).unexplored);
  EXPECT_FALSE(model.predict(query_of(all[0])).unexplored);
  EXPECT_NEAR(model.predict(query_of(all[0])).distance, 0.0, 1e-6);
  // Another kernel has parts of its own, of which nothing is known.
  GapQuery other = query_of(all[0]);
  other.spec = "other";
  EXPECT_GT(model.predict(other).deviation, 2.0 * model.predict(query_of(all[0])).deviation);
}

TEST(GapModel, TenMeasurementsCorrectABiasedKernel) {
  auto known = observations(100, "a", "one", law);
  const auto biased =
      observations(60, "a", "two", [](const Observation& o) { return law(o) + 0.5; });
  const GapModel before = GapModel::fit(known, kQuick);
  const GapModel after = before.with(first(10, biased));
  EXPECT_GT(synthetic::error(before, held_out(10, biased)), 0.3);
  EXPECT_LT(synthetic::error(after, held_out(10, biased)), 0.08);
  EXPECT_EQ(after.observations().size(), 110U);
  EXPECT_EQ(after.explored_within(), before.explored_within());
  EXPECT_EQ(after.hyperparameters().noise, before.hyperparameters().noise);
}

TEST(GapModel, AnOutlierDoesNotSpoilTheRest) {
  const auto all = observations(160, "a", "one", law, 0.01);
  auto known = first(100, all);
  const double clean = synthetic::error(GapModel::fit(known, kQuick), held_out(100, all));
  for (const std::size_t row : {10U, 40U, 70U}) {
    known[row].silicon_ms *= 3.0;
  }
  const GapModel model = GapModel::fit(known, kQuick);
  EXPECT_LT(synthetic::error(model, held_out(100, all)), clean + 0.02);
  EXPECT_LT(model.trust()[10], 0.1);
}

TEST(GapModel, WithoutObservationsItTrustsTheSimulatorAndSaysHowLittle) {
  const GapModel model = GapModel::fit({}, kQuick);
  const auto query = query_of(observations(1, "a", "one", law)[0]);
  const GapPrediction p = model.predict(query);
  EXPECT_EQ(p.log_ratio, 0.0);
  double variance = 0.0;
  for (const GapPart& part : kGapParts) {
    variance += part.median * part.median;
  }
  variance += std::pow(model.hyperparameters().noise, 2) * std::exp(2.0 * 0.16); // of a log-normal
  EXPECT_NEAR(p.deviation, std::sqrt(variance), 1e-12);
  EXPECT_TRUE(p.unexplored);
  EXPECT_TRUE(std::isinf(p.distance));
  // Few observations: fitted anew, with a scaling of their own.
  const GapModel more = model.with(observations(10, "a", "one", law));
  EXPECT_LT(more.predict(query).deviation, p.deviation);
}

TEST(GapModel, CorrectedTimeIsPenalisedByDeviations) {
  const GapPrediction p{.log_ratio = 0.2, .deviation = 0.1, .distance = 0.0, .unexplored = false};
  EXPECT_DOUBLE_EQ(corrected_ms(p, 2.0), 2.0 * std::exp(0.2));
  EXPECT_DOUBLE_EQ(corrected_ms(p, 2.0, 2.0), 2.0 * std::exp(0.4));
  EXPECT_DOUBLE_EQ(corrected_ms(p, 2.0, -1.0), 2.0 * std::exp(0.1));
}

TEST(GapModel, SameObservationsGiveTheSameModel) {
  const auto all = observations(60, "a", "one", law, 0.02);
  EXPECT_EQ(GapModel::fit(all, kQuick).to_json(), GapModel::fit(all, kQuick).to_json());
}

TEST(GapModel, ManyQueriesGiveWhatEachGives) {
  const auto all = observations(40, "a", "one", law);
  const GapModel model = GapModel::fit(all, kQuick);
  auto queries = synthetic::queries(observations(700, "a", "one", law)); // more than one block
  const auto together = model.predict(queries);
  ASSERT_EQ(together.size(), 700U);
  for (const std::size_t i : {0U, 511U, 512U, 699U}) {
    const GapPrediction alone = model.predict(queries[i]);
    EXPECT_NEAR(together[i].log_ratio, alone.log_ratio, 1e-12);
    EXPECT_NEAR(together[i].deviation, alone.deviation, 1e-9);
  }
}

TEST(GapModel, ReadsBackBitByBit) {
  const auto all = observations(50, "a", "one", law, 0.02);
  const GapModel model =
      GapModel::fit(first(40, all), {.iterations = 10, .model_hash = "0123abcd"});
  const GapModel read = GapModel::from_json(Json::parse(model.to_json().dump()), "gap.json");
  EXPECT_EQ(read.to_json().dump(), model.to_json().dump());
  EXPECT_EQ(read.settings().model_hash, "0123abcd");
  const auto queries = synthetic::queries(held_out(40, all));
  const auto expected = model.predict(queries);
  const auto predictions = read.predict(queries);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    EXPECT_EQ(predictions[i].log_ratio, expected[i].log_ratio);
    EXPECT_EQ(predictions[i].deviation, expected[i].deviation);
    EXPECT_EQ(predictions[i].distance, expected[i].distance);
  }
  EXPECT_EQ(read.with(held_out(40, all)).to_json(), model.with(held_out(40, all)).to_json());
}

TEST(GapModel, RefusesFilesThatItCannotUse) {
  Json json = GapModel::fit(observations(5, "a", "one", law), kQuick).to_json();
  Json other = json;
  other["version"] = 7;
  EXPECT_EQ(message_of(other),
            "gap.json: version 7 of the gap model; this program reads version 2");
  other = json;
  other["inputs"][0]["feature"] = "inst_per_cycle_activ";
  EXPECT_EQ(message_of(other),
            "gap.json: the model uses the feature \"inst_per_cycle_activ\", which this version "
            "does not have (did you mean \"inst_per_cycle_active\"?)");
  other = json;
  other["inputs"][0]["transform"] = "cube";
  EXPECT_EQ(message_of(other), "gap.json: the transform of \"inst_per_cycle_active\" is \"cube\"; "
                               "allowed: identity, log1p");
  other = json;
  other["parts"].erase(0);
  EXPECT_EQ(message_of(other), "gap.json: parts: 9 numbers; needed: 10");
  other = json;
  other["noises"] = Json::array({0.1, 0.1});
  EXPECT_EQ(message_of(other), "gap.json: noises: 2 numbers; needed: 1");
  other = json;
  other.erase("noise");
  EXPECT_NE(message_of(other).find("gap.json: the gap model is damaged: "), std::string::npos);
  EXPECT_EQ(message_of(Json::array()), "gap.json: this is no gap model");
}

} // namespace
} // namespace coulomb::calibration
