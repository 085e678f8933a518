// SPDX-License-Identifier: Apache-2.0
#include "tests/component/fake_gpu/fake_cuda.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace coulomb::fake {
namespace {

using hw::abi::DevicePointer;
using hw::abi::Event;
using hw::abi::Function;

class FakeCudaClock : public FakeCudaTest {
protected:
  void start_saxpy() {
    start();
    saxpy_ = load(cubin("saxpy-sm_80-0.cubin"), "saxpy_kernel");
    x_ = upload(std::vector<float>(Saxpy::kCount, 1.0F));
    y_ = upload(std::vector<float>(Saxpy::kCount));
    ASSERT_EQ(cu_.event_create(&before_, 0), 0);
    ASSERT_EQ(cu_.event_create(&after_, 0), 0);
  }
  void launch_saxpy() {
    ASSERT_EQ(launch(saxpy_, Saxpy::kGrid, Saxpy::kBlock, Saxpy::kCount, Saxpy::kAlpha, x_, y_), 0);
  }
  /// Microseconds of `launches` launches.
  double time(int launches) {
    EXPECT_EQ(cu_.event_record(before_, nullptr), 0);
    for (int i = 0; i < launches; ++i) {
      launch_saxpy();
    }
    EXPECT_EQ(cu_.event_record(after_, nullptr), 0);
    EXPECT_EQ(cu_.event_synchronize(after_), 0);
    float ms = 0;
    EXPECT_EQ(cu_.event_elapsed(&ms, before_, after_), 0);
    return static_cast<double>(ms) * 1e3;
  }

  Function saxpy_ = nullptr;
  DevicePointer x_ = 0;
  DevicePointer y_ = 0;
  Event before_ = nullptr;
  Event after_ = nullptr;
};

TEST_F(FakeCudaClock, KnowsNoTimeBeforeTheCallerWaited) {
  start_saxpy();
  float ms = 0;
  EXPECT_EQ(cu_.event_elapsed(&ms, before_, after_), 400) << "not recorded";
  ASSERT_EQ(cu_.event_record(before_, nullptr), 0);
  launch_saxpy();
  ASSERT_EQ(cu_.event_record(after_, nullptr), 0);
  EXPECT_EQ(cu_.event_elapsed(&ms, before_, after_), hw::abi::kNotReady);
  ASSERT_EQ(cu_.event_synchronize(after_), 0);
  EXPECT_EQ(cu_.event_elapsed(&ms, before_, after_), 0);
  EXPECT_EQ(cu_.event_destroy(after_), 0);
  EXPECT_EQ(cu_.event_elapsed(&ms, before_, after_), 400);
}

TEST_F(FakeCudaClock, TimesAreOverheadPlusInstructionsOverTheRate) {
  options_.set("FAKE_CUDA_JITTER", "0");
  options_.set("FAKE_CUDA_FIRST_US", "0");
  options_.set("FAKE_CUDA_RATE", "1e6"); // an instruction a microsecond
  start_saxpy();
  const double one = time(1);
  EXPECT_NEAR(std::fmod(one + 0.01, 1.024), 0.01, 0.01) << "events are 1.024 us apart";
  const double thousand = time(100) / 100;
  EXPECT_NEAR(one, thousand, 1.024);
  // 40 warps, each with more than ten and less than a hundred instructions, and 2.2 us.
  EXPECT_GT(thousand, 2.2 + 40 * 10);
  EXPECT_LT(thousand, 2.2 + 40 * 100);
}

TEST_F(FakeCudaClock, TheFirstLaunchOfAFunctionTakesLonger) {
  options_.set("FAKE_CUDA_JITTER", "0");
  options_.set("FAKE_CUDA_FIRST_US", "500");
  start_saxpy();
  const double first = time(1);
  EXPECT_NEAR(first, time(1) + 500, 1.1);
}

TEST_F(FakeCudaClock, SlowsDownWhereItIsTold) {
  options_.set("FAKE_CUDA_JITTER", "0");
  options_.set("FAKE_CUDA_FIRST_US", "0");
  options_.set("FAKE_CUDA_TIME_SCALE", "100");
  options_.set("FAKE_CUDA_SLOW", "1.5@3");
  start_saxpy();
  const double before = time(2) / 2;
  EXPECT_NEAR(time(2) / 2, 1.5 * before, 1.1);
}

TEST_F(FakeCudaClock, JitterHasARightTailAndIsTheSameInEveryRun) {
  options_.set("FAKE_CUDA_EXECUTE", "first");
  options_.set("FAKE_CUDA_TIME_SCALE", "1000");
  const auto sample = [&] {
    start_saxpy();
    (void)time(1);
    std::vector<double> times;
    for (int i = 0; i < 500; ++i) {
      times.push_back(time(1));
    }
    library_.reset();
    return times;
  };
  std::vector<double> times = sample();
  EXPECT_EQ(times, sample());
  std::sort(times.begin(), times.end());
  const double median = times[250];
  EXPECT_LT(median - times.front(), 0.003 * median);
  EXPECT_GT(times.back() - median, 0.02 * median);
}

TEST_F(FakeCudaClock, CanLetRealTimePass) {
  options_.set("FAKE_CUDA_JITTER", "0");
  options_.set("FAKE_CUDA_TIME_SCALE", "40000"); // 2.2 us become 88 ms
  options_.set("FAKE_CUDA_REAL_TIME", "0.5");
  start_saxpy();
  const auto begin = std::chrono::steady_clock::now();
  const double us = time(1);
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - begin;
  EXPECT_GT(us, 88'000.0);
  EXPECT_GT(passed.count(), 0.5 * 88'000.0);
}

TEST_F(FakeCudaClock, CanSkipRepetitions) {
  options_.set("FAKE_CUDA_EXECUTE", "first");
  start_saxpy();
  launch_saxpy();
  launch_saxpy();
  EXPECT_EQ(download<float>(y_, 1)[0], 2.5F) << "executed once";
  const int less = Saxpy::kCount - 1;
  ASSERT_EQ(launch(saxpy_, Saxpy::kGrid, Saxpy::kBlock, less, Saxpy::kAlpha, x_, y_), 0);
  EXPECT_EQ(download<float>(y_, 1)[0], 5.0F) << "other arguments";
}

TEST_F(FakeCudaClock, CanExecuteAPartOfTheGrid) {
  options_.set("FAKE_CUDA_CTAS", "2");
  start_saxpy();
  launch_saxpy();
  const std::vector<float> y = download<float>(y_, Saxpy::kCount);
  EXPECT_EQ(y[2047], 2.5F);
  EXPECT_EQ(y[2048], 0.0F);
}

} // namespace
} // namespace coulomb::fake
