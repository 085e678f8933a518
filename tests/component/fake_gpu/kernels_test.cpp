// SPDX-License-Identifier: Apache-2.0
//
// What no stored cubin shows: variables of several modules, kernels that print, trap, assert or
// never end. Needs NVRTC.
#include "base/error.hpp"
#include "hw/toolchain/compiler.hpp"
#include "tests/component/fake_gpu/fake_cuda.hpp"

#include <csignal>
#include <filesystem>
#include <sys/time.h>

namespace coulomb::fake {
namespace {

using hw::abi::DevicePointer;
using hw::abi::Function;
using hw::abi::Module;

constexpr const char* kSource = R"(
__device__ int total = START;
__device__ int* where = &total;
__constant__ int step = 5;
extern "C" __global__ void add() { *where += step; }
extern "C" __global__ void hello() { printf("thread %d\n", threadIdx.x); }
extern "C" __global__ void stop() { __trap(); }
extern "C" __global__ void claim(int n) { assert(n == 1); }
extern "C" __global__ void spin(volatile int* flag) { while (*flag == 0) {} }
)";

/// Compiles before the fake driver is loaded: NVRTC would keep it loaded, and the next test would
/// find its state.
class FakeCudaKernels : public FakeCudaTest {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "coulomb-fake-gpu-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    try {
      (void)compiler_.nvrtc();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
    write_file_atomically(directory_ + "/kernels.cu",
                          std::string("#include <cassert>\n") + kSource);
    image_ = compile(100);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string compile(int total) {
    eval::CompileRequest request;
    request.source_path = directory_ + "/kernels.cu";
    request.kernel_name = "add";
    request.architecture = "sm_80";
    request.options = {"-DSTART=" + std::to_string(total)};
    request.cache_dir = directory_;
    const eval::CompileOutcome outcome = compiler_.compile(request);
    EXPECT_EQ(outcome.status, eval::EvalStatus::ok) << outcome.log;
    return read_file(outcome.cubin_path);
  }
  Function function(const char* name) { return load(image_, name); }

  std::string directory_;
  std::string image_;
  toolchain::Compiler compiler_;
};

using FakeCudaKernelsDeathTest = FakeCudaKernels;

TEST_F(FakeCudaKernels, EachModuleHasItsOwnVariables) {
  const std::string images[] = {image_, compile(200)};
  start();
  Module modules[2] = {};
  DevicePointer totals[2] = {};
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cu_.module_load(&modules[i], images[i].data()), 0);
    std::size_t bytes = 0;
    ASSERT_EQ(cu_.module_global(&totals[i], &bytes, modules[i], "total"), 0);
    EXPECT_EQ(bytes, 4U);
  }
  DevicePointer step = 0;
  ASSERT_EQ(cu_.module_global(&step, nullptr, modules[1], "step"), 0);
  const int seven = 7;
  ASSERT_EQ(cu_.to_device(step, &seven, sizeof seven), 0);
  for (int i = 0; i < 2; ++i) {
    Function add = nullptr;
    ASSERT_EQ(cu_.module_function(&add, modules[i], "add"), 0);
    EXPECT_EQ(launch(add, 1, 1), 0);
    EXPECT_EQ(launch(add, 1, 1), 0);
  }
  EXPECT_EQ(download<int>(totals[0], 1)[0], 110);
  EXPECT_EQ(download<int>(totals[1], 1)[0], 214);
}

TEST_F(FakeCudaKernels, PrintsWhenTheHostWaits) {
  start();
  const Function hello = function("hello");
  testing::internal::CaptureStdout();
  EXPECT_EQ(launch(hello, 1, 2), 0);
  EXPECT_EQ(cu_.context_synchronize(), 0);
  EXPECT_EQ(cu_.context_synchronize(), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 0\nthread 1\n");
}

TEST_F(FakeCudaKernels, ATrapIsALaunchFailure) {
  start();
  EXPECT_EQ(launch(function("stop"), 1, 1), 0);
  EXPECT_EQ(cu_.context_synchronize(), hw::abi::kLaunchFailed);
}

TEST_F(FakeCudaKernels, AnAssertionHasItsOwnError) {
  start();
  const Function claim = function("claim");
  EXPECT_EQ(launch(claim, 1, 1, 1), 0);
  EXPECT_EQ(cu_.context_synchronize(), 0);
  testing::internal::CaptureStdout();
  EXPECT_EQ(launch(claim, 1, 1, 2), 0);
  EXPECT_EQ(cu_.context_synchronize(), hw::abi::kAssert);
  EXPECT_THAT(testing::internal::GetCapturedStdout(),
              testing::HasSubstr("`n == 1` failed, block (0,0,0), thread (0,0,0)"));
}

TEST_F(FakeCudaKernels, AWatchdogEndsAKernelThatNeverDoes) {
  options_.set("FAKE_CUDA_WATCHDOG", "1e6");
  start();
  const DevicePointer flag = upload(std::vector<int>{0});
  EXPECT_EQ(launch(function("spin"), 1, 1, flag), 0);
  EXPECT_EQ(cu_.context_synchronize(), hw::abi::kLaunchTimeout);
}

TEST_F(FakeCudaKernelsDeathTest, WithoutAWatchdogTheWaitNeverReturns) {
  start();
  const DevicePointer flag = upload(std::vector<int>{0});
  EXPECT_EQ(launch(function("spin"), 1, 1, flag), 0) << "the launch itself does";
  EXPECT_EXIT(
      {
        itimerval timer{};
        timer.it_value.tv_usec = 200'000;
        ::setitimer(ITIMER_REAL, &timer, nullptr);
        (void)cu_.context_synchronize();
      },
      testing::KilledBySignal(SIGALRM), "");
}

} // namespace
} // namespace coulomb::fake
