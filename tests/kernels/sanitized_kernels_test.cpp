// SPDX-License-Identifier: Apache-2.0
// Correct kernels under every check of the sanitizer: it has nothing to say, except for what the
// table tells, which is true.
#include "base/eval/finding.hpp"
#include "sim/sanitizer/sanitizer.hpp"
#include "tests/kernels/kernel_case.hpp"
#include "tests/kernels/kernel_runner.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <iostream>

namespace coulomb::kernels_test {

/// What gtest prints for a failing row.
static void PrintTo(const KernelCase& row, std::ostream* out) {
  *out << row.file << ": " << row.entry;
}

namespace {

/// A finding that is right, in a kernel whose outputs are right all the same.
struct TrueFinding {
  const char* entry;
  const char* check;
  const char* why;
};
constexpr TrueFinding kTrueFindings[] = {
    {"sh_sizes", "init", "64 threads store 64 of the 128 int2 and read one more"},
    {"ldsm_all", "init", "the matrices lie behind what the threads have stored"},
    {"hotspot", "init", "border threads read tile elements outside the grid, which nobody loads"},
    {"generic_ptr", "init", "one thread stores one of the elements it reads"},
    {"atomics_shared", "init", "the one thread sets a part of the words it counts in"},
    {"convert_one", "nan", "finite floats beyond the range of half become infinities"},
};

bool is_true(const eval::Finding& finding, const std::string& entry) {
  return std::any_of(
      std::begin(kTrueFindings), std::end(kTrueFindings),
      [&](const TrueFinding& row) { return entry == row.entry && finding.check == row.check; });
}

/// Hands its findings on when the run is over.
class Collecting : public functional::Monitor {
public:
  Collecting(const functional::ExecutableKernel& kernel,
             const functional::GlobalMemory& memory,
             std::vector<eval::Finding>& findings)
      : sanitizer_(kernel, memory, {"memory", "race", "sync", "init", "nan"}), findings_(findings) {
  }
  ~Collecting() override { findings_ = sanitizer_.findings(); }

  std::vector<std::uint8_t> watched(const isa::KernelImage& kernel) override {
    return sanitizer_.watched(kernel);
  }
  void cta_started(const functional::CtaState& cta) override { sanitizer_.cta_started(cta); }
  void before(const functional::WarpState& warp, const functional::CtaState& cta) override {
    sanitizer_.before(warp, cta);
  }
  void after(std::uint32_t pc,
             const functional::WarpState& warp,
             const functional::CtaState& cta,
             const functional::StepResult& result) override {
    sanitizer_.after(pc, warp, cta, result);
  }
  bool faulted(const functional::KernelFault& fault, const functional::CtaState& cta) override {
    return sanitizer_.faulted(fault, cta);
  }

private:
  sanitizer::Sanitizer sanitizer_;
  std::vector<eval::Finding>& findings_;
};

std::vector<KernelCase> executed_cases() {
  std::vector<KernelCase> cases = all_cases();
  const std::vector<KernelCase> unseen = unseen_cases();
  cases.insert(cases.end(), unseen.begin(), unseen.end());
  std::erase_if(cases, [](const KernelCase& row) { return row.refused != nullptr; });
  return cases;
}

class SanitizedKernel : public testing::TestWithParam<KernelCase> {
protected:
  void SetUp() override {
    const std::string missing = missing_compiler();
    if (!missing.empty()) {
      GTEST_SKIP() << missing;
    }
  }
};

TEST_P(SanitizedKernel, HasNoFindings) {
  const KernelCase& row = GetParam();
  Problem problem;
  row.oracle(problem);
  std::vector<eval::Finding> findings;
  EXPECT_EQ(run_and_compare({compiled(row.file, "sm_86"), row.entry, row.grid, row.block,
                             row.dynamic_shared_bytes},
                            problem,
                            [&](const auto& kernel, const auto& memory) {
                              return std::make_unique<Collecting>(kernel, memory, findings);
                            }),
            "");
  for (const eval::Finding& finding : findings) {
    EXPECT_TRUE(is_true(finding, row.entry)) << eval::finding_text(finding);
  }
}

INSTANTIATE_TEST_SUITE_P(All,
                         SanitizedKernel,
                         testing::ValuesIn(executed_cases()),
                         [](const testing::TestParamInfo<KernelCase>& row) {
                           return fmt::format("{}_{}", row.param.entry, row.index);
                         });

} // namespace
} // namespace coulomb::kernels_test
