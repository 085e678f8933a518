// SPDX-License-Identifier: Apache-2.0
#include "tests/e2e/cli/specs.hpp"

#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using Json = nlohmann::json;

const std::string kSm80 = COULOMB_SOURCE_DIR "/tests/unit/isa/cubins/features_sm80.cubin";
const std::string kSm86 = COULOMB_SOURCE_DIR "/tests/unit/isa/cubins/features_sm86.cubin";

constexpr const char* kScale = R"(__device__ inline float half_of(float v) {
  return v * FACTOR;
}
extern "C" __global__ void scale(float* x) {
  float v = x[threadIdx.x];
  x[threadIdx.x] = half_of(v);
}
)";

void put(std::string& bytes, std::uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i) {
    bytes.push_back(static_cast<char>(value >> (8 * i)));
  }
}

/// A fatbin entry; kind 1 is PTX, 2 a cubin.
std::string entry(unsigned kind, unsigned architecture, std::string image, std::uint64_t flags) {
  const std::size_t bytes = image.size();
  image.resize((bytes + 7) / 8 * 8);
  std::string header;
  put(header, kind, 2);
  put(header, 0x101, 2);
  put(header, 64, 4);
  put(header, image.size(), 8);
  put(header, flags == 0 ? 0 : bytes, 4);
  put(header, 0, 8);
  put(header, architecture, 4);
  put(header, 0, 8);
  put(header, 0x11 | flags, 8);
  put(header, 0, 8);
  put(header, flags == 0 ? 0 : bytes, 8);
  return header + image;
}

std::string fatbin(const std::vector<std::string>& entries) {
  std::string all;
  for (const auto& one : entries) {
    all += one;
  }
  std::string header;
  put(header, 0xba55ed50, 4);
  put(header, 1, 2);
  put(header, 16, 2);
  put(header, all.size(), 8);
  return header + all;
}

TEST(DisasmSource, StandsBeforeTheInstructionsOfEachLine) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  workplace.write("scale.cu", kScale);
  const Result result =
      run(workplace, {"disasm", "scale.cu", "--source", "--plain", "-D", "FACTOR=0.5f"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out,
              HasSubstr("// scale.cu:4: extern \"C\" __global__ void scale(float* x) {\nMOV R1, "));
  EXPECT_THAT(result.out, HasSubstr("// scale.cu:5: float v = x[threadIdx.x];\n"));
  EXPECT_THAT(result.out, HasSubstr("// scale.cu:2: return v * FACTOR;   [half_of(float), from "
                                    "scale.cu:6]\nFMUL "));
  EXPECT_THAT(result.out, HasSubstr("// scale.cu:6: x[threadIdx.x] = half_of(v);\nSTG.E "));
}

