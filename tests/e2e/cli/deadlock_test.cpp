// SPDX-License-Identifier: Apache-2.0
// Kernels that spin for ever end as deadlocks, in both rungs; kernels that take long do not.
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

constexpr const char* kSource = R"(
__global__ void flag_never_set(volatile int* flag, int* out) {
  if (blockIdx.x == 1) {
    while (flag[3] == 0) {
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void lock_never_released(int* lock, int* out) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
      __nanosleep(100);
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void for_ever(int* flag, int* out) {
  out[threadIdx.x] = 1;
  while (true) {
    asm volatile("");
  }
}
__global__ void flag_in_shared(int* flag, int* out) {
  __shared__ volatile int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x >= 32) {
    while (ready == 0) {
      flag[1] = 7; // the same value again and again changes nothing
    }
  }
  __syncthreads();
  out[threadIdx.x] = 1;
}
// A CTA waits for the one before it, which works for long.
__global__ void chain(volatile int* flag, int* out, int n) {
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    while (flag[blockIdx.x - 1] == 0) {
    }
  }
  __syncthreads();
  unsigned x = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    asm volatile("mad.lo.u32 %0, %0, 3, 1;" : "+r"(x));
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  __threadfence();
  if (threadIdx.x == 0) flag[blockIdx.x] = 1;
}
// A CTA waits for the one behind it.
__global__ void relay(volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x) {
      while (flag[blockIdx.x + 1] == 0) {
      }
    }
    flag[blockIdx.x] = 1;
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
// One warp counts in memory, for long; the other one spins until it is done.
__global__ void counts(volatile int* flag, int* out, int n) {
  if (threadIdx.x < 32) {
    while (flag[0] < n) {
      flag[0] = flag[0] + 1;
    }
    flag[1] = 1;
  } else {
    while (flag[1] == 0) {
    }
  }
  out[threadIdx.x] = 1;
}
__global__ void waits_by_the_clock(int* flag, int* out, int n) {
  const long long begin = clock64();
  while (clock64() - begin < n) {
  }
  out[threadIdx.x] = 1;
}
)";

