// SPDX-License-Identifier: Apache-2.0
#include "base/eval/measurement.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace coulomb::eval {
namespace {

TEST(SampleStatistics, OfNothingAreZero) {
  EXPECT_EQ(sample_statistics({}).median, 0.0);
  EXPECT_EQ(sample_statistics({}).noise, 0.0);
}

TEST(SampleStatistics, QuartilesLieBetweenSamples) {
  const auto s = sample_statistics({4.0, 1.0, 3.0, 2.0});
  EXPECT_DOUBLE_EQ(s.median, 2.5);
  EXPECT_DOUBLE_EQ(s.q1, 1.75);
  EXPECT_DOUBLE_EQ(s.q3, 3.25);
  EXPECT_DOUBLE_EQ(s.minimum, 1.0);
}

TEST(SampleStatistics, TheIntervalOfFewSamplesIsTheirWholeRange) {
  EXPECT_DOUBLE_EQ(sample_statistics({9.0, 10.0, 11.0}).noise, 0.1);
}

TEST(SampleStatistics, TheIntervalOfTheMedianIsOfOrderStatistics) {
  std::vector<double> samples;
  for (int i = 0; i < 100; ++i) {
    samples.push_back(100.0 + i);
  }
  // Ranks 50 -+ 9.8: the 41st and the 61st of 100, counted from 1.
  EXPECT_DOUBLE_EQ(sample_statistics(samples).noise, (160.0 - 140.0) / 2.0 / 149.5);
}

TEST(SampleStatistics, OneOutlierDoesNotMatter) {
  std::vector<double> samples(50, 2.0);
  samples[7] = 900.0;
  EXPECT_DOUBLE_EQ(sample_statistics(samples).median, 2.0);
  EXPECT_DOUBLE_EQ(sample_statistics(samples).noise, 0.0);
}

MeasureOutcome outcome() {
  MeasureOutcome o;
  o.id = 7;
  o.status = EvalStatus::ok;
  o.first_ms = 3.5;
  o.samples_ms = {1.0, 1.25};
  o.stopped_by = "noise";
  o.registers = 42;
  o.state.sm_clock_mhz = 1410.0;
  o.state.throttle_reasons = {"SW power cap"};
  o.power = {212.5, 0.004, 91.0, 17};
  o.counters = {{"dram__bytes_read.sum", 1e9}};
  o.passes = 3;
  o.output_check = {true, true, 1e-7, 65536, "oracle saxpy", ""};
  o.notes = {"a note"};
  return o;
}

TEST(MeasureOutcome, SurvivesItsJson) {
  const MeasureOutcome before = outcome();
  const MeasureOutcome after = measure_outcome_from_json(to_json_text(before));
  EXPECT_EQ(to_json_text(after), to_json_text(before));
  EXPECT_EQ(after.samples_ms, before.samples_ms);
  EXPECT_EQ(after.state, before.state);
  EXPECT_EQ(after.power, before.power);
  EXPECT_EQ(after.counters, before.counters);
}

TEST(MeasureRequest, SurvivesItsJson) {
  MeasureRequest request;
  request.device = 2;
  request.cubin_path = "/cache/a.cubin";
  request.kernel_name = "saxpy";
  request.launch.grid = {128, 1, 1};
  request.launch.block = {256, 1, 1};
  request.sampling = {1, 5, 50, 0.01, 2.5};
  request.cache_state = "cold";
  request.metrics = {"sm__cycles_elapsed.max"};
  request.power_s = 1.5;
  request.power_window_ms = 100.0;
  request.empty_cubin_path = "/cache/e.cubin";
  const MeasureRequest after = measure_request_from_json(to_json_text(request));
  EXPECT_EQ(to_json_text(after), to_json_text(request));
  EXPECT_EQ(after.sampling, request.sampling);
}

} // namespace
} // namespace coulomb::eval