TEST(DisasmSource, IsSaidToBeMissingForACubinWithoutLineInformation) {
  const Workplace workplace;
  const Result result =
      run(workplace, {"disasm", kSm80, "--source", "--plain", "--kernel", "axpy"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "no source lines for sm_80: compiled without -lineinfo\n");
  EXPECT_EQ(result.out, run(workplace, {"disasm", kSm80, "--plain", "--kernel", "axpy"}).out);
}

TEST(DisasmJson, HoldsEveryInstructionWithItsControlAndLine) {
  const Workplace workplace;
  COULOMB_NEEDS_NVRTC(workplace);
  workplace.write("scale.cu", kScale);
  const Result result =
      run(workplace, {"disasm", "scale.cu", "--arch", "sm_86", "-D", "FACTOR=0.5f", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json j = result.json();
  ASSERT_EQ(j["kernels"].size(), 1U);
  const Json& kernel = j["kernels"][0];
  EXPECT_EQ(kernel["name"], "scale");
  EXPECT_EQ(kernel["architecture"], "sm_86");
  EXPECT_GT(kernel["registers"], 4);
  EXPECT_EQ(kernel["static_shared_bytes"], 0);
  EXPECT_EQ(kernel["local_bytes"], 0);
  std::size_t multiplies = 0;
  for (std::size_t i = 0; i < kernel["instructions"].size(); ++i) {
    const Json& instruction = kernel["instructions"][i];
    EXPECT_EQ(instruction["pc"], i * 16);
    EXPECT_THAT(keys(instruction["control"]),
                testing::UnorderedElementsAre("stall", "yield", "write_barrier", "read_barrier",
                                              "wait_mask", "reuse"));
    if (instruction["text"].get<std::string>().starts_with("FMUL ")) {
      ++multiplies;
      EXPECT_EQ(instruction["file"], workplace.path("scale.cu"));
      EXPECT_EQ(instruction["line"], 2);
      EXPECT_EQ(instruction["inlined_at"], Json::array({{{"function", "_Z7half_off"},
                                                         {"file", workplace.path("scale.cu")},
                                                         {"line", 6}}}));
    }
  }
  EXPECT_EQ(multiplies, 1U);
}

TEST(DisasmJson, HasNullWhereNothingIsKnown) {
  const Workplace workplace;
  const Result result = run(workplace, {"disasm", kSm80, "--kernel", "axpy", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json first = result.json()["kernels"][0]["instructions"][0];
  EXPECT_EQ(first["text"], "MOV R1, c[0x0][0x28]");
  EXPECT_EQ(first["file"], nullptr);
  EXPECT_EQ(first["line"], nullptr);
  EXPECT_EQ(first["control"]["write_barrier"], nullptr);
}

TEST(DisasmJson, ListsKernelsThatDoNotDecode) {
  const Workplace workplace;
  const Result result =
      run(workplace,
          {"disasm", COULOMB_SOURCE_DIR "/tests/unit/isa/cubins/unsupported_sm80.cubin", "--json"});
  EXPECT_EQ(result.exit_code, 4);
  const Json j = result.json();
  ASSERT_EQ(j["kernels"].size(), 1U);
  EXPECT_EQ(j["kernels"][0]["name"], "plain");
  ASSERT_EQ(j["not_decoded"].size(), 1U);
  EXPECT_EQ(j["not_decoded"][0]["name"], "textured");
  EXPECT_THAT(j["not_decoded"][0].value("reason", ""), StartsWith("kernel textured, pc 0x20: "));
}

class DisasmFatbin : public testing::Test {
protected:
  DisasmFatbin() {
    workplace.write("two.fatbin",
                    fatbin({entry(2, 80, read_file(kSm80), 0), entry(2, 86, read_file(kSm86), 0),
                            entry(2, 90, "no cubin", 0), entry(1, 90, ".version 9.0", 0)}));
  }
  Workplace workplace;
};

TEST_F(DisasmFatbin, ShowsEveryAmpereImageAndSaysWhatItSkips) {
  const Result result = run(workplace, {"disasm", "two.fatbin", "--plain"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "skipped: cubin for sm_90: neither sm_80 nor sm_86\n"
                        "skipped: PTX for compute_90: no machine code\n");
  EXPECT_EQ(result.out, run(workplace, {"disasm", kSm80, "--plain"}).out +
                            run(workplace, {"disasm", kSm86, "--plain"}).out);
}

TEST_F(DisasmFatbin, ShowsTheImageOfOneArchitecture) {
  const Result result = run(workplace, {"disasm", "two.fatbin", "--plain", "--arch", "sm_86"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.err, StartsWith("skipped: cubin for sm_80: --arch is sm_86\n"));
  EXPECT_EQ(result.out, run(workplace, {"disasm", kSm86, "--plain"}).out);
}

TEST_F(DisasmFatbin, ShowsOneKernelOfEachImage) {
  const Result result = run(workplace, {"disasm", "two.fatbin", "--kernel", "axpy", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json j = result.json();
  ASSERT_EQ(j["kernels"].size(), 2U);
  EXPECT_EQ(j["kernels"][0]["architecture"], "sm_80");
  EXPECT_EQ(j["kernels"][1]["architecture"], "sm_86");
  EXPECT_EQ(j["kernels"][1]["name"], j["kernels"][0]["name"]);
  EXPECT_EQ(j["skipped"][1],
            Json({{"image", "PTX for compute_90"}, {"reason", "no machine code"}}));
  const Result none = run(workplace, {"disasm", "two.fatbin", "--kernel", "axpi"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no kernel axpi in the module"));
}

TEST_F(DisasmFatbin, WithoutAmpereCodeSaysWhatItHas) {
  workplace.write("old.fatbin", fatbin({entry(2, 75, "x", 0), entry(1, 80, ".version 9.0", 0)}));
  const Result result = run(workplace, {"disasm", "old.fatbin"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "error: disasm: old.fatbin has no machine code for sm_80 or sm_86; it has: cubin for "
            "sm_75, PTX for compute_80\n"
            "  nvcc -gencode arch=compute_80,code=sm_80 -gencode arch=compute_86,code=sm_86 makes "
            "both\n");
}

TEST_F(DisasmFatbin, ThatIsCompressedOtherwiseSaysHowToAvoidIt) {
  constexpr std::uint64_t kZstd = 0x8000;
  workplace.write("z.fatbin", fatbin({entry(2, 80, "compressed", kZstd)}));
  const Result alone = run(workplace, {"disasm", "z.fatbin"});
  EXPECT_EQ(alone.exit_code, 4);
  EXPECT_EQ(alone.err, "error: z.fatbin: the cubin for sm_80 is compressed with Zstandard; LZ4 and "
                       "uncompressed images are read\n"
                       "  make it without compression: nvcc -Xfatbin -compress=false\n");
  workplace.write("half.fatbin",
                  fatbin({entry(2, 80, "compressed", kZstd), entry(2, 86, read_file(kSm86), 0)}));
  const Result half = run(workplace, {"disasm", "half.fatbin", "--plain"});
  EXPECT_EQ(half.exit_code, 4) << "part of it could not be shown";
  EXPECT_THAT(half.err, StartsWith("skipped: cubin for sm_80: half.fatbin: the cubin for sm_80 is "
                                   "compressed with Zstandard"));
  EXPECT_EQ(half.out, run(workplace, {"disasm", kSm86, "--plain"}).out);
}

TEST(DisasmInput, RefusesAnArchitectureThatTheCubinIsNotFor) {
  const Workplace workplace;
  const Result result = run(workplace, {"disasm", kSm80, "--arch", "sm_86"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("features_sm80.cubin is built for sm_80, but --arch is sm_86\n"
                                    "  leave --arch out\n"));
}

TEST(DisasmInput, RefusesAnUnknownArchitectureAndAMacroForACubin) {
  const Workplace workplace;
  Result result = run(workplace, {"disasm", kSm80, "--arch", "sm_90"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "error: disasm: --arch is sm_90; allowed: sm_80, sm_86\n");
  result = run(workplace, {"disasm", kSm80, "-D", "N=3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("is compiled already\n  -D is for .cu files\n"));
}

TEST(DisasmInput, OfAHostProgramWithoutDeviceCodeSaysSo) {
  const Workplace workplace;
  const Result result = run(workplace, {"disasm", "/proc/self/exe"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("/proc/self/exe is a host object or program without device "
                                    "code (no section .nv_fatbin)\n"));
}

} // namespace
} // namespace coulomb::e2e
