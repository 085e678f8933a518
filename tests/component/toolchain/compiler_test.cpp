// SPDX-License-Identifier: Apache-2.0
#include "hw/toolchain/compiler.hpp"

#include "tests/component/toolchain/toolchain_fixture.hpp"

#include "hw/toolchain/machine_code.hpp"

#include <algorithm>

namespace coulomb::toolchain {
namespace {

using eval::CompileOutcome;
using eval::EvalStatus;
using testing::HasSubstr;

using CompilerWithNvrtc = NvrtcTest;
using CompilerWithoutNvrtc = ToolchainTest;

std::vector<std::string> cache_files(const std::string& directory, const std::string& extension) {
  std::vector<std::string> files;
  for (const auto& file : std::filesystem::recursive_directory_iterator(directory)) {
    if (file.path().extension() == extension) {
      files.push_back(file.path().string());
    }
  }
  return files;
}

TEST_F(CompilerWithNvrtc, CompilesForBothAmpereArchitectures) {
  Compiler compiler(paths_);
  for (const auto* architecture : {"sm_80", "sm_86"}) {
    request_.architecture = architecture;
    const CompileOutcome outcome = compiler.compile(request_);
    EXPECT_EQ(outcome.id, 11U);
    EXPECT_EQ(outcome.status, EvalStatus::ok) << outcome.log;
    EXPECT_EQ(outcome.message, "");
    EXPECT_EQ(outcome.entry_name, "scale");
    EXPECT_EQ(outcome.cubin_hash.size(), 32U);
    EXPECT_GT(outcome.compile_s, 0.0);
    EXPECT_FALSE(outcome.cache_hit);
    EXPECT_THAT(kernel_symbols(read_file(outcome.cubin_path)), testing::ElementsAre("scale"));
  }
  EXPECT_EQ(compiler.counters().compiled, 2U);
}

TEST_F(CompilerWithNvrtc, AnswersTheSecondRequestFromTheCache) {
  Compiler first(paths_);
  const CompileOutcome made = first.compile(request_);
  Compiler second(paths_);
  request_.id = 12;
  const CompileOutcome found = second.compile(request_);
  EXPECT_EQ(second.counters().compiled, 0U);
  EXPECT_EQ(second.counters().cache_hits, 1U);
  EXPECT_TRUE(found.cache_hit);
  EXPECT_EQ(found.id, 12U);
  EXPECT_EQ(found.cubin_path, made.cubin_path);
  EXPECT_EQ(found.cubin_hash, made.cubin_hash);
  EXPECT_EQ(found.entry_name, made.entry_name);
  EXPECT_EQ(found.compile_s, made.compile_s);
  EXPECT_THAT(cache_files(request_.cache_dir, ".lock"), testing::IsEmpty());
}

TEST_F(CompilerWithNvrtc, UsesTheDefaultCacheWhenTheRequestNamesNone) {
  request_.cache_dir.clear();
  const CompileOutcome outcome = Compiler(paths_).compile(request_);
  EXPECT_TRUE(outcome.cubin_path.starts_with(paths_.cache_dir + "/")) << outcome.cubin_path;
}

TEST_F(CompilerWithNvrtc, CompilesAgainWhenOptionsOrSourceDiffer) {
  Compiler compiler(paths_);
  const CompileOutcome three = compiler.compile(request_);
  request_.options = {"-DFACTOR=4.0f"};
  const CompileOutcome four = compiler.compile(request_);
  EXPECT_NE(three.cubin_path, four.cubin_path);
  EXPECT_NE(three.cubin_hash, four.cubin_hash);
  write("scale.cu", std::string(kScaleSource) + "// changed\n");
  const CompileOutcome commented = compiler.compile(request_);
  EXPECT_EQ(compiler.counters().compiled, 3U);
  EXPECT_EQ(commented.cubin_hash, four.cubin_hash) << "a comment does not change machine code";
}

TEST_F(CompilerWithNvrtc, TellsTheCompilersFirstError) {
  write("scale.cu", "extern \"C\" __global__ void scale(float* x) {\n  x[0] = y;\n  z = 1;\n}\n");
  Compiler compiler(paths_);
  const CompileOutcome outcome = compiler.compile(request_);
  EXPECT_EQ(outcome.status, EvalStatus::compile_failed);
  EXPECT_EQ(outcome.message, "scale.cu(2): error: identifier \"y\" is undefined");
  EXPECT_THAT(outcome.log, HasSubstr("identifier \"z\" is undefined"));
  EXPECT_EQ(outcome.cubin_path, "");
  EXPECT_EQ(outcome.error_kind, "");
}

TEST_F(CompilerWithNvrtc, CachesFailuresToo) {
  request_.options = {"-DFACTOR=oops"};
  const CompileOutcome made = Compiler(paths_).compile(request_);
  Compiler second(paths_);
  const CompileOutcome found = second.compile(request_);
  EXPECT_EQ(second.counters().compiled, 0U);
  EXPECT_TRUE(found.cache_hit);
  EXPECT_EQ(found.status, EvalStatus::compile_failed);
  EXPECT_EQ(found.message, made.message);
  EXPECT_EQ(found.log, made.log);
}

TEST_F(CompilerWithNvrtc, TellsWhatTheAssemblerRefuses) {
  write("scale.cu", "extern \"C\" __global__ void scale(float* x) {\n"
                    "  __shared__ float s[100000];\n"
                    "  s[threadIdx.x] = x[0]; __syncthreads(); x[1] = s[x[2] > 0 ? 7 : 9];\n}\n");
  const CompileOutcome outcome = Compiler(paths_).compile(request_);
  EXPECT_EQ(outcome.status, EvalStatus::compile_failed);
  EXPECT_THAT(outcome.message, HasSubstr("uses too much shared data"));
}

TEST_F(CompilerWithNvrtc, TellsAnOptionThatNvrtcDoesNotKnow) {
  request_.options.emplace_back("--no-such-option");
  const CompileOutcome outcome = Compiler(paths_).compile(request_);
  EXPECT_EQ(outcome.status, EvalStatus::compile_failed);
  EXPECT_THAT(outcome.message, HasSubstr("--no-such-option"));
}

TEST_F(CompilerWithNvrtc, NamesTheKernelsThatThereAreWhenTheWantedOneIsNot) {
  request_.kernel_name = "scael";
  const CompileOutcome outcome = Compiler(paths_).compile(request_);
  EXPECT_EQ(outcome.status, EvalStatus::compile_failed);
  EXPECT_EQ(outcome.message, "scale.cu: no kernel \"scael\" (did you mean \"scale\"?); the file "
                             "has: scale");
}

TEST_F(CompilerWithNvrtc, FindsKernelsThatAreNotExternC) {
  write("scale.cu", "namespace a { __global__ void inner(int* x) { x[0] = 1; } }\n"
                    "__global__ void scale(float* x) { x[0] = 1; }\n"
                    "template <int N> __global__ void fill(int* x) { x[threadIdx.x] = N; }\n");
  Compiler compiler(paths_);
  EXPECT_EQ(compiler.compile(request_).entry_name, "_Z5scalePf");
  request_.kernel_name = "fill<7>";
  EXPECT_EQ(compiler.compile(request_).entry_name, "_Z4fillILi7EEvPi");
  request_.kernel_name = "a::inner";
  EXPECT_EQ(compiler.compile(request_).entry_name, "_ZN1a5innerEPi");
}

TEST_F(CompilerWithNvrtc, RefusesADamagedEntryAndCompilesAgain) {
  const CompileOutcome made = Compiler(paths_).compile(request_);
  const std::string whole = read_file(made.cubin_path);
  std::string flipped = whole;
  flipped[whole.size() / 2] ^= 1;
  for (const std::string& damaged : {whole.substr(0, 100), flipped, std::string{}}) {
    write_file_atomically(made.cubin_path, damaged);
    Compiler compiler(paths_);
    const CompileOutcome again = compiler.compile(request_);
    EXPECT_EQ(compiler.counters().compiled, 1U);
    EXPECT_EQ(compiler.counters().damaged, 1U);
    EXPECT_FALSE(again.cache_hit);
    EXPECT_EQ(again.cubin_hash, made.cubin_hash);
    EXPECT_EQ(read_file(made.cubin_path), whole);
  }
}

TEST_F(CompilerWithNvrtc, RefusesADamagedOutcomeAndCompilesAgain) {
  (void)Compiler(paths_).compile(request_);
  const auto files = cache_files(request_.cache_dir, ".json");
  ASSERT_EQ(files.size(), 1U);
  std::string edited = read_file(files[0]);
  edited.replace(edited.find("scale"), 5, "scalf");
  for (const std::string& damaged : {std::string{"{\"outcome\": \""}, std::string{"{}"}, edited}) {
    write_file_atomically(files[0], damaged);
    Compiler compiler(paths_);
    EXPECT_EQ(compiler.compile(request_).entry_name, "scale");
    EXPECT_EQ(compiler.counters().compiled, 1U);
  }
  std::filesystem::remove(cache_files(request_.cache_dir, ".cubin").at(0));
  Compiler compiler(paths_);
  EXPECT_EQ(compiler.compile(request_).status, EvalStatus::ok);
  EXPECT_EQ(compiler.counters().compiled, 1U);
}

TEST_F(CompilerWithNvrtc, SeesThatALocalHeaderChanged) {
  write("scale.cu", std::string("#include \"factor.h\"\n") + kScaleSource);
  write("factor.h", "#define FACTOR 5.0f\n");
  request_.options.clear();
  Compiler compiler(paths_);
  const CompileOutcome five = compiler.compile(request_);
  ASSERT_EQ(five.status, EvalStatus::ok) << five.log;
  write("factor.h", "#define FACTOR 6.0f\n");
  const CompileOutcome six = compiler.compile(request_);
  EXPECT_FALSE(six.cache_hit);
  EXPECT_NE(five.cubin_hash, six.cubin_hash);
}

TEST_F(CompilerWithNvrtc, NeverAnswersAComputedIncludeFromTheCache) {
  write("scale.cu", std::string("#define H \"factor.h\"\n#include H\n") + kScaleSource);
  write("factor.h", "#define FACTOR 5.0f\n");
  request_.options.clear();
  Compiler compiler(paths_);
  const CompileOutcome five = compiler.compile(request_);
  ASSERT_EQ(five.status, EvalStatus::ok) << five.log;
  write("factor.h", "#define FACTOR 6.0f\n");
  EXPECT_NE(compiler.compile(request_).cubin_hash, five.cubin_hash);
}

TEST_F(CompilerWithNvrtc, FindsTheToolkitsHeaders) {
  if (nvrtc_->include_dir().empty()) {
    GTEST_SKIP() << "the toolkit's headers are not installed";
  }
  write("scale.cu", std::string("#include <cuda_fp16.h>\n") + kScaleSource);
  const CompileOutcome outcome = Compiler(paths_).compile(request_);
  EXPECT_EQ(outcome.status, EvalStatus::ok) << outcome.log;
}

TEST_F(CompilerWithNvrtc, SaysThatTheCacheCannotBeWritten) {
  request_.cache_dir = write("a_file", "") + "/cache";
  try {
    (void)Compiler(paths_).compile(request_);
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_THAT(e.what(), HasSubstr("cannot create the kernel cache " + request_.cache_dir));
    EXPECT_THAT(e.hint(), HasSubstr("COULOMB_CACHE"));
  }
}

TEST_F(CompilerWithNvrtc, LineInformationLeavesTheMachineCodeAlone) {
  NvrtcJob job;
  job.source = R"(extern "C" __global__ void stencil(const float* x, float* y, int n) {
    __shared__ float tile[256];
    for (int k = 0; k < n; ++k) {
      tile[threadIdx.x] = x[k * 256 + threadIdx.x];
      __syncthreads();
      float sum = 0;
      for (int j = 0; j < 17; ++j) sum += tile[(threadIdx.x + j) % 256] * (j > 3 ? sqrtf(sum) : 2.f);
      y[k * 256 + threadIdx.x] = sum / n;
      __syncthreads();
    }
  })";
  job.name = "stencil.cu";
  job.options = {"--gpu-architecture=sm_80"};
  const NvrtcResult plain = nvrtc_->compile(job);
  job.options.emplace_back("-lineinfo");
  const NvrtcResult with_lines = nvrtc_->compile(job);
  EXPECT_LT(plain.cubin.size(), with_lines.cubin.size());
  EXPECT_EQ(machine_code_hash(plain.cubin, "stencil"),
            machine_code_hash(with_lines.cubin, "stencil"));
}

