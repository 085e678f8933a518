// SPDX-License-Identifier: Apache-2.0
#include "engine_fake_worker.hpp"
#include "search/engine/evaluator.hpp"

#include <gtest/gtest.h>

namespace coulomb::search {
namespace {

using eval::EvalStatus;
using testing::FakeWorkers;

constexpr const char* kSpec = R"({
  "General": {"BenchmarkName": "k"},
  "ConfigurationSpace": {"TuningParameters": [
    {"Name": "COMPILE", "Type": "string", "Values": ["ok"], "Default": "ok"},
    {"Name": "SIMULATE", "Type": "string", "Values": ["ok"], "Default": "ok"}
  ]},
  "KernelSpecification": {
    "Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "GlobalSizeType": "CUDA",
    "LocalSize": {"X": "32", "Y": "1", "Z": "1"}, "GlobalSize": {"X": "4", "Y": "1", "Z": "1"},
    "Arguments": [{"Name": "out", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly",
                   "FillType": "Constant", "Size": "128", "FillValue": 0.0, "Output": 1}]
  }
})";

/// What a new evaluator says of code `code` whose simulation obeys `simulate`.
class Predictions : public ::testing::Test {
protected:
  Evaluation evaluate(const std::string& code, const std::string& simulate = "ok") {
    EvaluatorOptions options;
    options.worker_dir = fakes_.dir();
    options.sim_deadline_s = 20.0;
    options.predictions = fakes_.dir() + "/predictions";
    options.fidelity = fidelity_;
    options.outputs = outputs_;
    config::GpuConfig gpu;
    gpu.id = "test-gpu";
    gpu.sm_clock_mhz = clock_mhz_;
    Evaluator evaluator(kernel::TunableSpec::parse(kSpec, "/specs/k.json"), gpu, options);
    Evaluation result;
    evaluator.evaluate(
        {{7, kernel::Configuration({{"COMPILE", "code=" + code}, {"SIMULATE", simulate}})}},
        [&](const Evaluation& e) { result = e; });
    EXPECT_EQ(evaluator.prediction_problem(), "");
    predicted_ = evaluator.predicted();
    return result;
  }

  /// Simulations that workers began.
  [[nodiscard]] std::size_t simulations() const {
    std::size_t n = 0;
    const std::string log = fakes_.log();
    for (std::size_t at = log.find("simulate"); at != std::string::npos;
         at = log.find("simulate", at + 1)) {
      ++n;
    }
    return n;
  }

  FakeWorkers fakes_;
  eval::Fidelity fidelity_;
  std::vector<kernel::OutputFile> outputs_;
  double clock_mhz_ = 1000.0;
  std::uint64_t predicted_ = 0;
};

TEST_F(Predictions, AnotherEvaluatorDoesNotSimulateTheSameAgain) {
  const Evaluation first = evaluate("a");
  EXPECT_EQ(simulations(), 1U);
  EXPECT_EQ(predicted_, 0U);
  const Evaluation second = evaluate("a");
  EXPECT_EQ(simulations(), 1U);
  EXPECT_EQ(predicted_, 1U);
  EXPECT_EQ(second.status, EvalStatus::ok);
  EXPECT_EQ(second.sim.time_ms, first.sim.time_ms);
  EXPECT_EQ(second.code, first.code);
  EXPECT_EQ(second.sim_s, 0.0);
}

TEST_F(Predictions, OtherCodeGpuOrFidelityIsAnotherSimulation) {
  evaluate("a");
  evaluate("b");
  EXPECT_EQ(simulations(), 2U);
  clock_mhz_ = 1100.0;
  evaluate("a");
  EXPECT_EQ(simulations(), 3U);
  fidelity_.sms = 2;
  evaluate("a");
  EXPECT_EQ(simulations(), 4U);
}

TEST_F(Predictions, DeterministicFailureIsKept) {
  evaluate("a", "status=deadlock");
  EXPECT_EQ(evaluate("a", "status=deadlock").status, EvalStatus::deadlock);
  EXPECT_EQ(simulations(), 1U);
}

TEST_F(Predictions, WhatTheMachineDidIsNotKept) {
  evaluate("a", "status=timeout");
  evaluate("a", "status=timeout");
  EXPECT_EQ(simulations(), 2U);
}

TEST_F(Predictions, SimulationThatWritesFilesIsDoneAgain) {
  outputs_ = {{}};
  evaluate("a");
  evaluate("a");
  EXPECT_EQ(simulations(), 2U);
}

} // namespace
} // namespace coulomb::search
