// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit/fit.hpp"

#include "tests/unit/calibration_fit/synthetic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using synthetic::cases;
using synthetic::parameter;
using synthetic::row_of;
using synthetic::Simulator;
using synthetic::with_start;
using synthetic::with_steps;

const FitParameter kStart = parameter("kernel_start_cycles", 0.0, 100'000.0, 2447.0);
const FitParameter kSteps = parameter("sm.lsu.barrier_latency", 1.0, 500.0, 20.0);
constexpr double kStep = 1.0 / 128.0; ///< resolution of the search, of a range

TEST(Fit, FindsTheValueThatSiliconWasMadeWith) {
  Simulator simulator(with_start);
  const auto report =
      fit_parameters({kStart}, cases(40, with_start, {60'000.0}), simulator.function(), {});
  ASSERT_EQ(report.parameters.size(), 1U);
  const FittedParameter& found = report.parameters[0];
  EXPECT_NEAR(found.value, 60'000.0, 1e5 * kStep);
  EXPECT_LE(found.alike_from, found.value);
  EXPECT_GE(found.alike_to, found.value);
  EXPECT_FALSE(found.at_end());
  EXPECT_TRUE(report.changed());
  EXPECT_FALSE(report.held_out_worse());
  EXPECT_LT(report.objective_after, 1e-4 * report.objective_before);
  EXPECT_EQ(report.simulations, simulator.simulations());

  const FitRow* fitted = row_of(report, FitRole::fitted);
  const FitRow* held_out = row_of(report, FitRole::held_out_configurations);
  ASSERT_TRUE(fitted != nullptr && held_out != nullptr);
  EXPECT_EQ(fitted->n, 30U);
  EXPECT_EQ(held_out->n, 10U);
  EXPECT_GT(*held_out->before.mape, 0.01);
  EXPECT_LT(*held_out->after.mape, 0.001);
  EXPECT_DOUBLE_EQ(*held_out->after.spearman, 1.0);
}

TEST(Fit, FindsTwoParametersTogether) {
  Simulator simulator(with_steps);
  const auto report = fit_parameters({kStart, kSteps}, cases(60, with_steps, {30'000.0, 200.0}),
                                     simulator.function(), {});
  EXPECT_NEAR(report.parameters[0].value, 30'000.0, 3.0 * 1e5 * kStep);
  EXPECT_NEAR(report.parameters[1].value, 200.0, 3.0 * 499.0 * kStep);
  EXPECT_LT(*row_of(report, FitRole::held_out_configurations)->after.mape, 0.005);
}

TEST(Fit, SaysWhichValuesTheDataDoNotDecideBetween) {
  Simulator simulator(with_start);
  const auto silicon = cases(40, with_start, {60'000.0});
  FitSettings settings;
  const auto fine = fit_parameters({kStart}, silicon, simulator.function(), settings);
  settings.noise_floor = 0.02;
  const auto coarse = fit_parameters({kStart}, silicon, simulator.function(), settings);
  EXPECT_EQ(coarse.parameters[0].value, fine.parameters[0].value);
  EXPECT_LT(coarse.parameters[0].alike_from, fine.parameters[0].alike_from);
  // Mean |change of log(time)| from 60 to 50 us of start is about .012; from 60 to 2.4 us, .08.
  EXPECT_GT(coarse.parameters[0].alike_from, kStart.start);
}

TEST(Fit, StaysWithinTheRangeAndSaysThatItIsAtItsEnd) {
  Simulator simulator(with_start);
  const FitParameter narrow = parameter("kernel_start_cycles", 1000.0, 30'000.0, 2447.0);
  const auto report =
      fit_parameters({narrow}, cases(40, with_start, {60'000.0}), simulator.function(), {});
  EXPECT_EQ(report.parameters[0].value, 30'000.0);
  EXPECT_TRUE(report.parameters[0].at_end());
  for (const auto& call : simulator.calls) {
    EXPECT_GE(call.values[0], 1000.0);
    EXPECT_LE(call.values[0], 30'000.0);
  }
}

TEST(Fit, LeavesPresentValuesThatFitBestAlone) {
  Simulator simulator(with_start);
  const auto report =
      fit_parameters({kStart}, cases(40, with_start, {2447.0}), simulator.function(), {});
  EXPECT_EQ(report.parameters[0].value, 2447.0);
  EXPECT_FALSE(report.changed());
  EXPECT_EQ(report.objective_after, 0.0);
}

TEST(Fit, HeldOutConfigurationsAreSimulatedForTheFiguresOnly) {
  Simulator simulator(with_start);
  const auto silicon = cases(40, with_start, {60'000.0});
  const auto report = fit_parameters({kStart}, silicon, simulator.function(), {});
  ASSERT_GT(simulator.calls.size(), 4U);
  EXPECT_EQ(simulator.calls.front().cases.size(), 40U);
  EXPECT_EQ(simulator.calls.front().values[0], kStart.start);
  EXPECT_EQ(simulator.calls.back().cases.size(), 40U);
  EXPECT_EQ(simulator.calls.back().values[0], report.parameters[0].value);
  const auto& fitted = simulator.calls[1].cases;
  EXPECT_EQ(fitted.size(), 30U);
  for (std::size_t c = 1; c + 1 < simulator.calls.size(); ++c) {
    EXPECT_EQ(simulator.calls[c].cases, fitted);
  }

  // What silicon says of them steers nothing.
  auto other = silicon;
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (std::find(fitted.begin(), fitted.end(), i) == fitted.end()) {
      other[i].silicon_ms *= 100.0;
    }
  }
  const auto again = fit_parameters({kStart}, other, simulator.function(), {});
  EXPECT_EQ(again.parameters[0].value, report.parameters[0].value);
  EXPECT_EQ(again.objective_after, report.objective_after);
  EXPECT_GT(*row_of(again, FitRole::held_out_configurations)->after.mape, 0.9);
}

TEST(Fit, SaysThatHeldOutConfigurationsGotWorse) {
  Simulator simulator(with_start);
  auto silicon = cases(40, with_start, {60'000.0});
  (void)fit_parameters({kStart}, silicon, simulator.function(), {});
  const auto fitted = simulator.calls[1].cases;
  for (std::size_t i = 0; i < silicon.size(); ++i) {
    if (std::find(fitted.begin(), fitted.end(), i) == fitted.end()) {
      silicon[i].silicon_ms = with_start({kStart.start}, i);
    }
  }
  const auto report = fit_parameters({kStart}, silicon, simulator.function(), {});
  EXPECT_TRUE(report.held_out_worse());
  EXPECT_EQ(*report.error_before(FitRole::held_out_configurations), 0.0);
}

TEST(Fit, ConfigurationsWithTheSameMachineCodeAreHeldOutTogether) {
  Simulator simulator(with_start);
  simulator.code = [](std::size_t i) { return "code" + std::to_string(i / 4); };
  (void)fit_parameters({kStart}, cases(48, with_start, {60'000.0}), simulator.function(), {});
  const auto& fitted = simulator.calls[1].cases;
  ASSERT_EQ(fitted.size(), 36U);
  for (std::size_t k = 0; k < fitted.size(); k += 4) {
    EXPECT_EQ(fitted[k] % 4, 0U);
    EXPECT_EQ(fitted[k + 3], fitted[k] + 3);
  }
}

TEST(Fit, TablesOfOtherKernelsAndBoardsAreJudgedByThemselvesAndSteerNothing) {
  auto silicon = cases(64, with_start, {60'000.0});
  const auto make = [&](std::size_t from, const char* kernel, const char* board) {
    for (std::size_t i = from; i < from + 8; ++i) {
      silicon[i] = {.kernel = kernel,
                    .board = board,
                    .table = std::string(kernel) + "_" + board,
                    .silicon_ms = silicon[i].silicon_ms,
                    .held_out = true};
    }
  };
  make(40, "kernel", "other board");
  make(48, "other kernel", "board");
  make(56, "other kernel", "other board");
  Simulator simulator(with_start);
  const auto report = fit_parameters({kStart}, silicon, simulator.function(), {});
  ASSERT_EQ(report.rows.size(), 5U);
  EXPECT_EQ(report.rows[0].role, FitRole::fitted);
  EXPECT_EQ(report.rows[1].role, FitRole::held_out_configurations);
  EXPECT_EQ(report.rows[2].role, FitRole::held_out_kernel);
  EXPECT_EQ(report.rows[2].table, "other kernel_board");
  EXPECT_EQ(report.rows[3].role, FitRole::held_out_board);
  EXPECT_EQ(report.rows[3].board, "other board");
  EXPECT_EQ(report.rows[4].role, FitRole::held_out_kernel_and_board);
  EXPECT_EQ(to_string(report.rows[4].role), "held out kernel and board");
  for (std::size_t r = 2; r < 5; ++r) {
    EXPECT_EQ(report.rows[r].n, 8U);
    EXPECT_LT(*report.rows[r].after.mape, 0.1 * *report.rows[r].before.mape);
  }
  for (const std::size_t i : simulator.calls[1].cases) {
    EXPECT_LT(i, 40U);
  }
}

TEST(Fit, SameSeedGivesTheSameResultAndAnotherHoldsOutOthers) {
  const auto silicon = cases(40, with_steps, {30'000.0, 200.0});
  const auto run = [&](std::uint64_t seed) {
    Simulator simulator(with_steps);
    FitSettings settings;
    settings.seed = seed;
    auto report = fit_parameters({kStart, kSteps}, silicon, simulator.function(), settings);
    return std::pair(std::move(report), std::move(simulator.calls));
  };
  const auto [a, calls_a] = run(1);
  const auto [b, calls_b] = run(1);
  const auto [c, calls_c] = run(2);
  EXPECT_EQ(a.parameters[0].value, b.parameters[0].value);
  EXPECT_EQ(a.parameters[1].value, b.parameters[1].value);
  EXPECT_EQ(a.objective_after, b.objective_after);
  ASSERT_EQ(calls_a.size(), calls_b.size());
  EXPECT_EQ(calls_a[1].cases, calls_b[1].cases);
  EXPECT_NE(calls_a[1].cases, calls_c[1].cases);
}

TEST(Fit, ValuesThatRelationsForbidAreNotTaken) {
  Simulator simulator(with_start);
  simulator.forbidden = [](const auto& values) { return values[0] > 40'000.0; };
  const auto report =
      fit_parameters({kStart}, cases(40, with_start, {60'000.0}), simulator.function(), {});
  EXPECT_LE(report.parameters[0].value, 40'000.0);
  EXPECT_GT(report.parameters[0].value, 40'000.0 - 2e5 * kStep);
}

TEST(Fit, ValuesWithWhichAConfigurationIsNotTimedAreNotTaken) {
  Simulator simulator(with_start);
  simulator.untimed = [](const auto& values, std::size_t) { return values[0] > 40'000.0; };
  const auto report =
      fit_parameters({kStart}, cases(40, with_start, {60'000.0}), simulator.function(), {});
  EXPECT_LE(report.parameters[0].value, 40'000.0);
  EXPECT_EQ(report.untimed, 0U);
}

TEST(Fit, ConfigurationsWithoutATimeAreLeftOutAndCounted) {
  Simulator simulator(with_start);
  simulator.untimed = [](const auto&, std::size_t i) { return i % 10 == 0; };
  const auto report =
      fit_parameters({kStart}, cases(40, with_start, {60'000.0}), simulator.function(), {});
  EXPECT_EQ(report.untimed, 4U);
  EXPECT_EQ(row_of(report, FitRole::fitted)->n + report.rows[1].n, 36U);
}

TEST(Fit, EndsWithItsBudgetAndSaysSo) {
  Simulator simulator(with_steps);
  FitSettings settings;
  settings.max_simulations = 400;
  const auto report = fit_parameters({kStart, kSteps}, cases(40, with_steps, {30'000.0, 200.0}),
                                     simulator.function(), settings);
  EXPECT_TRUE(report.budget_reached);
  EXPECT_LE(simulator.simulations(), 400U);
  EXPECT_EQ(report.simulations, simulator.simulations());
  EXPECT_LE(report.objective_after, report.objective_before);
}

} // namespace
} // namespace coulomb::calibration
