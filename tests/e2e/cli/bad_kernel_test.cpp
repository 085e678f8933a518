// SPDX-License-Identifier: Apache-2.0
// Kernels that are not ok: exit code 4 and a status; and what a machine without a compiler can do.
#include "tests/e2e/cli/specs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace coulomb::e2e {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;
using Json = nlohmann::json;
using Strings = std::vector<std::string>;

class BadKernel : public testing::Test {
protected:
  void SetUp() override { COULOMB_NEEDS_NVRTC(workplace); }

  /// Runs a kernel that is not ok, for machines and for people.
  [[nodiscard]] Json fate(const std::string& body, const Strings& more = {}) const {
    write_kernel(workplace, "suspect", body);
    Strings args = {"run", "suspect.json", "--gpu", kGpu};
    args.insert(args.end(), more.begin(), more.end());
    const Result text = run(workplace, args);
    EXPECT_EQ(text.exit_code, 4);
    args.emplace_back("--json");
    const Result machine = run(workplace, args);
    EXPECT_EQ(machine.exit_code, 4);
    Json j = machine.json();
    EXPECT_EQ(text.err, j.value("status", "") + ": " + j.value("message", "") + "\n");
    return j;
  }

  Workplace workplace;
};

TEST_F(BadKernel, OneWrongElementIsAWrongResult) {
  Json j = fate("  y[i] = alpha * x[i] + y[i] + (i % 64 == 5 ? 1.0f : 0.0f);");
  EXPECT_EQ(j["status"], "wrong_result");
  EXPECT_THAT(j.value("message", ""),
              MatchesRegex(R"(y\[[0-9]+\]: expected -?[0-9.]+, found -?[0-9.]+)"));
  EXPECT_EQ(j["output_check"]["passed"], false);
  EXPECT_EQ(j["output_check"]["first_difference"], j["message"]);
  EXPECT_EQ(j["output_check"]["compared"], 64);
}

TEST_F(BadKernel, NanIsAWrongResult) {
  Json j = fate("  y[i] = 0.0f / (alpha - alpha);");
  EXPECT_EQ(j["status"], "wrong_result");
  EXPECT_THAT(j.value("message", ""), HasSubstr("found nan"));
}

