// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/kernel_case.hpp"
#include "tests/kernels/kernel_runner.hpp"

#include <exception>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iostream>
#include <set>

namespace coulomb::kernels_test {

/// What gtest prints for a failing row.
static void PrintTo(const KernelCase& row, std::ostream* out) {
  *out << row.file << ": " << row.entry;
}

namespace {

using testing::ContainerEq;
using testing::HasSubstr;

/// One launch of each kernel for one architecture: empty, or what is wrong with the outputs, or the
/// error that ended it.
std::string outcome(const KernelCase& row, const std::string& architecture) {
  try {
    Problem problem;
    row.oracle(problem);
    return run_and_compare({compiled(row.file, architecture), row.entry, row.grid, row.block,
                            row.dynamic_shared_bytes},
                           problem);
  } catch (const std::exception& error) {
    return error.what();
  }
}

class UnseenKernel : public testing::TestWithParam<KernelCase> {
protected:
  void SetUp() override {
    const std::string missing = missing_compiler();
    if (!missing.empty()) {
      GTEST_SKIP() << missing;
    }
  }
};

// Both architectures report, whatever the first one does.
TEST_P(UnseenKernel, AgreesWithTheCpuOracleOnEveryElement) {
  const KernelCase& row = GetParam();
  for (const char* architecture : {"sm_80", "sm_86"}) {
    const std::string wrong = outcome(row, architecture);
    std::cout << "unseen " << row.entry << " " << architecture << ": "
              << (wrong.empty() ? "pass" : "FAIL") << "\n";
    EXPECT_EQ(wrong, "") << row.entry << " for " << architecture
                         << ", tolerance: " << row.tolerance;
  }
}

// At their first run all ten passed, for both architectures.
INSTANTIATE_TEST_SUITE_P(All,
                         UnseenKernel,
                         testing::ValuesIn(unseen_cases()),
                         [](const testing::TestParamInfo<KernelCase>& row) {
                           return std::string(row.param.entry);
                         });

TEST(UnseenTable, HasTenKernelsThatAreInNoOtherList) {
  std::set<std::string> unseen;
  for (const KernelCase& row : unseen_cases()) {
    unseen.insert(row.entry);
    EXPECT_EQ(row.file, fmt::format("unseen/{}.cu", row.entry));
    EXPECT_EQ(row.refused, nullptr) << row.entry;
  }
  EXPECT_THAT(unseen, ContainerEq(std::set<std::string>{
                          "batched_cholesky", "csr_adaptive_spmv", "flash_attention",
                          "gemm_bias_gelu", "hash_join", "json_structure", "lookback_scan",
                          "ray_traversal", "segmented_radix_sort", "summary_statistics"}));
  for (const KernelCase& row : all_cases()) {
    EXPECT_FALSE(unseen.contains(row.entry)) << row.entry;
  }
}

/// Zeroes where the kernel has written nothing are no result.
TEST(UnseenTable, OraclesRefuseBuffersAsTheyAreBeforeTheLaunch) {
  for (const KernelCase& row : unseen_cases()) {
    Problem problem;
    row.oracle(problem);
    std::size_t refused = 0;
    for (const Problem::Argument& argument : problem.arguments()) {
      refused += argument.buffer && !argument.check(argument.bytes.data()).empty() ? 1 : 0;
    }
    EXPECT_GE(refused, 1U) << row.entry;
  }
}

TEST(UnseenTable, TheOracleOfTheJoinNamesTheFirstWrongMatch) {
  for (const KernelCase& row : unseen_cases()) {
    if (row.entry != std::string("hash_join")) {
      continue;
    }
    Problem problem;
    row.oracle(problem);
    const Problem::Argument& matches = problem.arguments()[4];
    EXPECT_THAT(matches.check(matches.bytes.data()), HasSubstr("in sorted order match 0 is ("));
    std::vector<std::uint8_t> behind = matches.bytes;
    behind.back() = 0;
    EXPECT_EQ(matches.check(behind.data()), "word 15999 is 0xffffff, behind the last match");
  }
}

} // namespace
} // namespace coulomb::kernels_test
