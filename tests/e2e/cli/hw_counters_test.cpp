// SPDX-License-Identifier: Apache-2.0
// Performance counters from a stand-in for CUPTI, and from exports of Nsight Compute.
#include "tests/e2e/cli/hw_support.hpp"

#include "base/results/csv.hpp"
#include "base/text.hpp"
#include "tests/unit/search/hdf5_reading.hpp"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

const std::string kFakeCupti = COULOMB_BINARY_DIR "/fake_cupti/libcupti.so.13";

/// The same with counters, from a stand-in for CUPTI.
Environment profiled(Environment more = {}) {
  more["COULOMB_CUPTI"] = kFakeCupti;
  return with_gpu(std::move(more));
}

class HwCounters : public Hw {
protected:
  void SetUp() override {
    Hw::SetUp();
    if (!std::filesystem::exists(kFakeCupti)) {
      GTEST_SKIP() << "built without CUPTI's headers";
    }
  }
};

TEST_F(HwCounters, AreCollectedByReplayAndComparedInCausalOrder) {
  const std::string file = workplace.path("measured.json");
  const Result result =
      measure_saxpy(workplace, profiled(), {"--metrics", "memory", "--out", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json outcome =
      Json::parse(read_file(file)).at("kernels").at(0).at("rows").at(0).at("outcome");
  EXPECT_EQ(outcome.at("passes"), 3);
  EXPECT_GT(outcome.at("counters").size(), 5U);
  const Result compared = run(workplace, {"hw", "compare", file});
  EXPECT_EQ(compared.exit_code, 0) << compared.err;
  EXPECT_THAT(compared.out, HasSubstr("<- diverges here first"));
  EXPECT_LT(compared.out.find("\n  L1 "), compared.out.find("\n  DRAM "));
  EXPECT_LT(compared.out.find("\n  DRAM "), compared.out.find("\n  time "));
}

TEST_F(HwCounters, OfAnExportOfNsightComputeAreComparedToo) {
  // saxpy's default configuration; the instructions are the simulator's own, the bytes are not.
  workplace.write(
      "export.csv",
      "==PROF== Disconnected\n"
      "\"ID\",\"Process ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"Metric "
      "Name\",\"Metric Unit\",\"Metric Value\"\n"
      "\"0\",\"7\",\"saxpy_kernel(int, float, const float *, float *)\",\"(256, 1, 1)\","
      "\"(16384, 1, 1)\",\"dram__bytes_read.sum\",\"Mbyte\",\"1,500.0\"\n");
  const Strings command = {"hw",    "compare", "export.csv",    "--spec",
                           "saxpy", "--gpu",   "a100-sxm4-40gb"};
  Strings json = command;
  json.emplace_back("--json");
  const Json row = run(workplace, json).json().at("rows").at(0);
  EXPECT_EQ(row.at("first_divergence"), "dram__bytes_read.sum");
  EXPECT_EQ(row.at("counters").at(0).at("silicon"), 1.5e9);
  Strings wrong = command;
  wrong.insert(wrong.end(), {"--param", "block_size=128"});
  EXPECT_THAT(run(workplace, wrong).err, HasSubstr("has no launch of saxpy_kernel"));
  EXPECT_THAT(run(workplace, {"hw", "compare", "export.csv"}).err, HasSubstr("--spec is missing"));
}

TEST_F(HwCounters, AndMachineCodeAreTheFeaturesOfAMeasurement) {
  const std::string file = workplace.path("measured.json");
  EXPECT_EQ(measure_saxpy(workplace, profiled(), {"--metrics", "basic", "--out", file}).exit_code,
            0);
  const Result result = run(workplace, {"hw", "features", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const auto csv = results::parse_csv(result.out, "features");
  ASSERT_EQ(csv.rows.size(), 1U);
  const auto value = [&](const char* name) { return csv.rows[0].at(*csv.find_column(name)); };
  EXPECT_EQ(value("kernel"), "saxpy");
  EXPECT_EQ(value("block_x"), "256");
  EXPECT_NE(value("inst_executed"), "");
  EXPECT_NE(value("code_instructions"), "");
  EXPECT_EQ(value("pipe_mio_share"), ""); // silicon has no such counter

  const std::string stored = workplace.path("features.h5");
  const Result to_file = run(workplace, {"hw", "features", file, "-o", stored});
  EXPECT_EQ(to_file.exit_code, 0) << to_file.err;
  EXPECT_EQ(to_file.out, fmt::format("saved {}   1 configurations\n", stored));
  using namespace search::hdf5_reading;
  const auto h5 = open(stored);
  EXPECT_THAT(read_texts(h5.id(), "/measurements/kernel"), ElementsAre("saxpy"));
  EXPECT_THAT(read_texts(h5.id(), "/measurements/parameters"), ElementsAre(value("parameters")));
  const auto names = read_texts(h5.id(), "/measurements/features_names");
  const auto values = read_doubles(h5.id(), "/measurements/features");
  ASSERT_EQ(values.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string text = value(names[i].c_str());
    EXPECT_TRUE(text.empty() ? std::isnan(values[i]) : values[i] == std::stod(text)) << names[i];
  }
}

TEST_F(HwCounters, FeaturesGoToCsvOrHdf5Only) {
  const Result result = run(workplace, {"hw", "features", "measured.json", "-o", "features.txt"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("hw features: -o features.txt: the name ends in \".txt\"; "
                                    "allowed: .csv and .h5"));
}

TEST_F(HwCounters, InstructionsAgreeWithTheSimulator) {
  const std::string file = workplace.path("measured.json");
  EXPECT_EQ(
      measure_saxpy(workplace, profiled(), {"--metrics", "smsp__inst_executed.sum", "--out", file})
          .exit_code,
      0);
  EXPECT_THAT(run(workplace, {"hw", "compare", file}).out,
              ContainsRegex("work  smsp__inst_executed.sum +[0-9.e+]+ +[0-9.e+]+ +1.00\n"));
}

TEST_F(HwCounters, ThatAreNotPermittedLeaveTheTimesAndTheFix) {
  const Result result = measure_saxpy(
      workplace, profiled({{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable=privileges"}}),
      {"--metrics", "basic"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("note  no counters: "));
  EXPECT_THAT(result.out, HasSubstr("ERR_NVGPUCTRPERM"));
  EXPECT_THAT(result.out, HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST_F(HwCounters, ThatCrashTheWorkerCostASecondTryWithoutThem) {
  const Result result =
      measure_saxpy(workplace, profiled({{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable=crash"}}),
                    {"--metrics", "basic"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("note  no counters: with CUPTI the worker did not come to an "
                                    "end (killed by signal 11 (SIGSEGV))"));
}

TEST_F(HwCounters, AFileWithoutThemCannotBeCompared) {
  const std::string file = workplace.path("measured.json");
  EXPECT_EQ(measure_saxpy(workplace, with_gpu(), {"--out", file}).exit_code, 0);
  const Result result = run(workplace, {"hw", "compare", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("has no counters"));
}

TEST_F(HwCounters, ThatHangAreNotBlamedOnTheKernel) {
  const Result result =
      measure_saxpy(workplace, profiled({{"FAKE_CUPTI_FAIL", "cuptiRangeProfilerEnable=hang"}}),
                    {"--metrics", "basic", "--deadline", "4"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("note  no counters: with CUPTI the worker did not come to an "
                                    "end (not finished after 4 s)"));
}

} // namespace
} // namespace coulomb::e2e
