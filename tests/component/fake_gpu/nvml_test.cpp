// SPDX-License-Identifier: Apache-2.0
#include "hw/nvml/nvml_abi.hpp"
#include "tests/component/fake_gpu/fake_cuda.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

namespace coulomb::fake {
namespace {

namespace nvml = hw::nvml_abi;

/// The fake NVML, loaded as the product loads the real one.
class FakeNvml : public testing::Test {
protected:
  void open() {
    std::string why;
    library_ = hw::SharedLibrary::open({COULOMB_BINARY_DIR "/fake_gpu/libnvidia-ml.so.1"}, why);
    ASSERT_TRUE(library_) << why;
#define FAKE_NVML_RESOLVE(member, name, ...)                                                       \
  nvml_.member = library_->function<nvml::Functions::member##_signature>(name);                    \
  ASSERT_NE(nvml_.member, nullptr) << name;
    COULOMB_NVML_FUNCTIONS(FAKE_NVML_RESOLVE)
#undef FAKE_NVML_RESOLVE
  }
  void start() {
    open();
    ASSERT_EQ(nvml_.init(), 0);
    ASSERT_EQ(nvml_.device_by_pci("0000:07:00.0", &device_), 0);
  }
  unsigned clock(int type = nvml::kClockSm) {
    unsigned mhz = 0;
    EXPECT_EQ(nvml_.clock(device_, type, &mhz), 0);
    return mhz;
  }
  std::string state_file(const std::string& name) {
    const std::string path = testing::TempDir() + "coulomb-fake-nvml-" + name;
    ::unlink(path.c_str());
    options_.set("FAKE_NVML_STATE", path);
    return path;
  }

