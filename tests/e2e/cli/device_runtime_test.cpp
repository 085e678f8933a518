// SPDX-License-Identifier: Apache-2.0
// What kernels of real projects lean on: printf, assert, malloc, grid barriers, the headers of an
// nvcc source; and the checks that find what is wrong with them.
#include "base/npy.hpp"
#include "tests/e2e/cli/specs.hpp"

#include <array>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr const char* kSource = R"(
#include <cassert>
#include <cstdio>
#include <stdint.h>
#include <cuda_runtime.h>
__global__ void talk(const float* x, std::uint32_t n) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < n);
  if (i % 3 == 0) {
    printf("%u of %u: %.2f %s %lld\n", i, n, x[i], "yes", (long long)i * UINT32_MAX);
  }
}
__global__ void lists(int* out, int n) {
  int* list = (int*)malloc(n * sizeof(int));
  for (int i = 0; i < n; ++i) {
    list[i] = threadIdx.x * i;
  }
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += list[i];
  }
  free(list);
  out[threadIdx.x] = sum;
}
__global__ void racy(float* out) {
  __shared__ float tile[64];
  tile[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = tile[63 - threadIdx.x];
}
__global__ void overruns(float* out, int n) {
  out[threadIdx.x + n] = 1.0f;
}
#ifndef __CUDACC_RTC__
int main() { return 0; }
#endif
)";

class DeviceRuntime : public testing::Test {
protected:
  void SetUp() override {
    COULOMB_NEEDS_NVRTC(workplace);
    workplace.write("k.cu", kSource);
  }
  [[nodiscard]] Result launch(const std::string& entry, Strings more) const {
    Strings args = {"run", "k.cu", "--entry", entry};
    args.insert(args.end(), more.begin(), more.end());
    return run(workplace, args);
  }
  Workplace workplace;
};

TEST_F(DeviceRuntime, PrintsInFunctionalAndInTimedRuns) {
  const std::string printed = "0 of 8: 0.00 yes 0\n3 of 8: 1.50 yes 12884901885\n"
                              "6 of 8: 3.00 yes 25769803770\n";
  const Strings arguments = {"--grid", "1",        "--block", "8", "--arg", "x:float[8]=expr:i/2",
                             "--arg",  "n:uint=8", "--json"};
  Strings functional = arguments;
  functional.push_back("--functional");
  const Result a = launch("talk", functional);
  EXPECT_EQ(a.exit_code, 0) << a.err;
  EXPECT_EQ(a.json()["printed"], printed);
  Strings timed = arguments;
  timed.insert(timed.end(), {"--gpu", "rtx-3090"});
  const Result b = launch("talk", timed);
  EXPECT_EQ(b.exit_code, 0) << b.err;
  EXPECT_EQ(b.json()["printed"], printed);
}

TEST_F(DeviceRuntime, AFailedAssertionNamesItselfAndItsThread) {
  const Result result = launch("talk", {"--grid", "2", "--block", "4", "--arg", "x:float[8]",
                                        "--arg", "n:uint=6", "--functional"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, StartsWith("crashed: k.cu:8: void talk(const float *, unsigned int): "
                                     "assertion `i < n` failed in kernel"));
  EXPECT_THAT(result.out, HasSubstr("block (1,0,0), thread (2,0,0)"));
}

TEST_F(DeviceRuntime, AllocatesFromTheDeviceHeap) {
  const Result result =
      launch("lists", {"--grid", "1", "--block", "64", "--arg", "out:output:int[64]", "--arg",
                       "n:int=5", "--functional", "--check", "all", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json()["findings"], Json::array());
}

TEST_F(DeviceRuntime, ChecksNameLineAndThreadAndExitWithOne) {
  const Result race = launch("racy", {"--grid", "1", "--block", "64", "--arg", "out:float[64]",
                                      "--check", "race", "--json"});
  EXPECT_EQ(race.exit_code, 1) << race.err;
  const Json findings = race.json()["findings"];
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0]["check"], "race");
  EXPECT_EQ(findings[0]["space"], "shared");
  EXPECT_THAT(findings[0]["file"].get<std::string>(), testing::EndsWith("k.cu"));
}

