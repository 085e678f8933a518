// SPDX-License-Identifier: Apache-2.0
#include "tests/component/toolchain/toolchain_fixture.hpp"

#include "sim/isa/cubin.hpp"

#include <fmt/format.h>

namespace coulomb::toolchain {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

/// Its line numbers are not those of the source that includes it: ptxas writes no row for a line
/// that has the number of the row before, though the file is another one.
const std::string kHeader = std::string(20, '\n') + R"(
__device__ inline float poly(float x) {
  return x * x + 3.0f;
}
__device__ inline float outer(float x) {
  float a = poly(x);
  return poly(a) - 2.5f;
}
)";

constexpr const char* kSource = R"(#include "inc/helper.cuh"
extern "C" __global__ void work(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = x[i];
    v = outer(v);
    x[i] = v;
  }
}
extern "C" __global__ void fill(int* y) {
  y[threadIdx.x] = 7;
}
)";

/// Line information of what the compiler of this machine makes of kSource.
class LineInfo : public NvrtcTest {
protected:
  void SetUp() override {
    NvrtcTest::SetUp();
    if (!IsSkipped()) {
      write("inc/helper.cuh", kHeader);
      path_ = write("work.cu", kSource);
    }
  }

  [[nodiscard]] isa::Cubin compile(const std::string& architecture,
                                   const std::vector<std::string>& options) const {
    NvrtcJob job;
    job.source = kSource;
    job.name = path_;
    job.options = options;
    job.options.push_back("--gpu-architecture=" + architecture);
    job.options.push_back("-I" + directory_);
    const NvrtcResult result = nvrtc_->compile(job);
    EXPECT_EQ(result.verdict, NvrtcVerdict::ok) << result.log;
    return isa::Cubin::parse(
        {reinterpret_cast<const std::uint8_t*>(result.cubin.data()), result.cubin.size()}, "cubin");
  }

  std::string path_;
};

/// "poly helper.cuh:23 < outer helper.cuh:26 < work.cu:6" of every instruction of this opcode.
std::vector<std::string> stacks_of(const isa::KernelImage& kernel, isa::Opcode opcode) {
  std::vector<std::string> stacks;
  for (const auto& instruction : kernel.code) {
    if (instruction.opcode != opcode) {
      continue;
    }
    std::string stack;
    for (const auto& frame : isa::source_stack(kernel, instruction.pc)) {
      stack += fmt::format("{}{}{}{}:{}", stack.empty() ? "" : " < ", frame.function,
                           frame.function.empty() ? "" : " ",
                           std::filesystem::path(frame.file).filename().string(), frame.line);
    }
    stacks.push_back(stack);
  }
  return stacks;
}

TEST_F(LineInfo, NamesTheLineOfEachInstruction) {
  for (const auto* architecture : {"sm_80", "sm_86"}) {
    const isa::Cubin cubin = compile(architecture, {"-lineinfo"});
    EXPECT_EQ(cubin.no_lines, "");
    const isa::KernelImage& work = cubin.kernel("work");
    EXPECT_THAT(work.files, ElementsAre(path_, directory_ + "/inc/helper.cuh"));
    EXPECT_EQ(work.lines.size(), work.code.size());
    EXPECT_THAT(stacks_of(work, isa::Opcode::ISETP), ElementsAre("work.cu:4"));
    EXPECT_THAT(stacks_of(work, isa::Opcode::LDG), ElementsAre("work.cu:5"));
    EXPECT_THAT(stacks_of(work, isa::Opcode::STG), ElementsAre("work.cu:7"));
    EXPECT_THAT(stacks_of(work, isa::Opcode::S2R), Each("work.cu:3"));
    const isa::KernelImage& fill = cubin.kernel("fill");
    EXPECT_THAT(fill.files, ElementsAre(path_));
    EXPECT_THAT(stacks_of(fill, isa::Opcode::STG), ElementsAre("work.cu:11"));
  }
}

TEST_F(LineInfo, LeadsFromInlinedFunctionsToTheirCallers) {
  for (const auto* architecture : {"sm_80", "sm_86"}) {
    const isa::Cubin cubin = compile(architecture, {"-lineinfo"});
    const isa::KernelImage& work = cubin.kernel("work");
    EXPECT_THAT(stacks_of(work, isa::Opcode::FFMA),
                ElementsAre("_Z4polyf helper.cuh:23 < _Z5outerf helper.cuh:26 < work.cu:6",
                            "_Z4polyf helper.cuh:23 < _Z5outerf helper.cuh:27 < work.cu:6"));
    EXPECT_THAT(stacks_of(work, isa::Opcode::FADD),
                ElementsAre("_Z5outerf helper.cuh:27 < work.cu:6"));
    for (const auto& instruction : work.code) {
      if (instruction.opcode == isa::Opcode::FFMA) {
        EXPECT_EQ(isa::source_place(work, instruction.pc), "helper.cuh:23");
      }
    }
  }
}

TEST_F(LineInfo, IsAbsentWithAReasonWithoutTheOption) {
  const isa::Cubin cubin = compile("sm_80", {});
  EXPECT_EQ(cubin.no_lines, "compiled without -lineinfo");
  const isa::KernelImage& work = cubin.kernel("work");
  EXPECT_THAT(work.lines, IsEmpty());
  EXPECT_THAT(stacks_of(work, isa::Opcode::STG), ElementsAre(""));
}

TEST_F(LineInfo, ChangesNoInstruction) {
  const isa::Cubin with = compile("sm_86", {"-lineinfo"});
  const isa::Cubin without = compile("sm_86", {});
  const isa::KernelImage& a = with.kernel("work");
  const isa::KernelImage& b = without.kernel("work");
  ASSERT_EQ(a.code.size(), b.code.size());
  for (std::size_t i = 0; i < a.code.size(); ++i) {
    EXPECT_EQ(a.code[i].low, b.code[i].low);
    EXPECT_EQ(a.code[i].high, b.code[i].high);
  }
}

} // namespace
} // namespace coulomb::toolchain
