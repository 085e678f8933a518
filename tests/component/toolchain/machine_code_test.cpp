// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/machine_code.hpp"

#include "tests/component/toolchain/toolchain_fixture.hpp"

namespace coulomb::toolchain {
namespace {

using MachineCodeWithNvrtc = NvrtcTest;

TEST_F(MachineCodeWithNvrtc, HashIsOfTheCodeNotOfNamesAndFiles) {
  NvrtcJob job;
  job.source = "extern \"C\" __global__ void one(int* x) { x[0] = 1; }\n"
               "extern \"C\" __global__ void same(int* x) { x[0] = 1; }\n"
               "extern \"C\" __global__ void two(int* x) { x[0] = 2; }\n"
               "__constant__ int table[4];\n"
               "extern \"C\" __global__ void big(int* x, int* y) { x[0] = table[1]; }\n";
  job.name = "x.cu";
  job.options = {"--gpu-architecture=sm_86"};
  const std::string cubin = nvrtc_->compile(job).cubin;
  EXPECT_THAT(kernel_symbols(cubin), testing::UnorderedElementsAre("one", "same", "two", "big"));
  EXPECT_EQ(machine_code_hash(cubin, "one"), machine_code_hash(cubin, "same"));
  EXPECT_NE(machine_code_hash(cubin, "one"), machine_code_hash(cubin, "two"));
  EXPECT_NE(machine_code_hash(cubin, "one"), machine_code_hash(cubin, "big"));
  EXPECT_EQ(machine_code_hash(cubin, "none"), "");
}

TEST_F(MachineCodeWithNvrtc, ADamagedCubinHasNoKernels) {
  NvrtcJob job;
  job.source = "extern \"C\" __global__ void one(int* x) { x[0] = 1; }\n";
  job.name = "x.cu";
  job.options = {"--gpu-architecture=sm_86"};
  const std::string cubin = nvrtc_->compile(job).cubin;
  ASSERT_FALSE(machine_code_hash(cubin, "one").empty());
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{3}, std::size_t{63}, std::size_t{64}, cubin.size() / 2}) {
    EXPECT_EQ(machine_code_hash(cubin.substr(0, size), "one"), "") << size;
  }
  // Any header byte may be wrong; none may lead outside the file.
  for (std::size_t i = 0; i < 64; ++i) {
    std::string damaged = cubin;
    damaged[i] = static_cast<char>(~damaged[i]);
    (void)machine_code_hash(damaged, "one");
    (void)kernel_symbols(damaged);
  }
}

TEST(FindSymbol, PrefersTheNameItselfAndRefusesAChoice) {
  EXPECT_EQ(find_symbol({"_Z5saxpyi", "saxpy"}, "saxpy"), "saxpy");
  EXPECT_EQ(find_symbol({"_Z5saxpyi", "_Z5scalef"}, "saxpy"), "_Z5saxpyi");
  EXPECT_EQ(find_symbol({"_Z5saxpyi", "_Z5saxpyf"}, "saxpy"), "");
  EXPECT_EQ(find_symbol({"_Z4fillILi7EEvPi"}, "fill<7>"), "_Z4fillILi7EEvPi");
  EXPECT_EQ(find_symbol({}, "saxpy"), "");
}

} // namespace
} // namespace coulomb::toolchain
