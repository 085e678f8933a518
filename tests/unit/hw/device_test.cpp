// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"
#include "hw/cuda/driver.hpp"
#include "hw/device/doctor.hpp"
#include "hw/device/output_sample.hpp"
#include "hw/device/power_sensor.hpp"
#include "hw/nvml/nvml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace coulomb::hw {
namespace {

using testing::ElementsAre;

TEST(GpuId, IsTheNameOfTheGpuFile) {
  EXPECT_EQ(gpu_id_of("NVIDIA GeForce RTX 3090"), "rtx-3090");
  EXPECT_EQ(gpu_id_of("NVIDIA A100-SXM4-40GB"), "a100-sxm4-40gb");
  EXPECT_EQ(gpu_id_of("NVIDIA A100-PCIE-40GB"), "a100-pcie-40gb");
  EXPECT_EQ(gpu_id_of("NVIDIA RTX A6000"), "rtx-a6000");
}

TEST(CudaFate, SaysWhoIsAtFaultAndWhetherTheProcessIsLost) {
  const CudaFate memory = fate_of(abi::kOutOfMemory);
  EXPECT_EQ(memory.status, eval::EvalStatus::launch_invalid);
  EXPECT_FALSE(memory.sticky);
  const CudaFate address = fate_of(abi::kIllegalAddress);
  EXPECT_EQ(address.status, eval::EvalStatus::crashed);
  EXPECT_TRUE(address.sticky);
  EXPECT_FALSE(address.device);
  EXPECT_TRUE(fate_of(abi::kEccUncorrectable).device);
  EXPECT_EQ(fate_of(abi::kLaunchTimeout).status, eval::EvalStatus::timeout);
}

TEST(CudaFate, AnUnknownErrorIsTheDevices) {
  EXPECT_TRUE(fate_of(12345).device);
  EXPECT_TRUE(fate_of(12345).sticky);
}

TEST(CheckedElements, AreAllOfASmallOutput) {
  EXPECT_THAT(checked_elements(3), ElementsAre(0, 1, 2));
  EXPECT_EQ(checked_elements(65536).size(), 65536U);
}

TEST(CheckedElements, OfALargeOutputAreSpreadWithBothEndsAndAscend) {
  constexpr std::uint64_t kCount = 16'777'217;
  const auto elements = checked_elements(kCount);
  EXPECT_EQ(elements.size(), 65536U);
  EXPECT_EQ(elements.front(), 0U);
  EXPECT_EQ(elements.back(), kCount - 1);
  EXPECT_TRUE(std::is_sorted(elements.begin(), elements.end()));
  EXPECT_EQ(std::set<std::uint64_t>(elements.begin(), elements.end()).size(), elements.size());
  EXPECT_EQ(elements, checked_elements(kCount));
}

TEST(PowerWindow, IsTheBoardsOwnOrTheSlowestKnown) {
  const std::string table = COULOMB_SOURCE_DIR "/data/power/power_sensor.csv";
  EXPECT_EQ(power_window_ms(table, "NVIDIA A100-PCIE-40GB"), 53.0);
  EXPECT_EQ(power_window_ms(table, "NVIDIA GeForce RTX 3090"), 1000.0);
  EXPECT_EQ(power_window_ms(table, "NVIDIA GeForce RTX 9999"), 1000.0);
}

TEST(ThrottleWords, LeaveOutIdlenessAndClocksThatSomebodySet) {
  EXPECT_THAT(throttle_words(0x1 | 0x2 | 0x100), ElementsAre());
  EXPECT_THAT(throttle_words(0x4 | 0x40), ElementsAre("SW power cap", "HW thermal slowdown"));
}

} // namespace
} // namespace coulomb::hw
