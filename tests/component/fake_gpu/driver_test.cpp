// SPDX-License-Identifier: Apache-2.0
#include "tests/component/fake_gpu/fake_cuda.hpp"

namespace coulomb::fake {
namespace {

using hw::abi::DevicePointer;
using hw::abi::Function;
using hw::abi::Module;
using testing::HasSubstr;

using FakeCudaDriver = FakeCudaTest;

TEST_F(FakeCudaDriver, ExecutesTheCubinThatItIsGiven) {
  start();
  const Function saxpy = load(cubin("saxpy-sm_80-0.cubin"), "saxpy_kernel");
  std::vector<float> x(Saxpy::kCount);
  std::vector<float> y(Saxpy::kCount);
  for (int i = 0; i < Saxpy::kCount; ++i) {
    x[static_cast<std::size_t>(i)] = static_cast<float>(i);
    y[static_cast<std::size_t>(i)] = 0.5F;
  }
  const DevicePointer dx = upload(x);
  const DevicePointer dy = upload(y);
  ASSERT_EQ(launch(saxpy, Saxpy::kGrid, Saxpy::kBlock, Saxpy::kCount, Saxpy::kAlpha, dx, dy), 0);
  ASSERT_EQ(cu_.context_synchronize(), 0);
  const std::vector<float> result = download<float>(dy, y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_EQ(result[i], 2.5F * static_cast<float>(i) + 0.5F) << i;
  }
  // Again: the second launch sees what the first left.
  ASSERT_EQ(launch(saxpy, Saxpy::kGrid, Saxpy::kBlock, Saxpy::kCount, Saxpy::kAlpha, dx, dy), 0);
  EXPECT_EQ(download<float>(dy, y.size())[4999], 2 * 2.5F * 4999 + 0.5F);
}

TEST_F(FakeCudaDriver, CopiesFillsAndFreesDeviceMemory) {
  start();
  const DevicePointer a = upload(std::vector<int>{1, 2, 3, 4});
  EXPECT_EQ(cu_.fill(a + 8, 0xff, 4), 0);
  EXPECT_THAT(download<int>(a, 4), testing::ElementsAre(1, 2, -1, 4));
  EXPECT_EQ(cu_.fill(a + 8, 0, 12), hw::abi::kInvalidValue) << "past the end";
  EXPECT_EQ(cu_.release(a + 4), hw::abi::kInvalidValue) << "not the beginning";
  EXPECT_EQ(cu_.release(a), 0);
  EXPECT_EQ(cu_.fill(a, 0, 4), hw::abi::kInvalidValue) << "freed";
  EXPECT_EQ(cu_.release(a), hw::abi::kInvalidValue);
  EXPECT_EQ(cu_.release(0), 0);
}

TEST_F(FakeCudaDriver, RunsOutOfTheMemoryThatTheBoardHas) {
  options_.set("FAKE_CUDA_MEMORY", "1000000");
  start();
  std::size_t free = 0;
  std::size_t total = 0;
  DevicePointer a = 0;
  DevicePointer b = 0;
  EXPECT_EQ(cu_.allocate(&a, 600'000), 0);
  EXPECT_EQ(cu_.allocate(&b, 600'000), hw::abi::kOutOfMemory);
  EXPECT_EQ(cu_.memory_info(&free, &total), 0);
  EXPECT_EQ(total, 1'000'000U);
  EXPECT_EQ(free, 1'000'000U - 600'064U);
  EXPECT_EQ(cu_.release(a), 0);
  EXPECT_EQ(cu_.allocate(&b, 600'000), 0);
}

TEST_F(FakeCudaDriver, TellsABoardsProperties) {
  options_.set("FAKE_GPU", "rtx-3090");
  options_.set("FAKE_GPU_COUNT", "2");
  open();
  int value = 0;
  EXPECT_EQ(cu_.device_count(&value), hw::abi::kNotInitialized);
  ASSERT_EQ(cu_.init(0), 0);
  ASSERT_EQ(cu_.device_count(&value), 0);
  EXPECT_EQ(value, 2);
  hw::abi::Device device = -1;
  EXPECT_EQ(cu_.device(&device, 2), hw::abi::kInvalidDevice);
  ASSERT_EQ(cu_.device(&device, 1), 0);
  char text[64];
  ASSERT_EQ(cu_.device_name(text, sizeof text, device), 0);
  EXPECT_STREQ(text, "NVIDIA GeForce RTX 3090");
  ASSERT_EQ(cu_.device_name(text, 7, device), 0);
  EXPECT_STREQ(text, "NVIDIA");
  ASSERT_EQ(cu_.device_pci_bus_id(text, sizeof text, device), 0);
  EXPECT_STREQ(text, "0000:0f:00.0");
  const std::pair<int, int> expected[] = {
      {hw::abi::kComputeCapabilityMajor, 8}, {hw::abi::kComputeCapabilityMinor, 6},
      {hw::abi::kMultiprocessorCount, 82},   {hw::abi::kClockRateKhz, 1'695'000},
      {hw::abi::kKernelExecTimeout, 0},      {hw::abi::kMaxSharedMemoryPerBlockOptin, 101'376}};
  for (const auto& [attribute, wanted] : expected) {
    EXPECT_EQ(cu_.device_attribute(&value, attribute, device), 0);
    EXPECT_EQ(value, wanted) << attribute;
  }
  EXPECT_EQ(cu_.device_attribute(&value, 9999, device), hw::abi::kInvalidValue);
  const char* name = nullptr;
  EXPECT_EQ(cu_.error_name(700, &name), 0);
  EXPECT_STREQ(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(cu_.error_string(12345, &name), hw::abi::kInvalidValue);
}

TEST_F(FakeCudaDriver, HasNoDeviceWhereThereAreNone) {
  options_.set("FAKE_GPU_COUNT", "0");
  open();
  EXPECT_EQ(cu_.init(0), hw::abi::kNoDevice);
}

TEST_F(FakeCudaDriver, LoadsOnlyWhatTheBoardCanRun) {
  start(); // sm_80
  Module module = nullptr;
  Function function = nullptr;
  EXPECT_EQ(cu_.module_load(&module, cubin("saxpy-sm_86-0.cubin").data()),
            hw::abi::kNoBinaryForGpu);
  EXPECT_EQ(cu_.module_load(&module, std::string(4096, 'x').data()), hw::abi::kInvalidImage);
  EXPECT_EQ(cu_.module_load(&module, ".version 8.0\n.target sm_80\n"), 221);
  ASSERT_EQ(cu_.module_load(&module, cubin("saxpy-sm_80-0.cubin").data()), 0);
  EXPECT_EQ(cu_.module_function(&function, module, "saxpy"), hw::abi::kNotFound);
  EXPECT_EQ(cu_.module_unload(module), 0);
  EXPECT_EQ(cu_.module_function(&function, module, "saxpy_kernel"), 400);
}

TEST_F(FakeCudaDriver, RunsCodeOfAnEarlierMinorVersion) {
  options_.set("FAKE_GPU", "rtx-3090");
  start();
  EXPECT_NE(load(cubin("saxpy-sm_80-0.cubin"), "saxpy_kernel"), nullptr);
}

TEST_F(FakeCudaDriver, RunsNoAmpereCodeOnAnotherGeneration) {
  options_.set("FAKE_GPU", "h100-pcie");
  start();
  Module module = nullptr;
  EXPECT_EQ(cu_.module_load(&module, cubin("saxpy-sm_80-0.cubin").data()),
            hw::abi::kNoBinaryForGpu);
}

TEST_F(FakeCudaDriver, RefusesLaunchesAsADriverDoes) {
  start();
  const Function hgemm = load(cubin("hgemm-sm_80-0.cubin"), "hgemm_kernel");
  int registers = 0;
  int threads = 0;
  ASSERT_EQ(cu_.function_attribute(&registers, hw::abi::kFunctionRegisters, hgemm), 0);
  ASSERT_EQ(cu_.function_attribute(&threads, hw::abi::kFunctionMaxThreadsPerBlock, hgemm), 0);
  EXPECT_GT(registers, 64) << "so that 1024 threads are too many";
  EXPECT_LT(threads, 1024);
  EXPECT_EQ(launch(hgemm, 1, 1024), hw::abi::kLaunchOutOfResources);
  EXPECT_EQ(launch(hgemm, 1, 1025), hw::abi::kInvalidValue);
  EXPECT_EQ(launch(hgemm, 0, 128), hw::abi::kInvalidValue);
  EXPECT_EQ(cu_.launch(hgemm, 1, 1, 1, 128, 1, 1, 0, nullptr, nullptr, nullptr),
            hw::abi::kInvalidValue)
      << "no parameters";

  int fixed = 0;
  ASSERT_EQ(cu_.function_attribute(&fixed, hw::abi::kFunctionSharedBytes, hgemm), 0);
  const int attribute = hw::abi::kFunctionMaxDynamicSharedBytes;
  const int optin = 163 * 1024 - fixed;
  EXPECT_EQ(cu_.function_set_attribute(hgemm, attribute, optin + 1), hw::abi::kInvalidValue);
  EXPECT_EQ(cu_.function_set_attribute(hgemm, attribute, optin), 0);
  EXPECT_EQ(cu_.launch(hgemm, 1, 1, 1, 128, 1, 1, static_cast<unsigned>(optin) + 1, nullptr,
                       nullptr, nullptr),
            hw::abi::kInvalidValue);
  int ctas = 0;
  ASSERT_EQ(cu_.occupancy(&ctas, hgemm, 128, static_cast<std::size_t>(optin)), 0);
  EXPECT_EQ(ctas, 1);
  EXPECT_EQ(cu_.context_synchronize(), 0) << "a refused launch leaves the context usable";
}

TEST_F(FakeCudaDriver, CountsResidentBlocks) {
  start();
  const Function saxpy = load(cubin("saxpy-sm_80-0.cubin"), "saxpy_kernel");
  int ctas = 0;
  ASSERT_EQ(cu_.occupancy(&ctas, saxpy, 256, 0), 0);
  EXPECT_EQ(ctas, 8); // 64 warps
  ASSERT_EQ(cu_.occupancy(&ctas, saxpy, 32, 0), 0);
  EXPECT_EQ(ctas, 32); // CTA slots
  ASSERT_EQ(cu_.occupancy(&ctas, saxpy, 32, 40'000), 0);
  EXPECT_EQ(ctas, 4); // shared memory
}

TEST_F(FakeCudaDriver, ReadsConstantsThatTheHostWrote) {
  start();
  Module module = nullptr;
  ASSERT_EQ(cu_.module_load(&module, cubin("convolution-sm_80-0.cubin").data()), 0);
  DevicePointer filter = 0;
  std::size_t bytes = 0;
  EXPECT_EQ(cu_.module_global(&filter, &bytes, module, "no_filter"), hw::abi::kNotFound);
  ASSERT_EQ(cu_.module_global(&filter, &bytes, module, "d_filter"), 0);
  EXPECT_EQ(bytes, 33U * 33U * 4U);
  EXPECT_EQ(download<float>(filter, 1)[0], 0.0F);
  EXPECT_EQ(cu_.fill(filter, 1, bytes), 0);
  EXPECT_EQ(download<int>(filter, 33U * 33U)[1088], 0x01010101);
  EXPECT_EQ(cu_.module_unload(module), 0);
  EXPECT_EQ(cu_.fill(filter, 0, 4), hw::abi::kInvalidValue) << "gone with the module";
}

TEST_F(FakeCudaDriver, NeedsAContext) {
  open();
  DevicePointer address = 0;
  EXPECT_EQ(cu_.allocate(&address, 4), hw::abi::kNotInitialized);
  ASSERT_EQ(cu_.init(0), 0);
  EXPECT_EQ(cu_.allocate(&address, 4), 201);
  hw::abi::Context context = nullptr;
  ASSERT_EQ(cu_.context_retain(&context, 0), 0);
  ASSERT_EQ(cu_.context_set(context), 0);
  EXPECT_EQ(cu_.allocate(&address, 4), 0);
  EXPECT_EQ(cu_.context_release(0), 0);
  EXPECT_EQ(cu_.context_release(0), 201);
  EXPECT_EQ(cu_.allocate(&address, 4), 201) << "the last user left";
}

} // namespace
} // namespace coulomb::fake
