// SPDX-License-Identifier: Apache-2.0
// A tuning .toml of the user's own, from the command line.
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;

/// The shipped saxpy over 65,536 elements; vector_width only matters where a thread has four.
constexpr const char* kSpace = R"toml(source = "saxpy.cu"
entry = "saxpy_kernel"
name = "mine"
oracle = "saxpy"
grid = "(65536 + block_size * elements_per_thread - 1) // (block_size * elements_per_thread)"
block = "block_size"
problem_size = 65536

[parameters]
block_size = [64, 128]

[parameters.elements_per_thread]
min = 1
max = 4
step = 3

[parameters.vector_width]
values = [1, 2, 4]
when = "elements_per_thread == 4"

[[argument]]
name = "count"
type = "int32"
value = 65536
[[argument]]
name = "alpha"
type = "float"
value = 2.5
[[argument]]
name = "x"
type = "float"
count = 65536
fill = "normal:7"
[[argument]]
name = "y"
type = "float"
count = 65536
fill = "normal:8"
output = true
)toml";

void write(const Workplace& workplace, const std::string& text) {
  write_small_saxpy(workplace); // its source, too
  workplace.write("mine.toml", text);
}

TEST(TuningFile, IsSearchedToItsEndWithoutTwoPointsThatDifferInAnInactiveParameter) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write(workplace, kSpace);
  const Result result = run(workplace, {"search", "mine.toml", "--gpu", kGpu, "--out", "out",
                                        "--budget", "50", "--strategy", "exhaustive", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  const auto json = result.json();
  EXPECT_EQ(json["space_size"], 2 * (1 + 3));
  EXPECT_EQ(json["evaluations"], 8);
  EXPECT_EQ(json["stopped_by"], "exhausted");
  EXPECT_EQ(json["statuses"]["ok"], 8) << result.out;
  EXPECT_EQ(json["strategy"], "exhaustive");
}

TEST(TuningFile, RunsOneConfigurationAndChecksItsOutput) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write(workplace, kSpace);
  const Result result =
      run(workplace, {"run", "mine.toml", "--gpu", kGpu, "--param", "elements_per_thread=4",
                      "--param", "vector_width=2", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err << result.out;
  EXPECT_EQ(result.json()["params"]["vector_width"], 2);
}

TEST(TuningFile, IsRefusedWithEveryMistakeAndItsLine) {
  const Workplace workplace;
  std::string text = kSpace;
  text.replace(text.find("when = \"elements"), 14, "when = \"element");
  text.replace(text.find("step = 3"), 8, "step = 2");
  write(workplace, text);
  const Result result =
      run(workplace, {"search", "mine.toml", "--gpu", kGpu, "--out", "out", "--budget", "5"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("mine.toml:15"));
  EXPECT_THAT(result.err, HasSubstr("step 2 does not divide max - min = 3"));
  EXPECT_THAT(result.err, HasSubstr("docs/spaces.md lists the keys of a tuning file"));
}

TEST(TuningFile, SearchNamesTheStrategiesAndSaysWhenWorkersCannotAllBeBusy) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  write_small_saxpy(workplace);
  const Result wrong = run(
      workplace, {"search", "small.json", "--gpu", kGpu, "--out", "out", "--strategy", "radnom"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("there is no search strategy \"radnom\"; there are: ga, "));
  const Result few = run(workplace, {"search", "small.json", "--gpu", kGpu, "--out", "out",
                                     "--budget", "4", "--jobs", "3", "--lookahead", "2"});
  EXPECT_EQ(few.exit_code, 0) << few.err;
  EXPECT_THAT(few.err, HasSubstr("at most 2 of 3 workers can be busy: --lookahead 3"));
}

} // namespace
} // namespace coulomb::e2e
