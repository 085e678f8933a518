// SPDX-License-Identifier: Apache-2.0
#include "base/config/gpu_catalogue.hpp"
#include "sim/timing/gpu/footprint.hpp"
#include "sim/timing/gpu/work_profile.hpp"

#include "sim/isa/cubin.hpp"

#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace coulomb::timing::gpu {
namespace {

/// saxpy's stored cubin over `n` elements, whatever the grid.
class Saxpy {
public:
  Saxpy(std::uint32_t ctas, std::int32_t n)
      : cubin_(isa::Cubin::load(std::string(COULOMB_SOURCE_DIR) +
                                "/data/cubins/saxpy-sm_80-0.cubin")) {
    const isa::KernelImage& image = cubin_.kernels.front();
    std::vector<std::uint8_t> parameters(image.parameter_bytes);
    for (const isa::KernelParameter& p : image.parameters) {
      if (p.size == 8) {
        const std::uint64_t address = memory_.allocate("buffer", std::uint64_t{1} << 20);
        std::memcpy(parameters.data() + p.offset, &address, sizeof address);
      } else {
        std::memcpy(parameters.data() + p.offset, &n, sizeof n);
      }
    }
    kernel_ = std::make_unique<functional::ExecutableKernel>(cubin_, image, Dim3{ctas, 1, 1},
                                                             Dim3{256, 1, 1}, 0, parameters, 108);
  }
  WorkProfile profile(std::uint64_t ctas) { return profile_work(*kernel_, memory_, ctas); }
  Footprint footprint(const config::GpuConfig& gpu, std::uint64_t ctas) {
    return probe_footprint(gpu, *kernel_, memory_, {ctas, 0, {}, 0.0}, 1'000'000);
  }

private:
  isa::Cubin cubin_;
  functional::GlobalMemory memory_;
  std::unique_ptr<functional::ExecutableKernel> kernel_;
};

TEST(WorkProfile, OfAUniformGridKeepsNoList) {
  const WorkProfile profile = Saxpy(64, 1 << 18).profile(64);
  EXPECT_EQ(profile.ctas, 64U);
  EXPECT_EQ(profile.idle, 0U);
  EXPECT_TRUE(profile.working.empty());
  EXPECT_EQ(profile.id(17), 17U);
}

TEST(Footprint, IsWhatOneCtaTouches) {
  const auto gpu = config::load_gpu("a100-pcie-40gb").config;
  const Footprint one = Saxpy(64, 1 << 18).footprint(gpu, 64);
  ASSERT_EQ(one.buffers.size(), 2U); // 1,024 elements of 4 bytes of x and y
  EXPECT_DOUBLE_EQ(one.buffers[0].read_sectors, 128.0);
  EXPECT_DOUBLE_EQ(one.buffers[0].written_sectors, 0.0);
  EXPECT_DOUBLE_EQ(one.buffers[1].read_sectors, 128.0);
  EXPECT_DOUBLE_EQ(one.buffers[1].written_sectors, 128.0);
  EXPECT_GT(one.instructions, 8.0);           // of 8 warps
  EXPECT_DOUBLE_EQ(one.neighbour_share, 0.0); // a stretch of 2 lines is all its own
}

TEST(Footprint, NeighboursShareTheStretchesOfLongRows) {
  auto gpu = config::load_gpu("a100-pcie-40gb").config;
  gpu.dram.row_bytes = 65536; // a stretch is a quarter: 128 lines, of which a CTA has 32
  EXPECT_DOUBLE_EQ(Saxpy(64, 1 << 18).footprint(gpu, 64).neighbour_share, 0.75);
}

} // namespace
} // namespace coulomb::timing::gpu