  Options options_;
  std::optional<hw::SharedLibrary> library_;
  nvml::Functions nvml_;
  nvml::Device device_ = nullptr;
};

TEST_F(FakeNvml, FindsTheBoardsThatTheDriverHas) {
  options_.set("FAKE_GPU_COUNT", "2");
  open();
  EXPECT_EQ(nvml_.device_by_pci("0000:07:00.0", &device_), nvml::kUninitialized);
  ASSERT_EQ(nvml_.init(), 0);
  EXPECT_EQ(nvml_.device_by_pci("0000:07:00.0", &device_), 0);
  EXPECT_EQ(nvml_.device_by_pci("00000000:0F:00.0", &device_), 0);
  EXPECT_EQ(nvml_.device_by_pci("0000:08:00.0", &device_), nvml::kNotFound);
  EXPECT_EQ(nvml_.clock(nullptr, nvml::kClockSm, nullptr), nvml::kInvalidArgument);
  EXPECT_EQ(nvml_.shutdown(), 0);
  EXPECT_EQ(nvml_.shutdown(), nvml::kUninitialized);
}

TEST_F(FakeNvml, AnswersWhatTheOptionsSay) {
  options_.set("FAKE_NVML_CLOCKS", "1410,1395");
  options_.set("FAKE_NVML_TEMPERATURE", "41,42,43");
  options_.set("FAKE_NVML_THROTTLE", "0x4@2,8@3");
  options_.set("FAKE_NVML_UTILIZATION", "97");
  options_.set("FAKE_NVML_PERSISTENCE", "off");
  start();
  EXPECT_EQ(clock(), 1410U);
  EXPECT_EQ(clock(), 1395U);
  EXPECT_EQ(clock(), 1410U);
  EXPECT_EQ(clock(nvml::kClockMemory), 1215U);
  unsigned value = 0;
  EXPECT_EQ(nvml_.max_clock(device_, nvml::kClockSm, &value), 0);
  EXPECT_EQ(value, 1410U);
  EXPECT_EQ(nvml_.temperature(device_, nvml::kTemperatureGpu, &value), 0);
  EXPECT_EQ(value, 41U);
  EXPECT_EQ(nvml_.temperature(device_, nvml::kTemperatureGpu, &value), 0);
  EXPECT_EQ(value, 42U);
  EXPECT_EQ(nvml_.power_limit_milliwatts(device_, &value), 0);
  EXPECT_EQ(value, 400'000U);
  for (const unsigned long long expected : {0x0ULL, 0x4ULL, 0xcULL, 0xcULL}) {
    unsigned long long reasons = 0;
    EXPECT_EQ(nvml_.throttle_reasons(device_, &reasons), 0);
    EXPECT_EQ(reasons, expected);
  }
  nvml::Utilization rates{};
  EXPECT_EQ(nvml_.utilization(device_, &rates), 0);
  EXPECT_EQ(rates.gpu, 97U);
  int on = 1;
  EXPECT_EQ(nvml_.persistence_mode(device_, &on), 0);
  EXPECT_EQ(on, 0);
  char version[32];
  EXPECT_EQ(nvml_.driver_version(version, sizeof version), 0);
  EXPECT_STREQ(version, "580.65.06");
  EXPECT_EQ(nvml_.driver_version(version, 4), 7);
  EXPECT_STREQ(nvml_.error_string(nvml::kNoPermission), "Insufficient Permissions");
}

TEST_F(FakeNvml, PowerRisesFromTheFirstReadingOn) {
  options_.set("FAKE_NVML_POWER", "60000,300000,0.01");
  start();
  unsigned first = 0;
  EXPECT_EQ(nvml_.power_milliwatts(device_, &first), 0);
  EXPECT_EQ(first, 60'000U);
  ::usleep(100'000); // ten time constants
  unsigned later = 0;
  EXPECT_EQ(nvml_.power_milliwatts(device_, &later), 0);
  EXPECT_GT(later, 299'900U);
  EXPECT_LE(later, 300'000U);
}

TEST_F(FakeNvml, LockedClocksOutliveTheProcessThatLockedThem) {
  const std::string state = state_file("killed");
  const pid_t child = ::fork();
  if (child == 0) {
    start();
    ::_exit(nvml_.set_gpu_locked_clocks(device_, 1200, 1200) == 0 && ::raise(SIGKILL) == 0 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_file(state), "locked 1200 1200\n");
  start();
  EXPECT_EQ(clock(), 1200U) << "the board's state, not the process's";
  EXPECT_EQ(nvml_.set_gpu_locked_clocks(device_, 1300, 9999), nvml::kInvalidArgument);
  EXPECT_EQ(nvml_.reset_gpu_locked_clocks(device_), 0);
  EXPECT_EQ(read_file(state), "unlocked\n");
  EXPECT_EQ(clock(), 1410U);
}

TEST_F(FakeNvml, RefusesToLockWithoutPermission) {
  const std::string state = state_file("permission");
  options_.set("FAKE_NVML_FAIL", "nvmlDeviceSetGpuLockedClocks=permission");
  start();
  EXPECT_EQ(nvml_.set_gpu_locked_clocks(device_, 1200, 1200), nvml::kNoPermission);
  EXPECT_NE(::access(state.c_str(), F_OK), 0);
}

TEST_F(FakeNvml, ALostBoardStaysLost) {
  options_.set("FAKE_NVML_FAIL", "nvmlDeviceGetTemperature=lost@2");
  start();
  unsigned value = 0;
  EXPECT_EQ(nvml_.temperature(device_, nvml::kTemperatureGpu, &value), 0);
  EXPECT_EQ(nvml_.temperature(device_, nvml::kTemperatureGpu, &value), nvml::kGpuIsLost);
  EXPECT_EQ(nvml_.power_milliwatts(device_, &value), nvml::kGpuIsLost);
  EXPECT_EQ(nvml_.shutdown(), 0);
}

TEST_F(FakeNvml, IsNotThereWithoutADriver) {
  options_.set("FAKE_NVML_FAIL", "nvmlInit_v2=unloaded");
  open();
  EXPECT_EQ(nvml_.init(), nvml::kDriverNotLoaded);
}

} // namespace
} // namespace coulomb::fake