TEST_F(DeviceRuntime, ABadAccessIsFoundInEveryCtaAndIsACrash) {
  const Result result =
      launch("overruns", {"--grid", "3", "--block", "64", "--arg", "out:float[64]", "--arg",
                          "n:int=1", "--check", "memory"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.out, HasSubstr("memory"));
  EXPECT_THAT(result.out, HasSubstr("k.cu:31"));
  EXPECT_THAT(result.out, HasSubstr("(3 times)"));
  EXPECT_THAT(result.err, StartsWith("crashed: illegal access: 4 bytes at global address"));
}

TEST_F(DeviceRuntime, MeetsAtGridBarriersOfCooperativeGroups) {
  workplace.write("grid.cu", R"(
#include <cooperative_groups.h>
extern "C" __global__ void meet(int* out) {
  auto grid = cooperative_groups::this_grid();
  atomicAdd(&out[0], 1);
  grid.sync();
  atomicAdd(&out[1], out[0]);
}
)");
  const Result result = run(workplace, {"run", "grid.cu", "--grid", "20", "--block", "64", "--arg",
                                        "out:output:int[2]", "--functional", "--json"});
  if (result.out.find("cannot open source file") != std::string::npos) {
    GTEST_SKIP() << "the toolkit's headers are not installed";
  }
  EXPECT_EQ(result.exit_code, 0) << result.err << result.out;
  const NpyArray out = read_npy(workplace.path("out.npy"));
  std::array<std::int32_t, 2> sums{};
  ASSERT_EQ(out.data.size(), sizeof sums);
  std::memcpy(sums.data(), out.data.data(), sizeof sums);
  EXPECT_EQ(sums[0], 1280);
  EXPECT_EQ(sums[1], 1280 * 1280) << "a thread read the sum before the barrier";
}

TEST_F(DeviceRuntime, CtasThatLeaveAtOnceDoNotCountAsWorkOfASample) {
  workplace.write("tail.cu", R"(
extern "C" __global__ void tail(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int k = 0; k < 3000; ++k) v = v * 1.0001f + 0.5f;
  x[i] = v;
}
)");
  const auto cycles = [&](const std::string& grid) {
    const Result result =
        run(workplace, {"run", "tail.cu", "--gpu", "a100-pcie-40gb", "--grid", grid, "--block",
                        "256", "--arg", "x:float[1048576]", "--arg", "n:int=1048576", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.json()["cycles"].get<double>();
  };
  const double exact = cycles("4096");
  EXPECT_NEAR(cycles("16384"), exact, 0.02 * exact) << "three of four CTAs do nothing";
}

TEST_F(DeviceRuntime, CtasAtTheEdgeOfTheProblemCountAsThePartThatTheyDo) {
  workplace.write("edge.cu", R"(
extern "C" __global__ void edge(float* x, int whole, int working) {
  if (blockIdx.x >= working) return;
  const int steps = blockIdx.x < whole ? 6000 : 600;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = x[i];
  for (int k = 0; k < steps; ++k) v = v * 1.0001f + 0.5f;
  x[i] = v;
}
)");
  const auto cycles = [&](const std::string& grid) {
    const Result result =
        run(workplace,
            {"run", "edge.cu", "--gpu", "a100-pcie-40gb", "--grid", grid, "--block", "256", "--arg",
             "x:float[2097152]", "--arg", "whole:int=4096", "--arg", "working:int=8192", "--json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.json()["cycles"].get<double>();
  };
  const double whole = cycles("4096");
  EXPECT_NEAR(cycles("16384"), 1.1 * whole, 0.05 * whole)
      << "4,096 CTAs, as many with a tenth of their work, and idle ones";
}

TEST_F(DeviceRuntime, HostCodeThatIsNotFencedIsExplained) {
  workplace.write("host.cu", "__global__ void k() {}\nint main() { return 0; }\n");
  const Result result =
      run(workplace, {"run", "host.cu", "--grid", "1", "--block", "32", "--functional"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.err, HasSubstr("fence host code with #ifndef __CUDACC_RTC__"));
}

} // namespace
} // namespace coulomb::e2e
