// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "calibration/fit/fit.hpp"

#include "tests/unit/calibration_fit/synthetic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using synthetic::cases;
using synthetic::Law;
using synthetic::parameter;
using synthetic::Simulator;
using synthetic::with_start;
using testing::AllOf;
using testing::HasSubstr;

const FitParameter kStart = parameter("kernel_start_cycles", 0.0, 100'000.0, 2447.0);
const FitParameter kBarrier = parameter("sm.lsu.barrier_latency", 1.0, 500.0, 20.0);
const FitParameter kBranch = parameter("sm.front_end.branch_latency", 1.0, 200.0, 8.0);

std::string refusal(const std::vector<FitParameter>& parameters,
                    const Law& law,
                    const std::vector<FitCase>& silicon,
                    const FitSettings& settings = {}) {
  Simulator simulator(law);
  try {
    (void)fit_parameters(parameters, silicon, simulator.function(), settings);
  } catch (const UserError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(FitRefuses, AParameterThatChangesNothing) {
  EXPECT_EQ(refusal({kStart, kBarrier}, with_start, cases(40, with_start, {60'000.0, 20.0})),
            "calibrate fit: the data do not identify sm.lsu.barrier_latency: over 1 cycles to 500 "
            "cycles the times change by 0.000 % on average, below the noise floor of 0.500 %");
}

TEST(FitRefuses, AnEffectBelowTheNoiseFloorOnly) {
  const Law faint = [](const auto& v, std::size_t i) {
    return synthetic::work_us(i) * (1.0 + 0.004 * v[0] / 100'000.0);
  };
  const auto silicon = cases(40, faint, {60'000.0});
  EXPECT_THAT(refusal({kStart}, faint, silicon), HasSubstr("below the noise floor of 0.500 %"));
  FitSettings settings;
  settings.noise_floor = 0.001;
  EXPECT_EQ(refusal({kStart}, faint, silicon, settings), "accepted");
}

TEST(FitRefuses, AnEffectThatIsLostInTheSimulatorsUnevenness) {
  // Whatever the change, each time is off by up to 2 %; a true effect of 1 % is nowhere to be seen.
  const auto uneven = [](double share) -> Law {
    return [share](const auto& v, std::size_t i) {
      const double off = std::sin(12.9898 * v[0] + 78.233 * static_cast<double>(i));
      return synthetic::work_us(i) * (1.0 + 0.02 * off + share * v[0] / 100'000.0);
    };
  };
  const Law lost = uneven(0.01);
  EXPECT_THAT(
      refusal({kStart}, lost, cases(40, lost, {60'000.0})),
      AllOf(HasSubstr("the data do not identify kernel_start_cycles"),
            HasSubstr(" % already from 2447 cycles to the value next to it; the whole range "
                      "must change them 3.0 times as much")));
  const Law clear = uneven(0.5);
  EXPECT_EQ(refusal({kStart}, clear, cases(40, clear, {60'000.0})), "accepted");
}

TEST(FitRefuses, TwoParametersThatDoTheSame) {
  const Law sum = [](const auto& v, std::size_t i) { return with_start({v[0] + 100.0 * v[1]}, i); };
  EXPECT_THAT(refusal({kStart, kBarrier}, sum, cases(40, sum, {60'000.0, 20.0})),
              AllOf(HasSubstr("the data do not tell kernel_start_cycles apart from "
                              "sm.lsu.barrier_latency: "),
                    HasSubstr("allowed: up to 96 %")));
}

TEST(FitRefuses, AParameterThatTwoOthersMakeUp) {
  // Each pair alone can be told apart.
  const auto a = [](std::size_t i) { return i % 2 == 0 ? 1.0 : 0.0; };
  const auto b = [](std::size_t i) { return i % 3 == 0 ? 1.0 : 0.0; };
  const Law law = [&](const auto& v, std::size_t i) {
    return std::exp(1e-5 * v[0] * (a(i) + b(i)) + 1e-3 * v[1] * a(i) + 2e-3 * v[2] * b(i));
  };
  const auto silicon = cases(48, law, {50'000.0, 100.0, 50.0});
  EXPECT_THAT(refusal({kStart, kBarrier, kBranch}, law, silicon),
              HasSubstr("the data do not tell kernel_start_cycles apart from "
                        "sm.lsu.barrier_latency and sm.front_end.branch_latency: 100.00 %"));
  const Law two = [&](const auto& v, std::size_t i) { return law({v[0], v[1], 8.0}, i); };
  EXPECT_EQ(refusal({kStart, kBarrier}, two, silicon), "accepted");
}

TEST(FitRefuses, TooFewConfigurations) {
  EXPECT_EQ(refusal({kStart}, with_start, cases(5, with_start, {60'000.0})),
            "calibrate fit: 3 configurations to fit and 2 to hold out, with a simulated time; at "
            "least 5 and 1 for 1 parameter");
}

TEST(FitRefuses, ABudgetThatDoesNotReachAndSaysWhatDoes) {
  FitSettings settings;
  settings.max_simulations = 100;
  EXPECT_EQ(refusal({kStart}, with_start, cases(40, with_start, {60'000.0}), settings),
            "calibrate fit: 100 simulations are too few for 40 configurations and 1 parameter: at "
            "least 280");
}

TEST(FitRefuses, ABudgetThatEndsBeforeTheRangesWereTried) {
  // Every end has to be drawn in again and again; each try costs, for the simulator only then
  // knows.
  Simulator simulator(with_start);
  simulator.untimed = [](const auto& values, std::size_t i) {
    return values[0] != kStart.start && i % 2 == 0;
  };
  FitSettings settings;
  settings.max_simulations = 280;
  try {
    (void)fit_parameters({kStart}, cases(40, with_start, {60'000.0}), simulator.function(),
                         settings);
    FAIL() << "accepted";
  } catch (const UserError& e) {
    EXPECT_THAT(e.what(), HasSubstr("ran out before every parameter's range was tried"));
  }
  EXPECT_LE(simulator.simulations(), 280U);
}

TEST(FitRefuses, AHeldOutTableThatHoldsNothingNew) {
  auto silicon = cases(40, with_start, {60'000.0});
  silicon[3].held_out = true;
  silicon[3].table = "second";
  EXPECT_EQ(refusal({kStart}, with_start, silicon),
            "calibrate fit: second is to be held out, but kernel on board is fitted");
}

TEST(FitRefuses, RequestsThatMeanNothing) {
  const auto silicon = cases(40, with_start, {60'000.0});
  EXPECT_EQ(refusal({}, with_start, silicon), "calibrate fit: no parameter to fit");
  EXPECT_EQ(refusal({kStart, kStart}, with_start, silicon),
            "calibrate fit: kernel_start_cycles is named twice");
  FitSettings settings;
  settings.held_out_share = 1.0;
  EXPECT_EQ(refusal({kStart}, with_start, silicon, settings),
            "calibrate fit: 1 of the configurations held out; allowed: above 0 and below 1");
}

} // namespace
} // namespace coulomb::calibration