TEST_F(CompilerWithoutNvrtc, SaysWhereItLookedAndWhatToDo) {
  paths_.nvrtc = "/nonexistent";
  try {
    (void)Compiler(paths_).compile(request_);
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(e.what(),
                 "cannot load NVRTC, the CUDA run-time compiler; looked for /nonexistent");
    EXPECT_THAT(e.hint(), testing::StartsWith("run scripts/setup, or install the CUDA Toolkit"));
    EXPECT_EQ(e.exit_code(), 3);
  }
}

TEST_F(CompilerWithoutNvrtc, RefusesALibraryThatIsNotNvrtc) {
  paths_.nvrtc = "libm.so.6";
  try {
    const Nvrtc nvrtc(paths_);
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_STREQ(e.what(), "libm.so.6 has no function nvrtcVersion: not NVRTC 11.8 or newer");
  }
}

TEST_F(CompilerWithoutNvrtc, SaysWhyALibraryThatIsThereDoesNotLoad) {
  paths_.nvrtc = write("libnvrtc.so", "not a library");
  try {
    const Nvrtc nvrtc(paths_);
    FAIL() << "no error";
  } catch (const EnvironmentError& e) {
    EXPECT_THAT(e.what(), HasSubstr("; " + paths_.nvrtc + " does not load: "));
  }
}

