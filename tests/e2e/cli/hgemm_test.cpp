// SPDX-License-Identifier: Apache-2.0
// The tensor-core matrix product: cp.async, ldmatrix and mma, right and limited by what it should.
#include "tests/e2e/cli/specs.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr const char* kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";

Json hgemm(const Workplace& workplace, const Strings& more) {
  Strings args = {"run", "hgemm", "--gpu", kGpu, "--json"};
  args.insert(args.end(), more.begin(), more.end());
  const Result result = run(workplace, args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.json();
}

TEST(Hgemm, IsRightAndBoundByTheTensorCores) {
  const Workplace workplace; // a stored cubin: no compiler is needed
  Json j = hgemm(workplace, {});
  EXPECT_EQ(j["output_check"]["passed"], true);
  EXPECT_EQ(j["output_check"]["compared"], 8 * 128 * 128) << "8 CTAs are simulated";
  EXPECT_EQ(j["expected_error"]["character"]["limiter"], "tensor cores");
  EXPECT_EQ(j["counters"]["sm__inst_executed_pipe_tensor.sum"],
            4096.0 * 4096.0 * 4096.0 / (16 * 8 * 16));
  EXPECT_EQ(j["counters"][kConflicts], 0) << "the swizzle leaves no bank conflict";
}

TEST(Hgemm, WithoutTheSwizzleIsSlowedByBankConflicts) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  Json j = hgemm(workplace, {"--param", "SWIZZLE=0"});
  EXPECT_EQ(j["output_check"]["passed"], true);
  EXPECT_GT(j["counters"][kConflicts], 0);
  EXPECT_EQ(j["expected_error"]["character"]["limiter"], "shared memory");
}

TEST(Hgemm, OtherTilesAndStagesAreRightAndClean) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  const Strings shapes[] = {
      {"--param", "BLOCK_K=16", "STAGES=4"},
      {"--param", "BLOCK_K=64", "STAGES=3", "WARPS_M=4", "WARPS_N=1"},
      {"--param", "BLOCK_M=256", "BLOCK_N=64", "WARPS_M=4", "SWIZZLE=0"},
  };
  for (Strings shape : shapes) {
    shape.insert(shape.end(), {"--functional", "--ctas", "1", "--check", "all"});
    Json j = hgemm(workplace, shape);
    EXPECT_EQ(j["output_check"]["passed"], true) << j["params"];
    EXPECT_EQ(j["findings"], Json::array()) << j["params"];
  }
}

} // namespace
} // namespace coulomb::e2e
