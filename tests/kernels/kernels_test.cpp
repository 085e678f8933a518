// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "sim/isa/cubin.hpp"
#include "tests/kernels/kernel_case.hpp"
#include "tests/kernels/kernel_runner.hpp"

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

class KernelProof : public testing::TestWithParam<KernelCase> {
protected:
  void SetUp() override {
    const std::string missing = missing_compiler();
    if (!missing.empty()) {
      GTEST_SKIP() << missing;
    }
  }
};

TEST_P(KernelProof, AgreesWithTheCpuOracleOnEveryElement) {
  const KernelCase& row = GetParam();
  for (const char* architecture : {"sm_80", "sm_86"}) {
    Problem problem;
    row.oracle(problem);
    const Launch launch{compiled(row.file, architecture), row.entry, row.grid, row.block,
                        row.dynamic_shared_bytes};
    if (row.refused != nullptr) {
      try {
        static_cast<void>(run_and_compare(launch, problem));
        ADD_FAILURE() << row.entry << " executes now: remove `refused` from its row";
      } catch (const UnsupportedError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(row.refused));
      }
      continue;
    }
    EXPECT_EQ(run_and_compare(launch, problem), "")
        << row.entry << " for " << architecture << ", tolerance: " << row.tolerance;
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         KernelProof,
                         testing::ValuesIn(all_cases()),
                         [](const testing::TestParamInfo<KernelCase>& row) {
                           return fmt::format("{}_{}", row.param.entry, row.index);
                         });

TEST(KernelProofTable, NamesEveryKernelOfTheFilesWithAnOracleOrAReason) {
  const std::string missing = missing_compiler();
  if (!missing.empty()) {
    GTEST_SKIP() << missing;
  }
  std::set<std::string> files;
  std::set<std::string> covered;
  std::set<std::string> refused;
  std::set<std::string> uncovered;
  for (const KernelCase& row : all_cases()) {
    files.insert(row.file);
    (row.refused == nullptr ? covered : refused).insert(row.entry);
  }
  for (const UncoveredKernel& row : uncovered_kernels()) {
    files.insert(row.file);
    uncovered.insert(row.entry);
    EXPECT_FALSE(covered.contains(row.entry)) << row.entry << " has an oracle and a reason";
    EXPECT_STRNE(row.reason, "") << row.entry;
  }
  std::set<std::string> named = covered;
  named.insert(refused.begin(), refused.end());
  named.insert(uncovered.begin(), uncovered.end());
  std::set<std::string> found;
  for (const std::string& file : files) {
    const isa::Cubin cubin = isa::Cubin::load(compiled(file, "sm_86"));
    for (const isa::KernelImage& kernel : cubin.kernels) {
      found.insert(kernel.name);
    }
    for (const auto& [kernel, reason] : cubin.unsupported_kernels) {
      found.insert(kernel);
    }
  }
  EXPECT_THAT(named, testing::ContainerEq(found));
  std::cout << covered.size() << " of " << found.size() << " kernels agree with an oracle, "
            << refused.size() << " use an instruction that is not modelled\n";
  EXPECT_GE(covered.size(), 124U);
}

} // namespace
} // namespace coulomb::kernels_test