TEST_F(CompilerWithoutNvrtc, LooksInTheToolkitBeforeTheLoadersPath) {
  paths_.nvrtc.clear();
  paths_.cuda_home = "/opt/cuda";
  const auto candidates = paths_.nvrtc_candidates();
  ASSERT_EQ(candidates.size(), 16U);
  EXPECT_EQ(candidates[0], "/opt/cuda/lib64/libnvrtc.so.13");
  EXPECT_EQ(candidates[2], "/opt/cuda/lib64/libnvrtc.so.11.2");
  EXPECT_EQ(candidates[4], "/usr/local/cuda/lib64/libnvrtc.so.13");
  EXPECT_EQ(candidates[8], "/usr/lib/x86_64-linux-gnu/libnvrtc.so.13");
  EXPECT_EQ(candidates[15], "libnvrtc.so");
}

TEST_F(CompilerWithoutNvrtc, RefusesARequestThatMakesNoSense) {
  Compiler compiler(paths_);
  request_.architecture = "rtx-3090";
  CompileOutcome outcome = compiler.compile_or_error(request_);
  EXPECT_EQ(outcome.status, EvalStatus::crashed);
  EXPECT_EQ(outcome.id, 11U);
  EXPECT_EQ(outcome.error_kind, "input");
  EXPECT_EQ(outcome.message, "unknown architecture \"rtx-3090\"");
  EXPECT_EQ(outcome.error_hint, "one of: sm_80, sm_86");
  request_.architecture = "sm_86";
  request_.source_path = directory_ + "/none.cu";
  EXPECT_EQ(compiler.compile_or_error(request_).message,
            "cannot read " + request_.source_path + ": No such file or directory");
}

TEST(FirstError, IsTheFirstLineThatTellsOne) {
  EXPECT_EQ(first_error("a.cu(1): warning #1: w\n\na.cu(2): error: e\na.cu(3): error: f\n"),
            "a.cu(2): error: e");
  EXPECT_EQ(first_error("ptxas error   : Entry function 'k' uses too much shared data\n"),
            "ptxas error   : Entry function 'k' uses too much shared data");
  EXPECT_EQ(first_error("something odd\nmore\n"), "something odd");
  EXPECT_EQ(first_error(""), "");
}

} // namespace
} // namespace coulomb::toolchain