TEST_F(BadKernel, WithoutItsCheckRuns) {
  write_kernel(workplace, "suspect", "  y[i] = 0.0f;");
  const Result result =
      run(workplace, {"run", "suspect.json", "--gpu", kGpu, "--no-check", "--json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json()["output_check"]["checked"], false);
  EXPECT_EQ(result.json()["output_check"]["passed"], nullptr);
}

TEST_F(BadKernel, EndlessIsATimeout) {
  Json j = fate("  while (*(volatile const float*)&x[i] < 1e30f) {}\n  y[i] = 0.0f;",
                {"--cycle-limit", "20000"});
  EXPECT_EQ(j["status"], "timeout");
  EXPECT_THAT(j.value("message", ""), StartsWith("cycle limit of 20000 reached"));
  EXPECT_EQ(j["time_ms"], nullptr);
}

TEST_F(BadKernel, BeyondItsDeadlineIsATimeout) {
  Json j = fate("  while (clock64() >= 0) {}\n  y[i] = 0.0f;", // a spin would be a deadlock
                {"--timeout", "0.2"});
  EXPECT_EQ(j["status"], "timeout");
}

TEST_F(BadKernel, ThatDoesNotCompileShowsTheCompilersMessage) {
  Json j = fate("  y[i] = undeclared;");
  EXPECT_EQ(j["status"], "compile_failed");
  EXPECT_EQ(j["message"], "suspect.cu(3): error: identifier \"undeclared\" is undefined");
  EXPECT_EQ(j["cycles"], nullptr);
}

TEST_F(BadKernel, AccessOutsideABufferNamesTheInstruction) {
  Json j = fate("  y[i + 1000000000LL] = alpha;");
  EXPECT_EQ(j["status"], "crashed");
  const std::string message = j.value("message", "");
  EXPECT_THAT(message, StartsWith("illegal access: 4 bytes at global address 0x"));
  EXPECT_THAT(message, HasSubstr(" bytes past the end of buffer y (16384 bytes at 0x"));
  EXPECT_THAT(message, HasSubstr("in kernel suspect at pc 0x"));
  EXPECT_THAT(message, HasSubstr(": STG.E "));
  EXPECT_THAT(message,
              HasSubstr("CTA (0, 0, 0), warp 0, lane 0")); // sub-cores issue in turn
}

TEST_F(BadKernel, MisalignedAccessCrashes) {
  Json j = fate("  *(double*)((char*)y + 4 + 8 * (i / 2)) = 1.0;");
  EXPECT_EQ(j["status"], "crashed");
  EXPECT_THAT(j.value("message", ""), StartsWith("misaligned access: 8 bytes at global address"));
}

TEST_F(BadKernel, TooMuchSharedMemoryDoesNotLaunch) {
  write_kernel(workplace, "suspect", "  y[i] = 1.0f;");
  Json spec = Json::parse(read(workplace, "suspect.json"));
  spec["KernelSpecification"]["SharedMemory"] = 200'000;
  workplace.write("suspect.json", spec.dump());
  const Result result = run(workplace, {"run", "suspect.json", "--gpu", kGpu, "--json"});
  EXPECT_EQ(result.exit_code, 4);
  Json j = result.json();
  EXPECT_EQ(j["status"], "launch_invalid");
  EXPECT_THAT(j.value("message", ""), HasSubstr("200,000"));
}

TEST_F(BadKernel, InstructionThatIsNotModelledIsNamed) {
  Json j = fate("  y[i] = tex1Dfetch<float>(static_cast<cudaTextureObject_t>(count), i);");
  EXPECT_EQ(j["status"], "unsupported");
  EXPECT_THAT(j.value("message", ""),
              MatchesRegex("kernel suspect, pc 0x[0-9a-f]+: unknown opcode 0xf66 .*"));
}

TEST_F(BadKernel, ViolatedRestrictionIsNamed) {
  write_small_saxpy(workplace);
  const Result result = run(workplace, {"run", "small.json", "--gpu", kGpu, "--json", "--param",
                                        "elements_per_thread=1", "vector_width=4"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.json()["status"], "restricted");
  EXPECT_EQ(result.json()["message"],
            "violates the restriction elements_per_thread % vector_width == 0");
}

TEST_F(BadKernel, SearchedSaysThatNothingRan) {
  write_kernel(workplace, "suspect", "  y[i] = 1.0f;");
  const Result result = run(workplace, {"search", "suspect.json", "--gpu", kGpu, "--budget", "3",
                                        "--out", "out", "--json"});
  EXPECT_EQ(result.exit_code, 4);
  Json j = result.json();
  EXPECT_EQ(j["best"], nullptr);
  EXPECT_EQ(j["statuses"]["wrong_result"], 1);
  EXPECT_THAT(j["messages"].value("wrong_result", ""), StartsWith("y["));
}

/// A machine without NVRTC.
class NoCompiler : public testing::Test {
protected:
  void SetUp() override { write_small_saxpy(workplace); }

  [[nodiscard]] Environment environment() const {
    return {{"COULOMB_NVRTC", "/nonexistent"}, {"COULOMB_CACHE", workplace.path("no_cache")}};
  }

  Workplace workplace;
};

TEST_F(NoCompiler, RunsStoredCubins) {
  const Result result =
      run(workplace, {"run", "small.json", "--gpu", kGpu, "--json"}, environment());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json()["status"], "ok");
  const Result other =
      run(workplace, {"run", "small.json", "--gpu", "rtx-3090", "--json"}, environment());
  EXPECT_EQ(other.exit_code, 0) << other.err;
}

TEST_F(NoCompiler, SaysHowToGetOneForAnythingElse) {
  const Result result =
      run(workplace, {"run", "small.json", "--gpu", kGpu, "--param", "block_size=32", "--json"},
          environment());
  EXPECT_EQ(result.exit_code, 3);
  Json error = error_of(result, "environment");
  EXPECT_EQ(error["message"],
            "cannot load NVRTC, the CUDA run-time compiler; looked for /nonexistent");
  EXPECT_THAT(error.value("hint", ""), HasSubstr("COULOMB_NVRTC"));
  EXPECT_THAT(error.value("hint", ""), HasSubstr("only the stored kernels of data/cubins run"));
}

TEST_F(NoCompiler, EndsASearchWithTheSameAdvice) {
  const Result result =
      run(workplace, {"search", "small.json", "--gpu", kGpu, "--budget", "4", "--out", "out"},
          environment());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("error: cannot load NVRTC"));
  EXPECT_THAT(result.err, HasSubstr("COULOMB_NVRTC"));
}

TEST_F(NoCompiler, CannotDisassembleSource) {
  workplace.write("k.cu", "extern \"C\" __global__ void k() {}\n");
  const Result result = run(workplace, {"disasm", "k.cu"}, environment());
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("error: cannot load NVRTC"));
}

} // namespace
} // namespace coulomb::e2e
