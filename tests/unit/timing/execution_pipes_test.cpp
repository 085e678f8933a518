// SPDX-License-Identifier: Apache-2.0
#include "sim/timing/sm/execution_pipes.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace coulomb::timing::sm {
namespace {

InstructionTiming of(Pipe pipe, std::uint16_t interval) {
  InstructionTiming t;
  t.pipe = pipe;
  t.interval = interval;
  return t;
}

/// Cycles in which `count` instructions issue, at most one a cycle.
std::vector<Cycle> issues(ExecutionPipes pipes, const InstructionTiming& t, int count) {
  std::vector<Cycle> cycles;
  for (Cycle now = 0; count > 0; ++now) {
    if (pipes.free_at(t, nullptr) <= now) {
      pipes.occupy(now, t, nullptr);
      cycles.push_back(now);
      --count;
    }
  }
  return cycles;
}

using Cycles = std::vector<Cycle>;

TEST(ExecutionPipes, EveryPipeTakesAnInstructionPerUnitAndInterval) {
  for (const Pipe pipe :
       {Pipe::fma, Pipe::alu, Pipe::half, Pipe::xu, Pipe::fp64, Pipe::uniform, Pipe::tensor}) {
    config::PipesConfig config;
    const auto with_units = [&](std::uint32_t units) {
      config.fma.units = config.alu.units = config.half.units = config.xu.units = units;
      config.fp64.units = config.uniform.units = config.tensor.units = units;
      return ExecutionPipes(config);
    };
    EXPECT_EQ(issues(with_units(1), of(pipe, 4), 4), (Cycles{0, 4, 8, 12}));
    EXPECT_EQ(issues(with_units(2), of(pipe, 4), 5), (Cycles{0, 1, 4, 5, 8}));
    EXPECT_EQ(issues(with_units(8), of(pipe, 4), 5), (Cycles{0, 1, 2, 3, 4}));
  }
}

TEST(ExecutionPipes, IntegerMultiplyAddSharesTheFirstOfTwoFmaUnits) {
  config::PipesConfig config;
  config.fma.units = 2;
  ExecutionPipes pipes(config);
  const InstructionTiming fma = of(Pipe::fma, 2);
  const InstructionTiming imad = of(Pipe::imad, 2);
  pipes.occupy(0, fma, nullptr); // takes the last unit
  EXPECT_EQ(pipes.free_at(imad, nullptr), 0U);
  pipes.occupy(0, imad, nullptr);
  EXPECT_EQ(pipes.free_at(imad, nullptr), 2U);
  EXPECT_EQ(pipes.free_at(fma, nullptr), 2U);
}

TEST(ExecutionPipes, PackedHalfTakesBothFmaUnits) {
  config::PipesConfig config;
  config.fma.units = 2;
  InstructionTiming half = of(Pipe::half, 2);
  half.both_fma_units = true;
  ExecutionPipes pipes(config);
  pipes.occupy(0, of(Pipe::fma, 2), nullptr);
  EXPECT_EQ(pipes.free_at(half, nullptr), 2U);
  pipes.occupy(2, half, nullptr);
  EXPECT_EQ(pipes.free_at(of(Pipe::imad, 2), nullptr), 4U);
}

TEST(ExecutionPipes, SharedFp64UnitIsThatOfTheSm) {
  ExecutionPipes here{config::PipesConfig{}};
  ExecutionPipes there{config::PipesConfig{}};
  Cycle shared = 0;
  here.occupy(3, of(Pipe::fp64, 16), &shared);
  EXPECT_EQ(there.free_at(of(Pipe::fp64, 16), &shared), 19U);
}

} // namespace
} // namespace coulomb::timing::sm
