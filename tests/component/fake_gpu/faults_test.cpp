// SPDX-License-Identifier: Apache-2.0
#include "tests/component/fake_gpu/fake_cuda.hpp"

#include <csignal>
#include <sys/time.h>

namespace coulomb::fake {
namespace {

using hw::abi::DevicePointer;
using hw::abi::Function;
using testing::HasSubstr;

class FakeCudaFaults : public FakeCudaTest {
protected:
  void start_saxpy() {
    start();
    saxpy_ = load(cubin("saxpy-sm_80-0.cubin"), "saxpy_kernel");
    x_ = upload(std::vector<float>(Saxpy::kCount));
    y_ = upload(std::vector<float>(Saxpy::kCount));
  }
  hw::abi::Result launch_saxpy(DevicePointer y) {
    return launch(saxpy_, Saxpy::kGrid, Saxpy::kBlock, Saxpy::kCount, Saxpy::kAlpha, x_, y);
  }
  std::string log_file(const std::string& name) {
    const std::string path = testing::TempDir() + "coulomb-fake-" + name + ".log";
    ::unlink(path.c_str());
    options_.set("FAKE_CUDA_LOG", path);
    return path;
  }

  Function saxpy_ = nullptr;
  DevicePointer x_ = 0;
  DevicePointer y_ = 0;
};

using FakeCudaFaultsDeathTest = FakeCudaFaults;

/// Ends the process by SIGALRM: what a call that hangs is known by.
void alarm_soon() {
  itimerval timer{};
  timer.it_value.tv_usec = 200'000;
  ::setitimer(ITIMER_REAL, &timer, nullptr);
}

TEST_F(FakeCudaFaults, AnswersAtTheCallThatItIsTold) {
  options_.set("FAKE_CUDA_FAIL", "cuMemAlloc_v2=oom@2,cuEventCreate=999@2+");
  start();
  DevicePointer address = 0;
  EXPECT_EQ(cu_.allocate(&address, 4), 0);
  EXPECT_EQ(cu_.allocate(&address, 4), hw::abi::kOutOfMemory);
  EXPECT_EQ(cu_.allocate(&address, 4), 0);
  hw::abi::Event event = nullptr;
  EXPECT_EQ(cu_.event_create(&event, 0), 0);
  EXPECT_EQ(cu_.event_create(&event, 0), 999);
  EXPECT_EQ(cu_.event_create(&event, 0), 999);
}

TEST_F(FakeCudaFaults, FailsEveryCallWithoutANumber) {
  options_.set("FAKE_CUDA_FAIL", "cuInit=803");
  open();
  EXPECT_EQ(cu_.init(0), hw::abi::kSystemDriverMismatch);
  EXPECT_EQ(cu_.init(0), hw::abi::kSystemDriverMismatch);
}

TEST_F(FakeCudaFaults, AnIllegalAddressShowsAtTheNextWaitAndStays) {
  const std::string log = log_file("illegal");
  start_saxpy();
  ASSERT_EQ(cu_.release(y_), 0);
  EXPECT_EQ(launch_saxpy(y_), 0) << "a launch does not wait";
  EXPECT_EQ(launch_saxpy(y_), 0);
  EXPECT_EQ(cu_.context_synchronize(), hw::abi::kIllegalAddress);
  DevicePointer address = 0;
  EXPECT_EQ(cu_.allocate(&address, 4), hw::abi::kIllegalAddress);
  EXPECT_EQ(launch_saxpy(y_), hw::abi::kIllegalAddress);
  EXPECT_EQ(cu_.context_release(0), hw::abi::kIllegalAddress);
  int value = 0;
  EXPECT_EQ(cu_.device_attribute(&value, hw::abi::kWarpSize, 0), 0) << "asks nothing of the GPU";
  EXPECT_THAT(read_file(log),
              HasSubstr("cuLaunchKernel\n# 700: illegal access: 16 bytes at global address"));
}

TEST_F(FakeCudaFaults, AMisalignedAddressIsAnotherError) {
  start_saxpy();
  EXPECT_EQ(launch_saxpy(y_ + 4), 0);
  EXPECT_EQ(cu_.context_synchronize(), hw::abi::kMisalignedAddress);
}

TEST_F(FakeCudaFaults, APlannedStickyErrorStays) {
  options_.set("FAKE_CUDA_FAIL", "cuCtxSynchronize=ecc@2");
  start();
  EXPECT_EQ(cu_.context_synchronize(), 0);
  EXPECT_EQ(cu_.context_synchronize(), hw::abi::kEccUncorrectable);
  EXPECT_EQ(cu_.context_synchronize(), hw::abi::kEccUncorrectable);
}

TEST_F(FakeCudaFaults, TooManyResourcesDoNotStay) {
  options_.set("FAKE_CUDA_FAIL", "cuLaunchKernel=701@1");
  start_saxpy();
  EXPECT_EQ(launch_saxpy(y_), hw::abi::kLaunchOutOfResources);
  EXPECT_EQ(launch_saxpy(y_), 0);
  EXPECT_EQ(cu_.context_synchronize(), 0);
}

TEST_F(FakeCudaFaults, AWatchdogEndsALongKernel) {
  options_.set("FAKE_CUDA_WATCHDOG", "100");
  start_saxpy();
  int on = 0;
  EXPECT_EQ(cu_.device_attribute(&on, hw::abi::kKernelExecTimeout, 0), 0);
  EXPECT_EQ(on, 1);
  EXPECT_EQ(launch_saxpy(y_), 0);
  EXPECT_EQ(cu_.context_synchronize(), hw::abi::kLaunchTimeout);
}

TEST_F(FakeCudaFaults, LogsEachCall) {
  const std::string log = log_file("calls");
  options_.set("FAKE_CUDA_FAIL", "any=2@3");
  open();
  int value = 0;
  EXPECT_EQ(cu_.driver_version(&value), 0);
  EXPECT_EQ(value, 13000);
  EXPECT_EQ(cu_.init(0), 0);
  EXPECT_EQ(cu_.device_count(&value), 2);
  EXPECT_EQ(read_file(log), "cuDriverGetVersion\ncuInit\ncuDeviceGetCount\n");
}

TEST_F(FakeCudaFaults, ConcernTheProcessThatIsNamed) {
  options_.set("FAKE_GPU_PROCESS", "coulomb-device-worker");
  options_.set("FAKE_CUDA_FAIL", "cuInit=crash");
  open();
  EXPECT_EQ(cu_.init(0), 0);
}

TEST_F(FakeCudaFaults, CanHappenOnceInAllProcesses) {
  const std::string once = testing::TempDir() + "coulomb-fake-once";
  ::unlink(once.c_str());
  options_.set("FAKE_GPU_ONCE", once);
  options_.set("FAKE_CUDA_FAIL", "cuInit=999");
  open();
  EXPECT_EQ(cu_.init(0), 999);
  EXPECT_EQ(cu_.init(0), 0);
  library_.reset(); // as a worker that is started again
  open();
  EXPECT_EQ(cu_.init(0), 0);
}

TEST_F(FakeCudaFaultsDeathTest, CrashesWhereItIsTold) {
  options_.set("FAKE_CUDA_FAIL", "cuInit=crash");
  open();
  EXPECT_EXIT((void)cu_.init(0), testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(FakeCudaFaultsDeathTest, HangsWhereItIsTold) {
  options_.set("FAKE_CUDA_FAIL", "cuLaunchKernel=hang@2");
  start_saxpy();
  EXPECT_EQ(launch_saxpy(y_), 0);
  EXPECT_EXIT(
      {
        alarm_soon();
        (void)launch_saxpy(y_);
      },
      testing::KilledBySignal(SIGALRM), "");
}

TEST_F(FakeCudaFaultsDeathTest, RefusesOptionsThatMeanNothing) {
  open();
  const std::pair<const char*, const char*> cases[] = {
      {"cuMalloc=2", "fake GPU: FAKE_CUDA_FAIL: there is no function cuMalloc"},
      {"cuMemAlloc_v2", "FAKE_CUDA_FAIL: \"cuMemAlloc_v2\" is not FUNCTION=RESULT"},
      {"cuMemAlloc_v2=never", "FAKE_CUDA_FAIL: \"never\" is not a number"}};
  for (const auto& [value, message] : cases) {
    options_.set("FAKE_CUDA_FAIL", value);
    EXPECT_DEATH((void)cu_.init(0), HasSubstr(message));
  }
}

} // namespace
} // namespace coulomb::fake