class Deadlock : public testing::Test {
protected:
  void SetUp() override {
    COULOMB_NEEDS_NVRTC(workplace);
    workplace.write("k.cu", kSource);
  }
  [[nodiscard]] Json launch(const std::string& entry, int ctas, const Strings& more) const {
    Strings args = {"run",     "k.cu",
                    "--entry", entry,
                    "--gpu",   kGpu,
                    "--grid",  std::to_string(ctas),
                    "--block", "64",
                    "--arg",   "flag:int[8]=zero",
                    "--arg",   "out:output:int[1024]",
                    "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return run(workplace, args).json();
  }
  Workplace workplace;
};

TEST_F(Deadlock, FlagThatNobodySetsIsFoundInBothRungs) {
  for (const Strings& rung : {Strings{"--functional"}, Strings{"--chip"}}) {
    const Json j = launch("flag_never_set", 4, rung);
    EXPECT_EQ(j["status"], "deadlock");
    const std::string message = j.value("message", "");
    EXPECT_THAT(message, ContainsRegex("no warp can make progress"));
    EXPECT_THAT(message, ContainsRegex("warp 1[^\n]* at pc 0x[0-9a-f]+ .k.cu:[0-9]+., spins on "
                                       "LDG.E.STRONG.SYS R[0-9]+, [^\n]*k.cu:4.: global address "
                                       "0x70000000c .buffer flag . 12., which stays 0x0"));
    EXPECT_THAT(message, Not(HasSubstr("outside the sample"))) << "every CTA has run";
  }
}

TEST_F(Deadlock, FlagOfACtaOutsideTheSampleIsADeadlockOfTheSample) {
  const Json sampled = launch("relay", 8, {});
  EXPECT_EQ(sampled["status"], "deadlock");
  EXPECT_THAT(sampled.value("message", ""),
              HasSubstr("; 1 of 8 CTAs had started: the CTAs outside the sample are not "
                        "simulated, --chip or --functional runs them all\nSM 0 warp 0 of CTA "));
  const Json chip = launch("relay", 8, {"--chip"});
  EXPECT_EQ(chip["status"], "ok") << chip.value("message", "");
}

TEST_F(Deadlock, LockThatIsNeverGivenBackNamesTheAtomicAndTheBarrier) {
  const Json functional = launch("lock_never_released", 2, {"--functional"});
  EXPECT_EQ(functional["status"], "deadlock");
  EXPECT_THAT(functional.value("message", ""),
              MatchesRegex("deadlock in kernel .*: no warp can make progress, 1 of 2 spin while "
                           "nothing changes\n"
                           "CTA .1, 0, 0. warp 0: .* spins on ATOMG.E.CAS.* .buffer flag . 0., "
                           "which stays 0x1\n"
                           "CTA .1, 0, 0. warp 1: at barrier 0 .1 of 2 warps arrived."));
  const Json timed = launch("lock_never_released", 2, {"--chip"});
  EXPECT_EQ(timed["status"], "deadlock");
  EXPECT_THAT(timed.value("message", ""),
              MatchesRegex("no warp can make progress at cycle [0-9]+, warps spin while nothing "
                           "changes\n"
                           "SM 1 warp 0 of CTA 1: .* spins on ATOMG.E.CAS.* which stays 0x1\n"
                           "SM 1 warp 1 of CTA 1: pc .*, waits for CTA barrier"));
}

TEST_F(Deadlock, LoopThatReadsNothingIsFound) {
  for (const Strings& rung : {Strings{"--functional"}, Strings{}}) {
    const Json j = launch("for_ever", 2, rung);
    EXPECT_EQ(j["status"], "deadlock");
    EXPECT_THAT(j.value("message", ""),
                ContainsRegex("warp 0[^\n]*: BRA 0x[0-9a-f]+ at pc 0x[0-9a-f]+ [^\n]*, spins "
                              "without reading memory"));
    if (rung.empty()) {
      EXPECT_THAT(j.value("message", ""),
                  HasSubstr("; 1 of 2 CTAs had started: the CTAs outside the sample are not "
                            "simulated, --chip or --functional runs them all"));
    }
  }
}

TEST_F(Deadlock, SharedMemoryAndStoresOfTheSameValueAreSeenThrough) {
  for (const Strings& rung : {Strings{"--functional"}, Strings{}}) {
    const Json j = launch("flag_in_shared", 1, rung);
    EXPECT_EQ(j["status"], "deadlock");
    EXPECT_THAT(j.value("message", ""),
                ContainsRegex("spins on LDS [^\n]*: shared address 0x0, which stays 0x0"));
  }
}

TEST_F(Deadlock, ProducersThatTakeLongAreNoDeadlock) {
  const Json functional = launch("chain", 4, {"--functional", "--arg", "n:int=1500000"});
  EXPECT_EQ(functional["status"], "ok") << functional.value("message", "");
  EXPECT_GT(functional["host"]["warp_insts"], 8'000'000);
  const Json timed = launch("chain", 3, {"--chip", "--arg", "n:int=200000"});
  EXPECT_EQ(timed["status"], "ok") << timed.value("message", "");
  EXPECT_GT(timed["cycles"], 4 * 262'144) << "longer than the watchdog waits";
}

TEST_F(Deadlock, WarpThatChangesMemoryKeepsTheOthersWaiting) {
  const Json functional = launch("counts", 1, {"--functional", "--arg", "n:int=400000"});
  EXPECT_EQ(functional["status"], "ok") << functional.value("message", "");
  const Json timed = launch("counts", 1, {"--arg", "n:int=1200"});
  EXPECT_EQ(timed["status"], "ok") << timed.value("message", "");
  EXPECT_GT(timed["cycles"], 2 * 262'144) << "longer than the watchdog waits";
}

TEST_F(Deadlock, LoopThatReadsTheClockEndsByItself) {
  const Json functional =
      launch("waits_by_the_clock", 1, {"--functional", "--arg", "n:int=5000000"});
  EXPECT_EQ(functional["status"], "ok") << functional.value("message", "");
  const Json timed = launch("waits_by_the_clock", 1, {"--arg", "n:int=600000"});
  EXPECT_EQ(timed["status"], "ok") << timed.value("message", "");
}

} // namespace
} // namespace coulomb::e2e
