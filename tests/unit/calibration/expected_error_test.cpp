// SPDX-License-Identifier: Apache-2.0
#include "calibration/expected_error.hpp"

#include "synthetic.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <filesystem>
#include <gtest/gtest.h>

namespace coulomb::calibration {
namespace {

using testing::message_of;

MeasuredError measured(const std::string& spec, std::uint32_t architecture, double error) {
  return {.spec = spec,
          .gpu = architecture == 80 ? "a100-pcie-40gb" : "rtx-3090",
          .architecture = architecture,
          .limiter = "DRAM",
          .local_memory = false,
          .error = error};
}

const eval::Character kDram{.limiter = "DRAM", .utilization = 0.9, .local_memory = false};

/// Five of sm_80 with 1 to 5 % error, of either sign; one of sm_86.
ErrorTable table() {
  return ErrorTable({measured("saxpy", 80, 0.01), measured("saxpy", 80, -0.02),
                     measured("copy", 80, 0.03), measured("copy", 80, -0.04),
                     measured("copy", 80, 0.05), measured("copy", 86, 0.30)});
}

class ErrorFile : public ::testing::Test {
protected:
  ErrorFile() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "coulomb-errors-XXXXXX").string();
    dir_ = ::mkdtemp(pattern.data());
  }
  ~ErrorFile() override {
    std::error_code ignored;
    std::filesystem::remove_all(dir_, ignored);
  }
  [[nodiscard]] std::string path() const { return (dir_ / "errors.csv").string(); }
  /// Message of loading a file with this text, the folder written as DIR.
  [[nodiscard]] std::string problem(const std::string& text) const {
    write_file_atomically(path(), text);
    std::string found = message_of([&] { (void)ErrorTable::load(path()); });
    const std::string folder = dir_.string();
    const auto at = found.find(folder);
    return at == std::string::npos ? found : found.replace(at, folder.size(), "DIR");
  }

private:
  std::filesystem::path dir_;
};

TEST(ExpectedError, IsTheSpreadOfMeasuredErrorsOfTheSameCharacterAndArchitecture) {
  const ExpectedError e = table().expect(kDram, 80);
  EXPECT_EQ(e.measured, 5U);
  EXPECT_DOUBLE_EQ(e.median.value(), 0.03);
  EXPECT_DOUBLE_EQ(e.p90.value(), 0.046);
  EXPECT_TRUE(e.same_architecture);
  EXPECT_EQ(e.note(), "4.6 % at the 90th percentile; 5 measured configurations of "
                      "copy on a100-pcie-40gb, saxpy on a100-pcie-40gb (DRAM-bound)");
}

TEST(ExpectedError, TakesAllArchitecturesIfItsOwnHasTooFew) {
  const ExpectedError e = table().expect(kDram, 86);
  EXPECT_EQ(e.measured, 6U);
  EXPECT_DOUBLE_EQ(e.median.value(), 0.035);
  EXPECT_FALSE(e.same_architecture);
  EXPECT_NE(e.note().find("(DRAM-bound, of another architecture too)"), std::string::npos)
      << e.note();
}

TEST(ExpectedError, IsNotKnownForACharacterThatWasNotMeasured) {
  eval::Character spilling = kDram;
  spilling.local_memory = true;
  const ExpectedError e = table().expect(spilling, 80);
  EXPECT_EQ(e.measured, 0U);
  EXPECT_EQ(e.median, std::nullopt);
  EXPECT_EQ(e.p90, std::nullopt);
  EXPECT_EQ(e.note(), "no measured kernel of this character (DRAM-bound, with local memory)");
  EXPECT_EQ(ErrorTable().expect(eval::Character{}, 80).note(),
            "no measured kernel of this character (latency-bound)");
}

TEST_F(ErrorFile, IsReadAndAMissingOneKnowsNothing) {
  EXPECT_TRUE(ErrorTable::load(path()).rows().empty());
  write_file_atomically(path(), "spec,gpu,architecture,row,limiter,utilization,local_memory,error\n"
                                "saxpy,rtx-3090,86,7,FP32 pipe,0.8,1,-0.125\n");
  const ErrorTable found = ErrorTable::load(path());
  ASSERT_EQ(found.rows().size(), 1U);
  const MeasuredError& row = found.rows().front();
  EXPECT_EQ(row.spec, "saxpy");
  EXPECT_EQ(row.gpu, "rtx-3090");
  EXPECT_EQ(row.architecture, 86U);
  EXPECT_EQ(row.limiter, "FP32 pipe");
  EXPECT_TRUE(row.local_memory);
  EXPECT_DOUBLE_EQ(row.error, -0.125);
}

TEST_F(ErrorFile, IsRefusedWithThePlaceOfWhatIsWrong) {
  EXPECT_EQ(problem("spec,gpu,architecture,limiter,local_memory,eror\n"),
            "DIR/errors.csv:1: no column \"error\" (did you mean \"eror\"?)");
  EXPECT_EQ(problem("spec,gpu,architecture,limiter,local_memory,error\na,b,80,DRAM,0,much\n"),
            "DIR/errors.csv:2: error is \"much\", which is not a number");
}

TEST(ShippedErrorTable, CanBeReadAndHasOnlyLimitersThatARunCanHave) {
  const auto errors =
      ErrorTable::load(std::string(COULOMB_SOURCE_DIR) + "/data/accuracy/errors.csv");
  EXPECT_FALSE(errors.rows().empty());
  const auto parts = eval::utilizations({}, {});
  for (const MeasuredError& row : errors.rows()) {
    const bool known = row.limiter == eval::Character{}.limiter ||
                       std::any_of(parts.begin(), parts.end(), [&](const eval::Utilization& u) {
                         return u.part == row.limiter;
                       });
    EXPECT_TRUE(known) << row.limiter;
  }
}

} // namespace
} // namespace coulomb::calibration
